"""The frame of every page: its name, the menu, and errors as sentences."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple

import streamlit as st

from components.access import entrance
from components.shell import notices, search, top
from components.shell.text import inline
from core.errors import FoundryError, StoreFailed

LOGO = str(Path(__file__).parents[2] / "assets/logo.svg")
SIDEBAR = 210
"""Width of the menu in pixels; 200 is the least Streamlit takes."""
LEGIBLE = """<style>
    button[data-selected=true], [role=tab], button[aria-haspopup][aria-expanded=true],
    button[kind=tertiary]:active { color: inherit !important; }
    :is(a, button, summary, [role=tab], [data-testid=stSidebarContent]):focus-visible,
    label:has(:focus-visible) {
        outline: 2px solid currentColor !important; outline-offset: 1px;
    }
    :is(button, [data-testid=stSidebarContent]):focus-visible { outline-offset: -3px; }
    :is(.stMain, [role=dialog]) [data-testid=stPageLink-NavLink]:not(:hover, :active) {
        background: none !important;
    }
    .stMain:focus-visible::before { content: none !important; }
    [data-testid=stPageLink-NavLink] { color: inherit; }
    :is(.stMain, [role=dialog]) [data-testid=stPageLink-NavLink] p {
        font-weight: inherit !important;
    }
    .stMain [data-testid=stMarkdownContainer] > :is(p, ul, ol) { max-width: 60rem; }
    [data-testid=stSidebarHeader] { margin-bottom: 0; height: 2.75rem; padding-top: .5rem; }
    [data-testid=stSidebarUserContent] .st-key-search-open button {
        min-height: 2rem; padding: 0 .5rem;
    }
    [data-testid=stSidebarUserContent] [data-testid=stVerticalBlock] { gap: .25rem; }
    [data-testid=stSidebarUserContent] [data-testid=stCaptionContainer] { margin-top: .2rem; }
    @media (max-width: 640px) {
        [data-testid=stElementContainer]:has([data-testid=stPlotlyChart]) { overflow: auto hidden; }
        [data-testid=stElementContainer] > :has(> [data-testid=stPlotlyChart]) {
            min-width: 640px;
        }
    }
