"""Voting, blind: two texts side by side, one quality after another, and nothing that says where a
text comes from or how the votes stand.
"""

import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from components.arena import ballot, ballot_keys
from components.arena.ballot import KEYS, SAYS, VoterSitting, next_quality, stamp
from components.arena.figures import inputs, line_up, whole
from components.shell import person, services
from components.shell.frame import told
from components.shell.text import counted, inline, shown
from core.errors import BadInput
from core.judging.arena.contests import VoterProgress, deal, differing, progress
from core.judging.forms import texts
from core.records import Design, HalfBallot, Idea, Kind, Lineup, Run, label
from core.store import must_be

MEANS = {
    "idea": {
        "novelty": "Which idea is more novel?",
        "significance": "Which would matter more if it worked?",
        "clarity": "Which is clearer?",
        "feasibility": "Which is more feasible?",
        "effectiveness": "Which is more likely to work as claimed?",
    },
    "design": {
        "feasibility": "Which experiment is more feasible?",
        "technical_quality": "Which is technically better?",
        "clarity": "Which is clearer?",
    },
}
HEADING = re.compile(r"#{1,6} +[^\s#]")
HEARD = (*KEYS, "Backspace", "ArrowLeft", "ArrowRight", "Enter")
TEXTS = '[class*="st-key-vote-text-"]'
FITS = f"""<style>
    {TEXTS} {{
        height: max(13rem, calc(100vh - 26rem)) !important;
        max-height: max(13rem, calc(100vh - 26rem)) !important;
        overflow-y: auto;
    }}
    .st-key-vote-answers {{ min-height: 3.4rem; }}
    .stMainBlockContainer {{ padding-bottom: 0 !important; padding-top: 3.75rem !important; }}
</style>"""
"""Both texts scroll by themselves, and all that is pressed stays in the window."""


def draw(run: Run, by: str) -> None:
    """Draw the pair this person is to judge, or ask who they are, or thank them."""
    must_be(run, "arena", f"Run {run.id} is no arena, so there is nothing to vote on in it.")
    if run.packed:
        raise BadInput("This arena is a case study: it can be looked at, and not voted in.")
    lineup, by = line_up(run), " ".join(by.split())[:80]
    if lineup is None:
        st.info(
            "The texts of this arena are not ready yet. This page shows the first pair once they"
            " are; reload it in a while.",
            icon=":material/hourglass_empty:",
        )
        return
    if not by:
        _who()
        return
    person.is_called(by)
    st.html(FITS)
    sitting = VoterSitting(
        run.id,
        inputs(run).kind,
        by,
        differing(lineup, whole(lineup)),
        st.session_state.setdefault(ballot.DESK, {}),
    )

    # A key press draws the ballot anew, and nothing else.
    @st.fragment
    def voting() -> None:
        with told():
            _ballot(sitting, lineup)

    voting()


def _who() -> None:
    st.title("Vote", anchor=False)
    st.markdown(
        "You will see two texts at a time and say, one quality after another, which is better."
        " Where they come from is hidden, and the order is by chance. Every answer is saved at"
        " once: you can leave at any time and go on later under the same name."
    )
    with st.form("vote:who", width=480):
        name = st.text_input(
            "Your name, or a name of your choice",
            value=person.given(),
            max_chars=80,
            autocomplete="name",
            key="vote:name",
        )
        go = st.form_submit_button("Begin", type="primary", key="vote:begin")
    if go and not (name or "").strip():
        st.warning(
            "Give a name: your votes are kept under it, and it lets you go on after a break.",
            icon=":material/arrow_upward:",
        )
    elif go:
        st.query_params["by"] = " ".join(str(name).split())
        st.rerun()


def _ballot(sitting: VoterSitting, lineup: Lineup) -> None:
    services.store().runs.get(sitting.arena)  # It may have been deleted meanwhile.
    ballot_keys.take(partial(ballot.press, sitting))
    half = deal(services.store(), sitting.arena, sitting.whole, sitting.by)
    done = progress(services.store(), sitting.arena, sitting.whole, sitting.by)
    if half is None:
        _thanks(sitting, done.done)
        return
    mark, name = stamp(half), next_quality(sitting, half)
    screen = ballot.show(sitting, half)
    n = done.done + (not half.n)
    _top(sitting, half, n, done)
    order = (half.first, half.contest.b if half.first == half.contest.a else half.contest.a)
    held = texts_of(lineup, half.contest.topic, order, sitting.kind)
    for column, letter, text in zip(st.columns(2, gap="small"), "AB", held, strict=True):
        # By the pair's own name, so that a new pair begins at its top.
        with column, st.container(border=True, gap="xsmall", key=f"vote-text-{letter}-{mark}"):
            st.markdown(f"#### {letter}")
            read(text)
    _qualities(sitting, half, name)
    _answers(sitting, half, name, mark)
    _why(sitting, half, mark, screen)
    said = ballot.spoken(sitting, half, name, n)
    ballot_keys.listen(HEARD, screen, said, ".st-key-vote-why textarea", TEXTS)


