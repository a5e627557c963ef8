"""The panel's rules, checked on the paper's own panel, and the general ranking somebody brings
in.
"""

import csv

import pytest

from core.benchmark.panel import base, check_panel, form_panel, organisation, panelists, seats
from core.errors import BadInput
from core.importing.rankings import general_ranking
from core.records import Entrant, Panelist
from tests import ROOT

CRITICS = (
    "claude-3.5-sonnet",
    "claude-3.7-sonnet:thinking",
    "deepseek-chat",
    "deepseek-r1",
    "gemini-2.0-flash-thinking-exp",
    "gemini-2.0-pro-exp-02-05",
    "gpt-4.5-preview",
    "o3-mini-high",
    "qwen-max",
    "qwq-32b",
)
"""The models with critic energy in supplementary table 4."""
RANKED = tuple(
    Panelist(model=model, organisation=organisation(model), base=base(model), rank=float(80 - n))
    for n, model in enumerate(CRITICS)
)


def rules(notes, kept=False):
    return {(note.rule, note.model) for note in notes if note.kept is kept}


def ranked(*names):
    return tuple(
        one.model_copy(update={"rank": 90.0 - n}) for n, one in enumerate(panelists(names))
    )


def test_the_papers_panel_keeps_the_rules():
    notes = check_panel(RANKED, [Entrant(model=model) for model in CRITICS])
    assert [note for note in notes if not note.kept] == []
    assert rules(notes, kept=True) == {("own ideas", model) for model in CRITICS}


def test_without_ranks_nothing_says_that_the_panel_is_the_best():
    (note,) = check_panel(panelists(CRITICS), ())
    assert (note.rule, note.model, note.kept) == ("rank", "", None)


@pytest.mark.parametrize(
    ("added", "rule"),
    [
        ("claude-3.7-sonnet", "base"),
        ("claude-3.7-sonnet", "organisation"),
        ("o3-mini", "base"),
        ("o3-mini", "organisation"),
    ],
)
def test_a_variant_more_is_refused_by_the_name_of_the_rule(added, rule):
    notes = check_panel((*RANKED, panelists((added,))[0].model_copy(update={"rank": 10.0})), ())
    assert (rule, added) in rules(notes)
    assert {name for _, name in rules(notes)} == {added, ""}
    assert "The panel has 11 judges; the paper's has 10." in [note.said for note in notes]


def test_seats_of_one_organisation():
    assert [seats(size) for size in (1, 3, 5, 9, 10, 15, 30)] == [1, 1, 1, 1, 2, 3, 6]


def test_a_panel_is_the_top_of_the_ranking_under_the_rules():
    order = (
        "claude-3.7-sonnet:thinking",
        "claude-3.7-sonnet",
        "o3-mini-high",
        "o3-mini",
        "claude-3.5-sonnet",
        "claude-3-opus",
        "gpt-4o",
        "gpt-4.5-preview",
        "qwq-32b",
        "qwen-max",
        "deepseek-r1",
        "gemini-2.0-pro-exp-02-05",
        "grok-2-1212",
        "phi-4",
        "nova-pro-v1",
    )
    panel, notes = form_panel((*ranked(*order), *panelists(("mistral-large-2411",))))
    assert [one.model for one in panel] == [
        "claude-3.7-sonnet:thinking",
        "o3-mini-high",
        "claude-3.5-sonnet",
        "gpt-4o",
        "qwq-32b",
        "qwen-max",
        "deepseek-r1",
        "gemini-2.0-pro-exp-02-05",
        "grok-2-1212",
        "phi-4",
    ]
    assert rules(notes, kept=True) == {
        ("base", "claude-3.7-sonnet"),
        ("base", "o3-mini"),
        ("organisation", "claude-3-opus"),
        ("organisation", "gpt-4.5-preview"),
    }
    assert all(one.model in note.said for one in panel for note in notes if note.model == one.model)
    assert [note for note in check_panel(panel, (), ranked(*order)) if not note.kept] == []


def test_the_order_of_the_ranking_decides_and_not_that_of_its_rows():
    assert (
        form_panel(ranked("o3-mini-high", "o3-mini", "phi-4")[::-1], 2)[0]
        == ranked("o3-mini-high", "x", "phi-4")[::2]
    )