</style>"""
"""What no setting of the theme reaches (Streamlit 1.67). A chosen segment or tab is written in the
primary colour, which on dark cannot be legible both there and under the white of a button; an open
or pressed button without a border is written darker still; and where the keyboard is shows by a
faint shade alone. A button's line is inside, where its words can be read; the page as a whole,
which has the focus after a skip to it or a search, is not framed. And a link to another address of
the same page is drawn as the menu draws the page one is on. No line of a text is longer than at
1280 pixels, however wide the window. The whole menu is to be seen at a height of 720
pixels. On a phone a chart keeps the width that the names in it need, and is moved sideways.
"""

WAS = "frame:was"
"""The page that was drawn last, and its address then."""
VISIT = "frame:visit"
"""How many pages were come to so far."""


class Page(NamedTuple):
    path: str
    title: str
    icon: str
    about: str
    group: str = ""
    """What a person does there; the menu stands in such groups."""
    chapter: str = ""
    """The chapter of the guide that tells of it."""


MENU = (
    Page(
        "app.py",
        "Home",
        ":material/home:",
        "From a topic to research ideas worth working on, with the papers each grew out of and what"
        " speaks for its being new.",
        chapter="start",
    ),
    Page(
        "pages/shortlist.py",
        "Shortlist",
        ":material/filter_alt:",
        "From a topic to the few ideas worth a month: explored, refined, checked and compared, in"
        " one run.",
        "Create",
        chapter="shortlist",
    ),
    Page(
        "pages/chains.py",
        "Chains",
        ":material/timeline:",
        "See how the ideas on a topic grew out of one another, and what comes next.",
        "Create",
        chapter="chains",
    ),
    Page(
        "pages/refine.py",
        "Refine",
        ":material/cyclone:",
        "Generator, optimizer and discriminator improve an idea, round by round.",
        "Create",
        chapter="refine",
    ),
    Page(
        "pages/checklist.py",
        "Checklist",
        ":material/checklist_rtl:",
        "Nine items judged one by one, a directive for each that fails, and the next version.",
        "Create",
        chapter="checklist",
    ),
    Page(
        "pages/novelty.py",
        "Novelty",
        ":material/travel_explore:",
        "Whether an idea is new: claim by claim, who had it first, in whose words, and how much was"
        " seen.",
        "Judge",
        chapter="chains",
    ),
    Page(
        "pages/rate.py",
        "Rate",
        ":material/star:",
        "Rate ideas from 1 to 10, or rank them by hand; every answer is kept.",
        "Judge",
        chapter="rate-and-rank",
    ),
    Page(
        "pages/ranking.py",
        "Ranking",
        ":material/format_list_numbered:",
        "Ideas ranked blind, by models or by hand; with a published one, where it stands among"
        " them.",
        "Judge",
        chapter="rate-and-rank",
    ),
    Page(
        "pages/arena.py",
        "Arena",
        ":material/compare_arrows:",
        "Methods compared pair by pair on the same topics, by models and by people, sources"
        " hidden.",
        "Judge",
        chapter="arena",
    ),
    Page(
        "pages/sessions.py",
        "Sessions",
        ":material/groups:",
        "Experts rate, rank, compare and comment on ideas, blind; and how far they agree.",
        "Judge",
        chapter="sessions",
    ),
    Page(
        "pages/experiments.py",
        "Experiments",
        ":material/science:",
        "Many methods, models, qualities and targets in one experiment that can be stopped and"
        " resumed.",
        "Measure",
        chapter="measure",
    ),
    Page(
        "pages/benchmark.py",
        "Benchmark",
        ":material/leaderboard:",
        "Ideas from one keyword, judged by a panel of models on five dimensions.",
        "Measure",
        chapter="measure",
    ),
    Page(
        "pages/training.py",
        "Training",
        ":material/model_training:",
        "A small model learns to write better ideas from the checklist's rewards and directives.",
        "Measure",
        chapter="training",
    ),
    Page(
        "pages/ideas.py",
        "Ideas",
        ":material/lightbulb:",
        "All ideas, kept, written and imported, with where each came from.",
        "Keep",
        chapter="ideas",
    ),
    Page(
        "pages/library.py",
        "Library",
        ":material/menu_book:",
        "Papers your runs found, your own papers, and the built-in papers.",
        "Keep",
        chapter="ideas",
    ),
    Page(
        "pages/cases.py",
        "Case studies",
        ":material/slideshow:",
        "Finished runs, each in one file: chains, refinements, evolutions and rankings play back;"
        " arenas, experiments and shortlists are read. Nothing is called.",
        "Keep",
        chapter="records",
    ),
    Page(
        "pages/runs.py",
        "Runs",
        ":material/list_alt:",
        "All runs: their settings, cost and every step.",
        "Keep",
        chapter="records",
    ),
    Page(
        "pages/settings.py",
        "Settings",
        ":material/tune:",
        "Models, caps, sources and the data folder.",
        chapter="records",
    ),
    Page(
        "pages/guide.py",
        "Guide",
        ":material/help:",
        "What each screen is for, and which paper it comes from, in twelve short chapters.",
        chapter="start",
    ),
)
GUIDE = MENU[-1].path


@contextmanager
def frame(path: str, headed: bool = True, menu: bool = True) -> Iterator[Page]:
    """Draw the page's frame around the block, for organisers only; what goes wrong inside is shown
    as a sentence.

    Without its name where the block has a heading of its own, with the menu folded for a projector.
    """
    entrance.keep_out(path)
    if st.session_state.get(WAS, ("",))[0] != path:
        st.session_state[WAS] = path, st.query_params.to_dict()
        st.session_state[VISIT] = st.session_state.get(VISIT, 0) + 1
    search.arrive(path)
    here = next(page for page in MENU if page.path == path)
    _configure(here.title, SIDEBAR if menu else "collapsed")
    top.entered(st.session_state[VISIT])
    st.logo(LOGO, size="large")
    with st.sidebar:
        st.markdown("**Idea Foundry**")
        if menu:
            search.draw()
        for group, pages in groupby(MENU, key=lambda page: page.group):
            if group:
                st.caption(group)
            else:
                st.space(4)
            for page in pages:
                st.page_link(page.path, label=page.title, icon=page.icon)
        with suppress(StoreFailed):  # The page itself says so.
            notices.draw()
        entrance.way_out()
    if headed:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.title(here.title, anchor=False, width="stretch")
            if path != GUIDE:
                help_link(here)
        st.caption(here.about)
    with told():
        yield here


def help_link(page: Page) -> None:
    """Draw the way from a page to its chapter of the guide."""
    st.page_link(
        GUIDE,
        label="Guide",
        icon=":material/help:",
        help=f"What {page.title} is for, in the guide",
        query_params={"chapter": page.chapter},
    )


@contextmanager
def seat_frame(title: str) -> Iterator[None]:
    """Draw the frame of an expert's page around the block: no menu, no way to any other page, no
    sign-in. The seat's link is its key.
    """
    st.session_state.pop(WAS, None)
    _configure(title, "collapsed")
    with told(outside=True):
        yield


def _configure(title: str, menu: Literal["collapsed"] | int) -> None:
    st.set_page_config(
        page_title=f"{title} · Idea Foundry",
        page_icon=LOGO,
        layout="wide",
        initial_sidebar_state=menu,
    )
    st.html(LEGIBLE)


@contextmanager
def part() -> Iterator[None]:
    """Keep what comes and goes in the block from moving what is drawn after it to another place,
    where the browser would make it anew: folded again, and without what is half typed (Streamlit
    1.67).
    """
    with st.container():
        yield


@contextmanager
def told(outside: bool = False, say: Callable[[Exception], str] = str) -> Iterator[None]:
    """Show what goes wrong in the block as a sentence in its place; the rest of the page goes on.

    To somebody from `outside`, an expert, nothing of folders and files; `say` says it, in another
    language than English.
    """
    try:
        yield
    except FoundryError as error:
        sentence = inline(say(error), 2000)
        if outside and isinstance(error, StoreFailed):
            sentence = entrance.out_of_reach(error)
        st.error(sentence, icon=":material/error:")


def addressed(*names: str) -> dict[str, str]:
    """Return what the address says, and make the browser's address bar say it too."""
    said = {name: st.query_params.get(name, "") for name in names}
    if followed():
        st.query_params.from_dict({name: value for name, value in said.items() if value})
    return said


def followed() -> bool:
    """Whether the page that is drawn was here before with another address: then it may have been a
    link that was followed, and the page says its address.

    A link from a page to itself changes what the server sees but not the address bar (Streamlit
    1.67), and a reload would go back. A page that one comes to from another must not say its
    address: the browser may hear that before it has changed the page, puts it under the page that
    is left, and the way back ends there.
    """
    path, before = st.session_state[WAS]
    now = st.query_params.to_dict()
    st.session_state[WAS] = path, now
    return bool(before != now)
