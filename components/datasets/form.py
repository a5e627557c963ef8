"""Building a data set: published papers as targets by criteria one can edit, or research questions
from works sampled at random.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from components.experiments import address
from components.runs import starting
from components.runs.asking import cap_usd
from components.runs.models import called, known_models
from components.shell import services
from components.shell.frame import told
from core.errors import BadInput
from core.literature import label
from core.methods.criteria import CATEGORIES
from core.methods.real_papers import RealPapersInputs
from core.methods.seed_dataset import SeedInputs
from core.methods.target_dataset import TargetInputs
from core.models.port import Model
from core.records import Category, Criteria, Record
from core.runs.catalogue import METHODS
from core.runs.estimates import estimate
from core.runs.planning import validated
from core.runs.workshop import DEFAULT_TOKENS

TARGETS, QUESTIONS, TOPICS = "Target papers", "Research questions", "Topics of papers"
SERVICES = {
    TARGETS: ("semantic-scholar|openalex",),
    QUESTIONS: ("openalex|semantic-scholar", "semantic-scholar|openalex"),
    TOPICS: ("semantic-scholar|openalex", "openalex|semantic-scholar", "shelf"),
}
"""Sources that can list papers by criteria, those that can draw works at random, and those that
know papers by their ids.
"""
ABOUT = {
    TARGETS: (
        "Published papers whose ideas compete as the human targets, with the abstracts of what they"
        " cite as background."
    ),
    QUESTIONS: (
        "Questions that sampled works raise, each with its papers and a review of them: what a"
        " checklist evolution starts from."
    ),
    TOPICS: (
        "Topic, idea and experiment of published papers, for the recipes of Chain of Ideas. You"
        " confirm the topics of all at once before the list is frozen."
    ),
}
BY_IDS, BY_WINDOW = "By their ids", "By dates and words"
TYPES = (
    "Review",
    "Editorial",
    "Dataset",
    "News",
    "LettersAndComments",
    "Book",
    "BookSection",
    "Conference",
    "CaseReport",
    "MetaAnalysis",
    "Study",
    "ClinicalTrial",
    "JournalArticle",
)
"""Publication types as Semantic Scholar names them."""
Rows = list[dict[str, Any]]


def draw() -> None:
    """Draw the choice of a data set to build, with what it would take; starting opens it."""
    kind = (
        st.segmented_control(
            "What to gather",
            list(ABOUT),
            default=TARGETS,
            key="datasets:kind",
            required=True,
            persist_state="session",
        )
        or TARGETS
    )
    st.caption(ABOUT[kind])
    with told():
        inputs: TargetInputs | SeedInputs | RealPapersInputs
        if kind == TARGETS:
            method, inputs = "target-dataset", _targets()
            categories = ", ".join(one.name for one in inputs.criteria.categories)
            title = f"Targets of {inputs.criteria.year}: {categories}"
        elif kind == TOPICS:
            papers = _real_papers()
            if papers is None:
                return
            method, inputs, title = "real-papers", papers, papers.topic
        else:
            method, inputs = "seed-dataset", _questions()
            title = f"{inputs.works} questions from works of {inputs.year}"
        frozen = _frozen(kind, method, inputs)
        if st.button("Build it", type="primary", icon=":material/play_arrow:", key="datasets:go"):
            name = frozen["models"]["main"]
            must_understand(method, services.workshop().model(name), name)
            run = starting.once(
                "datasets",
                [method, inputs.model_dump(mode="json"), str(frozen)],
                partial(services.begin, method, inputs, title[:200], **frozen),
            )
            address.go_to(run.id)


def _targets() -> TargetInputs:
    """Draw the criteria and return what is looked for; raises BadInput."""
    places = st.columns(5, vertical_alignment="bottom")
    year = starting.number(places[0], "Year", (Criteria, "year"), "datasets:year")
    each = starting.number(places[1], "Targets per category", (Criteria, "each"), "datasets:each")
    venue = starting.number(
        places[2],
        "Minimum citations, leading venue",
        (Criteria, "in_venue"),
        "datasets:in-venue",
        help="Citations needed if published in one of the category's leading venues.",
    )
    anywhere = starting.number(
        places[3],
        "Minimum citations, any venue",
        (Criteria, "anywhere"),
        "datasets:anywhere",
        help="Citations needed wherever it was published.",
    )
    background = starting.number(
        places[4],
        "Abstracts as background",
        (Criteria, "background"),
        "datasets:background",
        help="Of what a paper cites, at most.",
    )
    without = st.multiselect(
        "Left out",
        TYPES,
        default=Criteria.model_fields["without"].default,
        key="datasets:without",
        persist_state="session",
        select_all=False,
    )
    rows = st.data_editor(
        [row_of(one) for one in CATEGORIES],
        num_rows="dynamic",
        key="datasets:categories",
        hide_index=True,
        column_config={
            "Category": st.column_config.TextColumn(required=True),
            "Words": st.column_config.TextColumn(
                required=True, help="In the source's own search syntax."
            ),
            "Fields": st.column_config.TextColumn(
                help=(
                    "Fields of study as Semantic Scholar names them, a comma between; empty for"
                    " any."
                )
            ),
            "Leading venues": st.column_config.TextColumn(
                help="A semicolon between.", width="large"
            ),
        },
        alt="Categories: name, words, fields of study and leading venues",
    )
    st.caption(
        "Each category is a row: change its words, fields and venues, add a row, or take one out."
        " The names are the paper's (InfAL, section 4.1); words and venues are ours."
    )
    wanted = validated(
        Criteria,
        year=year,
        each=each,
        in_venue=venue,
        anywhere=anywhere,
        background=background,
        without=tuple(without),
        categories=tuple(category_of(row) for row in rows),
    )
    names = [one.name.casefold() for one in wanted.categories]
    if len(set(names)) < len(names):
        raise BadInput("Two categories have the same name. Give each its own.")
    return TargetInputs(criteria=wanted)


def row_of(one: Category) -> dict[str, str]:
    """Return a category as a row of the table."""
    return {
        "Category": one.name,
        "Words": one.query,
        "Fields": ", ".join(one.fields),
        "Leading venues": "; ".join(one.venues),
    }


def category_of(row: Mapping[str, Any]) -> Category:
    """Return the category a row tells; raises BadInput."""
    columns = ("Category", "Words", "Fields", "Leading venues")
    name, query, fields, venues = (str(row.get(column) or "").strip() for column in columns)
    if not name or not query:
        raise BadInput(
            "A category needs a name, and words its papers hold. Fill in the row, or take it out."
        )
    return Category(name=name, query=query, fields=_split(fields, ","), venues=_split(venues, ";"))


def _split(text: str, between: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(between) if part.strip())


def _questions() -> SeedInputs:
    """Draw what is sampled and return it; raises BadInput."""
    places = st.columns(4)
    works = starting.number(
        places[0],
        "Works",
        (SeedInputs, "works"),
        "datasets:works",
        value=20,
        help="The paper samples 1,000.",
    )
    year = starting.number(
        places[1], "Year of the works", (SeedInputs, "year"), "datasets:seed-year"
    )
    seed = starting.number(
        places[2],
        "Seed of the sample",
        (SeedInputs, "sample_seed"),
        "datasets:sample-seed",
        help="The same seed and number give the same works.",
    )
    before = places[3].text_input(
        "Only papers before",
        key="datasets:before",
        persist_state="session",
        placeholder="YYYY-MM-DD",
    )
    return validated(SeedInputs, works=works, year=year, sample_seed=seed, before=before or None)


def _real_papers() -> RealPapersInputs | None:
    """Draw which papers are read and return it, or say what is to be told first; raises
    BadInput.
    """
    name = starting.name("datasets:papers-name")
    way = st.segmented_control(
        "Which papers",
        [BY_IDS, BY_WINDOW],
        default=BY_IDS,
        key="datasets:papers-way",
        required=True,
        persist_state="session",
    )
    given: dict[str, Any] = {}
    if way == BY_WINDOW:
        left, middle, right = st.columns(3)
        for place, field, label_ in ((left, "since", "From"), (middle, "until", "To")):
            typed = place.text_input(
                label_, key=f"datasets:{field}", persist_state="session", placeholder="YYYY-MM-DD"
            )
            given[field] = (typed or "").strip() or None
        given["most"] = starting.number(
            right, "Papers at most", (RealPapersInputs, "most"), "datasets:most"
        )
        words = st.text_input(
            "Words of title or abstract", key="datasets:words", persist_state="session"
        )
        venues = st.text_input(
            "Venues, a semicolon between; empty for any",
            key="datasets:venues",
            persist_state="session",
        )
        given |= {"words": (words or "").strip(), "venues": _split(venues or "", ";")}
        if not (given["since"] or given["until"] or given["words"]):
            st.caption("Say from which day to which, and words that title or abstract hold.")
            return None
    else:
        typed = st.text_area(
            "Papers, an id on each line",
            key="datasets:ids",
            height=160,
            persist_state="session",
            placeholder="10.48550/arXiv.2410.13185",
            help="DOIs, arXiv ids, or ids of the source. What follows a # is not read.",
        )
        lines = (line.partition("#")[0].strip() for line in (typed or "").splitlines())
        given["ids"] = tuple(filter(None, lines))
        if not given["ids"]:
            st.caption("Say which papers: an id on each line.")
            return None
    given["full_text"] = st.checkbox(
        "Read open-access PDFs whole, not only the abstracts",
        True,
        key="datasets:full-text",
        persist_state="session",
    )
    return validated(RealPapersInputs, topic=name.strip() or "Topics of papers", **given)


def _frozen(kind: str, method: str, inputs: Record) -> dict[str, Any]:
    """Draw model, source and caps, and what it takes with them; return what to freeze."""
    chosen, (left, middle, right, far) = services.workshop().chosen("main"), st.columns(4)
    offered = list(dict.fromkeys([chosen, *known_models("main")]))
    model = str(
        left.selectbox(
            "Model",
            offered,
            key="datasets:model",
            accept_new_options=True,
            format_func=called,
            persist_state="session",
            help="One of those that were found, or type provider:model.",
        )
    )
    source = middle.selectbox(
        "Source",
        SERVICES[kind],
        key=f"datasets:source:{kind}",
        format_func=label,
        persist_state="session",
    )
    tokens = right.number_input(
        "Cap, tokens",
        0,
        None,
        DEFAULT_TOKENS,
        step=100_000,
        key="datasets:tokens",
        persist_state="session",
    )
    usd = cap_usd("datasets:usd", "Cap, $", far, step=1.0)
    guess = estimate(method, inputs.model_dump(mode="json"), {"main": model})
    starting.estimated(guess, tokens or None, usd)
    if tokens and guess.tokens > tokens:
        st.caption("A data set of 1,000 works takes about 9 million tokens.")
    with starting.warned():
        must_understand(method, services.workshop().model(model), model)
    return {
        "models": {"main": model},
        "source": source,
        "cap_tokens": tokens or None,
        "cap_usd": usd,
    }


def must_understand(method: str, model: Model, name: str) -> None:
    """Raise BadInput for a model that cannot do what the method asks."""
    if any(not model.answers(prompt) for prompt in METHODS[method].prompts):
        raise BadInput(
            f"{METHODS[method].label} takes a model that understands what it reads, and"
            f" {called(name)} does not. Choose a language model here, or in Settings."
        )
