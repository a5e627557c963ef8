"""What a shortlist shows while it is worked on: seen from inside every model call."""

import threading

import pytest

from core.errors import BadInput
from core.methods.shortlist.so_far import Present, present
from core.records import STAGES
from tests.support.scripted import chain
from tests.support.shortlist_kit import now, shortlist, shortlist_script, shortlisting


class Watched:
    """A script that looks at the shortlist before each answer."""

    def __init__(self, script: dict):
        self.seen: list[tuple[str, Present]] = []
        self.look = lambda: None
        self._guard = threading.Lock()
        self.script = {prompt: self._watch(prompt, say) for prompt, say in script.items()}

    def _watch(self, prompt, say):
        def looking(request):
            with self._guard:
                if found := self.look():
                    self.seen.append((prompt, found))
            return say(request)

        return looking

    def at(self, prompt: str) -> list[Present]:
        return [found for name, found in self.seen if name == prompt]


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    watching = Watched(shortlist_script())
    runner, _ = shortlisting(tmp_path_factory.mktemp("watched"), watching.script)
    run = shortlist(runner)
    watching.look = lambda: now(runner, run)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return watching, now(runner, run)


def test_the_first_idea_is_there_while_the_chain_still_works(watched):
    watching, _ = watched
    first = watching.at("queries")[0]
    assert (first.stage, first.cards, first.ideas) == ("explore", (), ())
    assert [one.state for one in first.stages] == ["under way", *["to come"] * 5]
    early = next(found for _, found in watching.seen if found.cards)
    assert early.stage == "explore"
    assert not early.finished
    card = early.cards[0]
    assert len(card.gist) == 3
    assert card.gist[0].made.place.endswith("/idea")
    assert early.stages[0].runs == (card.gist[0].made.run,)
    assert early.reason.startswith("By the chain's own checks")


def test_an_idea_is_shown_in_the_form_of_its_last_round(watched):
    watching, _ = watched
    versions = {
        one.n: {found.ideas[k].idea.title for found in watching.at("verdict")}
        for k, one in enumerate(watching.at("verdict")[0].ideas)
    }
    for n, titles in versions.items():
        assert len(titles) > 1, f"idea {n} moved while it was refined"
    refining = watching.at("verdict")[-1]
    assert refining.stage == "refine"
    assert all(one.before == one.listed.idea for one in refining.ideas)


def test_it_only_ever_goes_forward_and_ends_as_the_run_does(watched):
    watching, ended = watched
    order = [STAGES.index(found.stage) for _, found in watching.seen]
    assert order == sorted(order)
    assert not any(found.finished for _, found in watching.seen)
    cards = [len(found.cards) for _, found in watching.seen]
    assert cards == sorted(cards), "a card never goes away by itself"
    comparing = watching.at("arena-ideas")[-1]
    assert comparing.stage == "compare"
    assert comparing.reason.startswith("By what fresh searches found")
    designing = watching.at("experiment-design")[0]
    assert designing.stage == "shortlist"
    assert [card.n for card in designing.cards] == [card.n for card in ended.cards]
    assert ended.finished


def test_the_last_view_of_the_ideas_is_what_the_run_ended_with(watched):
    _, ended = watched
    assert ended.shortlist
    assert ended.cards == ended.shortlist.cards
    for card in ended.cards:
        assert card.idea == ended.ideas[card.n - 1].idea


def test_a_run_of_another_method_is_refused(tmp_path):
    runner, _ = shortlisting(tmp_path)
    with pytest.raises(BadInput, match="is no shortlist"):
        present(runner.store, chain(runner))