def test_seats_that_cannot_be_filled_are_said_and_nobody_without_a_rank_fills_them():
    panel, notes = form_panel((*ranked("gpt-4o", "o1"), *panelists(("phi-4",))), 3)
    assert [one.model for one in panel] == ["gpt-4o"]
    assert rules(notes, kept=True) == {("organisation", "o1"), ("rank", "phi-4")}
    assert rules(notes) == {("size", "")}


def test_a_judge_below_others_is_said():
    ranking = ranked("claude-3.7-sonnet", "grok-2-1212", "phi-4")
    assert rules(check_panel((ranking[0], ranking[2]), (), ranking)) == {
        ("size", ""),
        ("rank", "phi-4"),
    }
    (note,) = [
        note for note in check_panel((ranking[0], ranking[2]), (), ranking) if note.rule == "rank"
    ]
    assert (
        note.said
        == "phi-4 (88) is not among the best 2 that the rules allow; grok-2-1212 (89) would be."
    )


def test_an_unknown_maker_is_said_and_never_counted_with_others():
    notes = check_panel(ranked("openai:my-model", "openai:other-model"), ())
    assert ("organisation", "") in rules(notes, kept=None)
    assert not any(note.rule == "organisation" and note.kept is False for note in notes)


def test_who_judges_ideas_of_whom_is_explained():
    notes = check_panel(
        ranked("openrouter:anthropic/claude-3.7-sonnet:thinking", "openrouter:openai/gpt-4o"),
        [Entrant(model="openai:gpt-4o"), Entrant(model="anthropic:claude-3-7-sonnet-20250219")],
    )
    own = {note.model: note.said for note in notes if note.rule == "own ideas"}
    assert "never judges those" in own["openrouter:openai/gpt-4o"]
    assert "the same base model" in own["openrouter:anthropic/claude-3.7-sonnet:thinking"]


def test_every_model_of_the_paper_has_the_organisation_the_paper_names():
    makers = {
        "claude": "Anthropic",
        "o1": "OpenAI",
        "o3": "OpenAI",
        "gpt": "OpenAI",
        "gemin": "Google",
        "gemma": "Google",
        "qw": "Qwen",
        "deepseek": "DeepSeek",
        "llama": "Meta",
        "mistral": "Mistral",
        "nova": "Amazon",
        "step": "StepFun",
        "grok": "xAI",
        "phi": "Microsoft",
    }
    with (ROOT / "assets" / "benchmark" / "table3.csv").open() as lines:
        models = [row["model"] for row in csv.DictReader(lines)]
    assert len(models) == 41
    assert {model: organisation(model) for model in models} == {
        model: next(made for begins, made in makers.items() if model.startswith(begins))
        for model in models
    }


@pytest.mark.parametrize(
    ("model", "made"),
    [
        ("openrouter:x-ai/grok-4", "xAI"),
        ("openrouter:nousresearch/hermes-3-llama-3.1-405b", "nousresearch"),
        ("google_genai:learnlm", "Google"),
        ("anthropic:latest", "Anthropic"),
        ("openai:llama3.2:3b", "Meta"),
        ("ollama:my-own", ""),
        ("openai:house-model", ""),
        ("gpt-j-6b", ""),
        ("builtin", ""),
        ("llama-3.1-nemotron-70b-instruct", "NVIDIA"),
        ("o365-helper", ""),
    ],
)
def test_a_name_tells_who_made_a_model_or_does_not(model, made):
    assert organisation(model) == made


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("o3-mini-high", "o3-mini"),
        ("openai:o3-mini-2025-01-31-high", "o3-mini"),
        ("o3-mini (high)", "o3-mini"),
        ("claude-3-7-sonnet-20250219-thinking-64k", "claude-3.7-sonnet"),
        ("openrouter:anthropic/claude-3.7-sonnet:thinking", "claude-3.7-sonnet"),
        ("gpt-4o-2024-11-20", "gpt-4o"),
        ("gpt-4-0613", "gpt-4"),
        ("mistral-medium-latest", "mistral-medium"),
        ("phi-3-medium", "phi-3-medium"),
        ("qwen-max", "qwen-max"),
        ("grok-4-fast-non-reasoning", "grok-4-fast"),
        ("gemini-2.0-flash-thinking-exp-1219", "gemini-2.0-flash-exp"),
        ("ollama:qwen3:8b", "qwen3-8b"),
        ("gpt-5-minimal", "gpt-5"),
        ("llama-3.1-405b-instruct", "llama-3.1-405b-instruct"),
        ("deepseek/deepseek-r1:free", "deepseek-r1"),
        ("o1", "o1"),
        ("high", "high"),
    ],
)
def test_a_base_model_is_the_name_without_date_and_effort(model, name):
    assert base(model) == name


