"""A run as one HTML file: nothing in it is fetched, and no text of a model is markup."""

import json
import re

from core.cases.bundled import opened
from core.cases.replay import html, source
from core.charts.style import ACTORS
from core.store import Store
from tests.support.case_kit import finished
from tests.support.scripted import refine_script

HOSTILE = "</script><img src=x onerror=alert(1)><!--"


def data(page: str) -> dict:
    return json.loads(
        re.search(r'<script type="application/json" id="deck">(.*)</script>', page)[1]
    )


def hostile(folder) -> str:
    """Return the page of a run whose title and a reply mean harm."""
    script = refine_script([True, False, False])
    verdict = script["verdict"]

    def judge(request):
        reply = verdict(request) if callable(verdict) else verdict
        return {**reply, "reason": f"{HOSTILE} &amp; \u2028 <b>said</b>"}

    runner, run = finished(folder, {**script, "verdict": judge})
    return html(runner.store, run.id, about=HOSTILE, title=f"{HOSTILE} mine")


def test_a_page_names_no_other_place_and_forbids_everything_but_itself(tmp_path):
    store = Store(tmp_path)
    page = html(store, opened(store, "chain-reasoning-to-ideation").id)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"<(link|img|iframe|object|embed)|\ssrc=|@import|url\(", page)
    # The name of SVG is a name and no address that is asked.
    assert set(re.findall(r"https?://[^\s\"'`]+", source("replay.js"))) == {
        "http://www.w3.org/2000/svg"
    }


def test_hostile_texts_stay_data(tmp_path):
    page = hostile(tmp_path)
    assert page.count("</script>") == 2
    assert "<img" not in page
    played = data(page)
    assert played["title"] == f"{HOSTILE} mine"
    texts = [text for one in played["pages"] for says in one["says"] for text, _ in says["spans"]]
    assert any(HOSTILE in text for text in texts)


def test_the_player_sets_texts_as_text_only():
    script = source("replay.js")
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "fetch(",
    ):
        assert way not in script, way


def test_actors_have_the_colours_of_the_screens(tmp_path):
    runner, run = finished(tmp_path)
    spoken = {one["actor"]: one["colour"] for one in data(html(runner.store, run.id))["slides"]}
    assert {name: colour for name, colour in spoken.items() if name} == dict(ACTORS)
