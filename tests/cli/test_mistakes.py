"""Bad input of any verb: exit code 2 and a sentence of ours, as a person reads it and as JSON; a
validator's own words reach nobody.
"""

import gzip
import json
import re
import shutil

import pytest

from core.__main__ import main
from tests.conftest import WordEmbedder
from tests.support import stored

KNOWN = json.loads((stored.HERE / "edition-2.json").read_text("utf-8"))
STOPPED, WAITING, M = (
    KNOWN["refinement"]["stopped"][0],
    KNOWN["chain that asks a person"]["waiting"],
    stored.MODEL,
)
ODD = {
    "title": 3,
    "problem": [],
    "objective": "",
    "hypothesis": "",
    "method": "",
    "expected_impact": "",
}
FILES = {
    "nul.txt": b"\xff\xfe\x00\x01",
    "empty.txt": b"",
    "bad.json": b'{"a":',
    "num.json": b"[1, 2]",
    "odd.json": json.dumps(ODD).encode(),
    "crit.json": b'{"year": "soon", "categories": []}',
    "v.csv": b"a,b\n1,2\n",
    "a.txt": b"A.",
    "b.txt": b"B.",
    "big.txt": b"x" * 30_000,
    "dir.json": b'{"direction": "", "reasoning": 3}',
}
"""What stands in the files that are given; `{name}` is the path of one, `{}` of their folder."""
THEIRS = re.compile(
    r"Input should|validation error|Field required|should have at|[Ss]tring should|Value"
    r" error|pydantic|Traceback|Extra inputs|NoneType|has no attribute"
    r"|type=\w+|codec|isoformat|Errno"
)
"""Words of validators and of Python."""


def ended(kind: str) -> str:
    return KNOWN[kind]["ended"]