RANKING = (
    "Score;Organization;Model\n"
    "71,5;;claude-3.7-sonnet:thinking\n"
    "75;House;o3-mini-high\n"
    "60.25%;;gpt-4o-2024-05-13\n"
    "61;;gpt-4o-2024-11-20\n"
)


def test_a_ranking_is_read_by_the_names_of_its_columns():
    found = general_ranking(RANKING.encode("utf-16"), "ranking.csv")
    assert [(one.model, one.rank, one.organisation, one.base) for one in found] == [
        ("o3-mini-high", 75.0, "House", "o3-mini"),
        ("claude-3.7-sonnet:thinking", 71.5, "Anthropic", "claude-3.7-sonnet"),
        ("gpt-4o-2024-11-20", 61.0, "OpenAI", "gpt-4o"),
        ("gpt-4o-2024-05-13", 60.25, "OpenAI", "gpt-4o"),
    ]


def test_models_are_looked_up_in_a_ranking_and_never_guessed_into_it():
    ranking = general_ranking(RANKING.encode(), "ranking.csv")
    names = (
        "openai:o3-mini-high",
        "openai:o3-mini",
        "openrouter:anthropic/claude-3.7-sonnet:thinking",
        "openai:gpt-4o",
        "openai:gpt-4o-2024-11-20",
    )
    assert [one.rank for one in panelists(names, ranking)] == [75.0, None, 71.5, None, 61.0]
    assert panelists(names, ranking)[0].organisation == "House"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("model,rank\na,1\n", "no column 'score'.*counts the other way"),
        ("score,x\n1,2\n", "no column 'model', but 'score', 'x'"),
        ("", "is empty"),
        ("model,score\n", "names no model"),
        (
            "model,score\na,high\n",
            "line 2: the score of 'a' cannot be used: 'high' is not a number",
        ),
        ("model,score\na,\n", "line 2: 'a' has no score"),
        ("model,score\na,1\nA,2\n", "line 3: 'A' is there twice"),
        ("model,score\n,2\n", "no model is named"),
        ("model,score\n=cmd(),2\n", "is a formula"),
        ("model,score\na,nan\n", "has no score"),
        ("model,score\na,1e999\n", "not a number"),
        ('model,score\n"a,1\n', "line 2: A quotation mark"),
        (f"model,score\n{'x' * 201},1\n", "more than 200 characters"),
        ("model,score\n" + "".join(f"m{n},{n}\n" for n in range(2_001)), "more than 2,000 models"),
    ],
)
def test_a_ranking_that_cannot_be_used_says_what_to_do(data, said):
    with pytest.raises(BadInput, match=said):
        general_ranking(data.encode(), "ranking.csv")


def test_points_of_thousands_are_refused_and_decimals_are_not():
    with pytest.raises(BadInput, match=r"'1\.250' stands beside '987'"):
        general_ranking(b"model,elo\na,1.250\nb,987\nc,1.101\n", "ranking.csv")
    found = general_ranking(b"model,score\na,71.123\nb,100\nc,1.101\n", "ranking.csv")
    assert [one.rank for one in found] == [100.0, 71.123, 1.101]


@pytest.mark.parametrize("begins", [0, 1])
def test_a_column_that_numbers_the_rows_is_no_score(begins):
    rows = [("gpt-x", 1_500), ("claude-y", 1_490), ("llama-z", 1_200)]
    for named, best in (("score", "gpt-x"), ("arena 2026", None)):
        lines = [f"{n},{model},{score}" for n, (model, score) in enumerate(rows, begins)]
        data = "\n".join((f"index,model,{named}", *lines)).encode()
        if best:
            assert general_ranking(data, "ranking.csv")[0].model == best
        else:
            with pytest.raises(BadInput, match="no column 'score'"):
                general_ranking(data, "ranking.csv")