def _thanks(sitting: VoterSitting, done: int) -> None:
    st.title("Thank you", anchor=False)
    st.success(f"All {counted(done, 'pair')} judged and saved.", icon=":material/check_circle:")
    st.markdown("If methods are added to this arena, new pairs appear here.")
    st.button(
        "Change my last vote",
        icon=":material/undo:",
        key="vote:reopen",
        on_click=ballot.reopen,
        args=(sitting,),
    )


def _top(sitting: VoterSitting, half: HalfBallot, n: int, done: VoterProgress) -> None:
    begun = bool(half.strength or half.why)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="vote-top"):
        st.markdown(
            f"**{n} of {counted(done.whole, 'pair')}** · {done.done} done",
            width="content",
            help=(
                "Every answer is saved as you give it. The same address and name go on where you"
                " stopped."
            ),
        )
        st.markdown(f":gray[on the topic] {inline(half.contest.topic, 110)}", width="content")
        st.space("stretch")
        st.markdown(f":gray[:material/person: {inline(sitting.by, 40)}]", width="content")
        st.button(
            "Previous pair",
            icon=":material/undo:",
            type="tertiary",
            key="vote:reopen",
            disabled=begun or not done.done,
            on_click=ballot.reopen,
            args=(sitting,),
            help="Opens the vote you saved last, to change it, as long as this pair has no answer.",
        )


def texts_of(
    lineup: Lineup, topic: str, methods: tuple[str, str], kind: Kind
) -> tuple[Idea | Design, Idea | Design]:
    """Return the texts of two methods on a topic."""
    shas = {seat.method: seat.sha for seat in lineup.seats if seat.topic == topic}
    first, second = shas[methods[0]], shas[methods[1]]
    wanted = tuple(dict.fromkeys((first, second)))
    held = texts(services.store(), wanted, kind)
    return held[first], held[second]


def read(text: Idea | Design, called: Callable[[str], str | None] = label) -> None:
    """Draw a text by its fields, and nothing of where it is from; `called` says what a field is
    called, in another language than English.
    """
    if isinstance(text, Idea):
        fields = text.fields
    else:
        steps = "\n".join(f"{n}. {step}" for n, step in enumerate(text.procedure, 1))
        fields = text.model_dump(exclude={"procedure"}) | {"procedure": steps}
    for name, value in fields.items():
        if not value:
            continue
        if name == "title":
            st.markdown(f"**{inline(value, 2_000)}**")
        elif len(fields) > 1:
            st.markdown(f":small[**{inline(called(name) or label(name))}**]\n\n{shown(value)}")
        else:
            # A text in one piece: an import writes headings above its title and parts.
            lines = []
            for line in filter(str.strip, value.splitlines()):
                bold = HEADING.match(line)
                lines.append(f"**{inline(line.lstrip('#'), 2_000)}**" if bold else shown(line))
            st.markdown("\n\n".join(lines))


def _qualities(sitting: VoterSitting, half: HalfBallot, name: str | None) -> None:
    with st.container(horizontal=True, gap="small", key="vote-qualities"):
        for one in sitting.criteria:
            given = half.strength.get(one)
            icon = "radio_button_unchecked" if given is None else "check"
            st.button(
                label(one) if given is None else f"{label(one)}: {SAYS[given]}",
                icon=":material/arrow_forward:" if one == name else f":material/{icon}:",
                type="tertiary",
                key=f"vote:go:{one}",
                disabled=given is None,
                on_click=ballot.go_to,
                args=(sitting, half, one),
            )


def _answers(sitting: VoterSitting, half: HalfBallot, name: str | None, mark: str) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="vote-answers"
    ):
        said = "**All answered.** Enter saves the vote; ← goes back."
        if name:
            said = f"**{label(name)}** · {MEANS[sitting.kind][name]}"
        st.markdown(said, width=310)
        for key, strength in KEYS.items():
            chosen = name is not None and half.strength.get(name) == strength
            st.button(
                f"{key} · {SAYS[strength]}",
                key=f"vote:say:{mark}:{name}:{key}",
                disabled=name is None,
                width="stretch",
                type="primary" if chosen else "secondary",
                icon=":material/check:" if chosen else None,
                on_click=ballot.click,
                args=(sitting, mark, name, strength),
            )


def _why(sitting: VoterSitting, half: HalfBallot, mark: str, screen: str) -> None:
    box = f"vote:why:{mark}"
    st.session_state.setdefault(box, half.why)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(key="vote-why"):
            st.text_area(
                "Why (optional; key w, then Ctrl+Enter saves, Esc leaves the box)",
                key=box,
                height=68,
                max_chars=4_000,
                on_change=ballot.write,
                args=(sitting, mark, box),
            )
        left = sum(one not in half.strength for one in sitting.criteria)
        st.button(
            f"{counted(left, 'quality')} left" if left else "Save, next pair",
            type="primary",
            icon=":material/keyboard_return:",
            key=f"vote:file:{screen}",
            disabled=bool(left),
            width=190,
            on_click=ballot.hand_in,
            args=(sitting, screen, box),
        )
    keys = (
        "Keys: 1 to 5 answer · ← or Backspace goes back · w why · Enter saves · ↑ ↓ move both texts"
    )
    # In place of the keys, so that nothing above moves.
    st.caption(f":orange[{ballot.CHANGED}]" if ballot.is_changed(sitting, half) else keys)