MISTAKES = [
    ["chain", ""],
    ["chain", "x", "--branches", "99"],
    ["chain", "x", "--branches", "z"],
    ["chain", "x", "--before", "soon"],
    ["chain", "x", "--length", "-1"],
    ["chain", "x", "--source", "nowhere"],
    ["chain", "x", "--model", "nobody"],
    ["chain", "x", "--cap", "-1"],
    ["chain", "x", "--cap", "nan"],
    ["chain", "x", "--cap-tokens", "-5"],
    ["chain", "x", "--temperature", "9"],
    ["chain", "x", "--temperature", "hot"],
    ["chain", "x", "--max-tokens", "0"],
    ["chain", "x", "--max-tokens", "reader=x"],
    ["chain", "x", "--temperature", "boss=1"],
    ["chain", "x", "--seed", "x"],
    ["chain", "x", "--ideas", "0"],
    ["chain", "x", "--milestone", "-1"],
    ["chain", "x", "--novelty-rounds", "-4"],
    ["chain", "x", "--refinements", "9"],
    ["chain", "x", "--ban", "y" * 90000, "--branches", "0"],
    ["baseline", "rag", ""],
    ["baseline", "rag", "x", "--before", "2024-13-45"],
    ["real-paper", ""],
    ["real-paper", "10.1/none", "--source", "library"],
    ["refine", "--topic", ""],
    ["refine", "--topic", "x", "--indicator", "beauty"],
    ["refine", "--topic", "x", "--max-rounds", "0"],
    ["refine", "--topic", "x", "--max-rounds", "99"],
    ["refine", "--topic", "x", "--patience", "0"],
    ["refine", "--idea", "{nul.txt}"],
    ["refine", "--idea", "{empty.txt}"],
    ["refine", "--idea", "{bad.json}"],
    ["refine", "--idea", "{odd.json}"],
    ["refine", "--idea", "{big.txt}"],
    ["refine", "--idea", "{}"],
    ["refine", "--run", "zzz"],
    ["refine", "--topic", "x", "--ideas", "99"],
    ["refine", "--topic", "x", "--background", "-1"],
    ["refine", "--topic", "x", "--paper", "none"],
    ["refine", "--topic", "x", "--abstracts", "{nul.txt}"],
    ["refine", "--topic", "x", "--target", "{odd.json}"],
    ["refine", "--topic", "x", "--repeats", "0"],
    ["refine", "--topic", "x", "--printed", "--patience", "3"],
    ["refine", "--topic", "x", "--indicator", "own", "--trait", ""],
    ["refine", "--topic", "x", "--indicator", "", "--trait", "a"],
    ["refine", "--topic", "x", "--person", "judge"],
    ["refine", "--topic", "x", "--variant", "self-reflection", "--person", "optimizer"],
    ["branch", ended("refinement"), "--after", "99"],
    ["branch", ended("refinement"), "--after", "1", "--wish", ""],
    ["branch", ended("refinement"), "--after", "1", "--decline", "x:y"],
    ["branch", ended("refinement"), "--after", "1", "--rewrite", "0=nofile"],
    ["branch", ended("chain"), "--after", "1"],
    ["branch", ended("refinement"), "--after", "1", "--max-rounds", "0"],
    ["branch", ended("refinement"), "--after", "1", "--by", "", "--wish", "x"],
    ["wish", ended("refinement"), "--wish", "x"],
    ["wish", STOPPED, "--wish", "x", "--by", ""],
    ["wish", STOPPED, "--decline", "1"],
    ["wish", STOPPED, "--decline", ":"],
    ["wish", STOPPED, "--wish", "x" * 30000],
    ["wish", STOPPED, "--rewrite", "0={odd.json}"],
    ["note", ended("refinement"), "round-1/idea", ""],
    ["note", ended("refinement"), "round-1/idea", "x" * 99999],
    ["note", ended("refinement"), "nowhere", "x"],
    ["note", ended("refinement"), "round-1/idea", "x", "--by", ""],
    ["evolve"],
    ["evolve", "--topic", "x", "--steps", "0"],
    ["evolve", "--topic", "x", "--ideas", "99"],
    ["evolve", "--idea", "{empty.txt}"],
    ["evolve", "--idea", "{odd.json}"],
    ["evolve", "--topic", "x", "--review", "{nul.txt}"],
    ["evolve", "--topic", "x", "--before", "soon", "--model", M],
    ["evolve", "--question", "no", "--model", M, "--steps", "44"],
    ["checklist", "{odd.json}"],
    ["checklist", "{empty.txt}"],
    ["checklist", "{}"],
    ["checklist", "{num.json}"],
    ["decline", ended("evolution"), "--step", "9", "--item", "risk"],
    ["decline", ended("chain"), "--step", "0", "--item", "risk"],
    ["decline", KNOWN["evolution"]["stopped"][0], "--step", "0", "--item", "risk", "--by", ""],
    ["import-ideas", "{num.json}", "--collection", "c"],
    ["import-ideas", "{nul.txt}", "--collection", "c"],
    ["import-ideas", "{v.csv}", "--collection", "c", "--map", "text=z"],
    ["import-ideas", "{v.csv}", "--collection", "c", "--map", "idea.title=a"],
    ["import-ideas", "{v.csv}", "--collection", ""],
    ["import-ideas", "{v.csv}", "--collection", "x" * 999, "--map", "text=a"],
    ["import-ideas", "{v.csv}", "--collection", "c", "--map", "text=a", "--method", "x" * 9000],
    [
        "import-ideas",
        "{v.csv}",
        "--collection",
        "c",
        "--kind",
        "design",
        "--map",
        "text=a",
        "--map",
        "design.setup=b",
    ],
    ["import-ideas", "{}", "--collection", "c"],
    ["gather", "--collection", "c"],
    ["gather", "--collection", "c", "--run", "zz"],
    ["gather", "--collection", "c", "--idea", "zz"],
    ["collections", "--export", "zz"],
    ["collections", "--remove", "zz"],
    ["arena", "--collection", "zz"],
    ["arena"],
    ["arena", "--show", "zz"],
    ["arena", "--show", ended("chain")],
    ["arena", "--extend", ended("arena"), "--collection", "zz"],
    ["arena", "--extend", ended("arena"), "--judge", M],
    ["arena", "--extend", ended("arena"), "--judge", "zz"],
    ["arena", "--extend", ended("arena"), "--judge", ""],
    ["arena", "--add-votes", ended("arena"), "{v.csv}"],
    ["arena", "--add-votes", ended("arena"), "{nul.txt}"],
    ["arena", "--show", ended("arena"), "--criterion", "beauty"],
    ["arena", "--show", ended("arena"), "--to", "{}/x.pdf"],
    ["arena", "--show", ended("arena"), "--to", "{}/no/x.csv"],
    ["vote", ended("arena"), "--by", ""],
    ["vote", ended("arena"), "--by", "A", "--say", "x=2"],
    ["vote", ended("arena"), "--by", "A", "--say", "novelty=7"],
    ["vote", ended("arena"), "--by", "A" * 9999, "--say", "novelty=1"],
    ["vote", ended("arena"), "--by", "A", "--say", "novelty=1", "--why", "w" * 99999],
    ["arena", "--extend", ended("arena"), "--cap", "-3", "--judge", "openai:third"],
    ["experiment"],
    ["experiment", "--targets", "zz"],
    ["experiment", "--targets", "{num.json}"],
    ["experiment", "--targets", "{v.csv}"],
    ["experiment", "--targets", "{nul.txt}"],
    ["experiment", "--abstracts", "{empty.txt}"],
    ["extend", "zz"],
    ["extend", ended("chain")],
    ["extend", ended("experiment"), "--ideas", "99"],
    ["extend", ended("experiment"), "--repeats", "0"],
    ["extend", ended("experiment"), "--on", ""],
    ["extend", ended("experiment"), "--judge", "builtin"],
    ["extend", ended("experiment"), "--at-once", "0", "--estimate"],
    ["extend", ended("experiment"), "--area", "x" * 99999, "--estimate"],
    ["extend", ended("experiment"), "--name", " ", "--estimate"],
    ["extend", ended("experiment"), "--cap", "-3", "--estimate"],
    ["rank", "--ideas", "{empty.txt}"],
    ["rank", "--ideas", "{a.txt}", "--judge", M],
    ["rank", "--ideas", "{a.txt}", "{b.txt}", "--judge", M, "--repeats", "0"],
    ["rank", "--ideas", "{a.txt}", "{b.txt}", "--judge", M, "--judge", M],
    ["rank", "--ideas", "{a.txt}", "{odd.json}", "--judge", M],
    [
        "rank",
        "--ideas",
        "{a.txt}",
        "{b.txt}",
        "--judge",
        M,
        "--name",
        "x" * 99999,
        "--repeats",
        "99",
    ],
    ["rank", "--ideas", *["{a.txt}"] * 30, "--judge", M],
    ["candidates", "zz"],
    ["candidates", ended("chain"), "--branch", "9"],
    ["candidates", ended("chain"), "--paper", "zz"],
    ["find", ""],
    ["find", "x", "--before", "soon"],
    ["edit", ended("chain"), "--change", "zz"],
    ["edit", ended("chain"), "--change", "drop=zz"],
    ["edit", ended("chain"), "--change", "merge=x/9"],
    ["edit", ended("chain"), "--trend", "{bad.json}"],
    ["edit", ended("chain"), "--trend", "{num.json}"],
    ["edit", ended("chain"), "--direction", "{odd.json}"],
    ["edit", ended("chain"), "--direction", "{dir.json}"],
    ["edit", ended("rag"), "--grow"],
    ["question", "--topic", "", "--model", M],
    ["question", "--question", "short", "--model", M, "--before", "x"],
    ["dataset", "seeds", "--works", "0", "--model", M],
    ["dataset", "seeds", "--year", "9", "--model", M],
    ["dataset", "targets", "--each", "0", "--model", M],
    ["dataset", "targets", "--category", "zz", "--model", M],
    ["dataset", "targets", "--criteria", "{crit.json}", "--model", M],
    ["dataset", "targets", "--criteria", "{num.json}", "--model", M],
    ["dataset", "targets", "--criteria", "{bad.json}", "--model", M],
    ["dataset", "targets", "--at-once", "99", "--model", M],
    ["dataset", "export", "zz", "x.csv"],
    ["dataset", "export", ended("chain"), "{}/x.csv"],
    ["runs", "--limit", "-4"],
    ["runs", "--limit", "x"],
    ["show", "zz"],
    ["resume", "zz"],
    ["resume", ended("chain")],
    ["resume", KNOWN["chain"]["stopped"][0], "--cap", "-1"],
    ["resume", KNOWN["chain"]["stopped"][0], "--cap-tokens", "-1"],
    ["stop", "zz"],
    ["stop", ended("chain")],
    ["fork", "zz", "--at", "x"],
    ["fork", ended("chain"), "--at", "zz"],
    ["fork", ended("chain"), "--at", "map/plane", "--prompt", "zz"],
    ["fork", ended("chain"), "--at", "map/plane", "--prompt", "idea=nofile"],
    ["fork", ended("chain"), "--at", "map/plane", "--model", "zz"],
    ["answer", "zz", "k", "--confirm"],
    ["answer", WAITING, "k", "--confirm"],
    ["answer", WAITING, "branch-1/idea-1/direction", "--with", '{"direction": 3}'],
    ["answer", WAITING, "branch-1/idea-1/direction", "--with", "nope"],
    ["answer", WAITING, "branch-1/idea-1/direction", "--confirm", "--by", ""],
    ["export", "zz", "--to", "x.md"],
    ["export", ended("chain"), "--to", "{}/x.zzz"],
    ["export", ended("chain"), "--to", "/nonexistent/x.md"],
    ["export", ended("chain"), "--to", "{}/x.md", "--branch", "9"],
    ["models", "--test", "--model", "zz"],
    ["study", "new", "--task", "rate"],
    ["study", "new", "--task", "rate", "--collection", "zz"],
    ["study", "new", "--task", "rank", "--ranking", ended("ranking"), "--overlap", "0"],
    ["study", "new", "--task", "rank", "--ranking", ended("ranking"), "--per-set", "99"],
    ["study", "new", "--task", "rank", "--ranking", ended("ranking"), "--criterion", "zz"],
    ["study", "new", "--task", "rank", "--ranking", ended("ranking"), "--repeats", "-1"],
    ["study", "new", "--task", "rank", "--ranking", ended("ranking"), "--name", "x" * 9999],
    ["study", "new", "--task", "rank", "--ranking", ended("ranking"), "--title", ""],
    ["study", "new", "--task", "rank", "--ranking", ended("ranking"), "--consent", "{nul.txt}"],
    ["study", "new", "--task", "rank", "--ranking", ended("ranking"), "--draw", "-1"],
    ["study", "new", "--task", "comment", "--run", "zz"],
    ["study", "show", "zz"],
    ["study", "seats", "zz", "--add", "x"],
    ["study", "link", "zz"],
    ["study", "judge", "zz"],
    ["study", "live", "zz"],
    ["study", "agreement", "zz"],
    ["study", "export", "zz", "--to", "{}/zz"],
    ["study", "unblind", "zz", "--by", ""],
    ["study", "forms", "--collection", "zz"],
    ["agreement", "{num.json}"],
    ["agreement", "{nul.txt}"],
    ["agreement", "{v.csv}", "--scale", "x"],
    ["agreement", "{}"],
    ["bench"],
    ["bench", "--models", "zz"],
    ["bench", "--models", M, "--ideas", "99"],
    ["bench", "--models", M, "--temperature", "9"],
    ["bench", "--models", M, "--max-tokens", "-1"],
    ["bench", "--models", M, "--judges-each", "0"],
    ["bench", "--models", M, "--keywords", "{bad.json}"],
    ["bench", "--models", M, "--name", "x" * 9999, "--limit", "1", "--asked-words", "0"],
    ["bench", "--models", M, "--most-words", "-1"],
    ["bench", "--models", M, "--ranking", "{num.json}"],
    ["bench", "--models", M, "--calls", "openai=x"],
    ["bench", "status", "zz"],
    ["bench", "report", "zz", "--to", "{}/r"],
    ["bench", "resume", "zz"],
    ["bench", "again", ended("benchmark")],
    ["bench", "extend", ended("benchmark"), "--ideas", "0"],
    ["bench", "extend", ended("benchmark"), "--models", M],
    ["bench", "validate", ended("benchmark")],
    ["bench", "validate", ended("benchmark"), "--ratings", "{num.json}"],
    ["pack", "zz", "--to", "{}/p.json"],
    ["pack", ended("benchmark"), "--to", "{}/p.json"],
    ["pack", ended("chain"), "--to", "/none/p.json"],
    ["pack", ended("chain"), "--to", "{}/p.json", "--by", "x" * 9999],
    ["open", "{bad.json}"],
    ["open", "{nul.txt}"],
    ["open", "zz"],
    ["open", "{}"],
    ["close", "zz"],
    ["close", ended("chain")],
    ["import", "{nul.txt}"],
    ["import", "{}"],
    ["import", "{bad.json}"],
    ["import", "{empty.txt}", "--source", "zz"],
    ["attach", "zz", "{nul.txt}", "--source", "library"],
    ["zz"],
    [],
    ["chain", "x", "--cap", "inf"],
    ["resume", STOPPED, "--cap", "nan"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("mistakes")
    with (
        gzip.open(stored.HERE / "edition-2.db.gz") as packed,
        (place / "foundry.db").open("wb") as whole,
    ):
        shutil.copyfileobj(packed, whole)
    (place / "files").mkdir()
    for name, data in FILES.items():
        (place / "files" / name).write_bytes(data)
    return place


@pytest.fixture(autouse=True)
def nobody_answers(monkeypatch):
    monkeypatch.setattr("core.literature.embeddings.Embedder", lambda _: WordEmbedder())
    for name, value in {
        "OPENAI_API_KEY": "sk-x",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "FOUNDRY_PATIENCE": "0",
        "OLLAMA_HOST": "127.0.0.1:9",
        "FOUNDRY_OPENALEX_URL": "http://127.0.0.1:9",
        "FOUNDRY_SEMANTIC_SCHOLAR_URL": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)


VERBS = list(dict.fromkeys(words[0] if words else "" for words in MISTAKES))


@pytest.mark.parametrize("verb", VERBS)
def test_a_mistake_is_told_in_a_sentence_of_ours_with_exit_code_2(verb, folder, capsys):
    for words in (one for one in MISTAKES if (one[0] if one else "") == verb):
        given = [
            re.sub(r"\{([\w.]*)\}", lambda found: str(folder / "files" / found[1]), word)
            for word in words
        ]
        code = main([*given, "--data", str(folder)])
        out, err = capsys.readouterr()
        as_json = main([*given, "--data", str(folder), "--json"])
        document = json.loads(capsys.readouterr().out)
        said = f"{out}{err}{json.dumps(document, ensure_ascii=False)}"
        assert (code, as_json) == (2, 2), (words, said[:500])
        assert not THEIRS.search(said), (words, said[:800])
        assert (
            document.get("reason")
            or document.get("votes")
            or document.get("counts")
            or document.get("imports")
            or document.get("gathered")
        ), words


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WORKERS", "0"),
        ("WORKERS", "many"),
        ("RESUME", "maybe"),
        ("PATIENCE", "nan"),
        ("PASSWORD", "x"),
        ("PDF_HOSTS", "x"),
        ("ORGANISERS", "y"),
    ],
)
def test_a_setting_that_cannot_be_is_told_so_too(name, value, folder, capsys, monkeypatch):
    monkeypatch.setenv(f"FOUNDRY_{name}", value)
    assert main(["runs", "--data", str(folder)]) == 2
    said = capsys.readouterr().err
    assert (f"FOUNDRY_{name} is not usable" in said, THEIRS.search(said)) == (True, None)


def test_the_help_tells_only_of_temperature_what_it_is_by_default(capsys):
    with pytest.raises(SystemExit):
        main(["chain", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    room = told.split("--max-tokens [WHO=]N", 2)[-1].split("--seed")[0]
    assert "Judges and readers are asked at 0 by default" in told
    assert "asked at 0" not in room


def test_what_turns_the_direction_of_writing_reaches_no_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("FOUNDRY_DATA", str(tmp_path))
    assert main(["open", str(tmp_path / "a\u202eb\u2066c\u200fd.json")]) == 2
    assert "a\ufffdb\ufffdc\ufffdd.json" in capsys.readouterr().err
