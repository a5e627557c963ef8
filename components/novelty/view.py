"""A novelty check on screen: the verdict with its three numbers, the matrix, the cell that is
looked at, the works, and what was searched.
"""

import streamlit as st

from components.chains import novelty as quick_form
from components.novelty import cell as opened_cell
from components.novelty import matrix as drawn_matrix
from components.novelty import read_text
from components.runs import export, states
from components.shell import idea_card, in_view, services
from components.shell.text import counted, inline
from core.errors import BadInput
from core.export.novelty import (
    BUILT_IN,
    BY_BUILT_IN,
    NEARLY,
    NOT_READ,
    dated,
    ended,
    thresholds,
    unquoted,
    why,
)
from core.literature import LABELS
from core.literature.addresses import addresses
from core.methods import NoveltyInputs
from core.methods.novelty.verdict import half_covered, name_sources, rests_on, risk
from core.records import (
    ClaimsVerdict,
    Idea,
    Lost,
    NoveltyCell,
    NoveltyCheck,
    NoveltyMatrix,
    Passage,
    PriorWork,
    Run,
    Share,
)
from core.runs.novelty_checks import OVERRULED
from core.story import Story
from core.wording.sentences import sentences

COLOURS = {
    "anticipated": "red",
    "combination": "orange",
    "new in part": "blue",
    "nothing found": "green",
    "inconclusive": "gray",
}
NOT_NEW = "Risk that it is not new"
WORKS_NAMED = 3
"""Works that are named behind a claim that counts half; of more their number is said."""
CELL = "novelty:cell"
"""Where the name of the opened cell is kept, by run."""


def whole(run: Run) -> None:
    """Draw the check; while it is active, redraw every second."""
    states.head(run, "novelty", "New check")
    states.followed(run, _drawn)


def _drawn(run: Run) -> None:
    story = Story.of(services.store(), run.id)
    _from_where(run)
    _overruled_in(run)
    states.strip(run, "novelty", _doing(run))
    asked = run.inputs_as(NoveltyInputs)
    quick, verdict = story.last(NoveltyCheck), story.last(ClaimsVerdict)
    matrix = story.last(NoveltyMatrix)
    if quick:
        st.markdown(f"{quick_form.icon(quick)} {quick_form.line(quick, run.config.source)}")
        quick_form.draw(quick, run.config.source)
    elif verdict and matrix:
        _verdict(asked.idea, matrix, verdict)
        _lost(matrix, story)
        _rests(run, matrix, verdict)
        _matrix(run, matrix, verdict)
        _on(run, verdict)
        _works(run, matrix)
        _searched(matrix, verdict)
    else:
        states.doing(run)
    with st.expander("The idea", icon=":material/lightbulb:"):
        if matrix and (left := unclaimed(asked.idea, matrix)):
            st.caption(f"{counted(len(left), 'sentence')} of it became no claim:")
            st.markdown("\n".join(f"- {inline(one, 400)}" for one in left))
        idea_card.draw(asked.idea, None, "", "novelty:idea")
    with st.popover("Export", icon=":material/download:"):
        export.draw(run, "novelty")
    in_view.follow("novelty")


def _doing(run: Run) -> str:
    """Say what a check is at, by its newest step."""
    keys = [step.key for step in services.store().steps.outline(run.id)]
    first = {key.split("/")[0] for key in keys}
    if "reading" in first or "near" in first:
        return "Reading the nearest works, each against all claims."
    if "search" in first or "around" in first:
        return "Searching every source at once."
    return "Writing queries for each claim." if "claims" in first else "Taking the idea apart."


def unclaimed(idea: Idea, matrix: NoveltyMatrix) -> list[str]:
    """Return the sentences of an idea, its title apart, that no claim rests on."""
    quotes = [" ".join(one.passage.quote.split()) for one in matrix.claims]
    body = [text for name, text in idea.fields.items() if name != "title"]
    every = [" ".join(one.split()) for text in body for one in sentences(text)]
    return [one for one in every if not any(one in quote or quote in one for quote in quotes)]


# -- the verdict -------------------------------------------------------------------------------


def _left_out(idea: Idea, matrix: NoveltyMatrix) -> str:
    left = len(unclaimed(idea, matrix))
    if not left:
        return ""
    verb = "is" if left == 1 else "are"
    return f" {counted(left, 'sentence')} of this idea {verb} left out; see The idea, below."


def _verdict(idea: Idea, matrix: NoveltyMatrix, verdict: ClaimsVerdict) -> None:
    built_in = matrix.reader == BUILT_IN
    colour = "gray" if built_in else COLOURS[verdict.state]
    with st.container(border=True):
        st.markdown(f":{colour}[:material/travel_explore:] **{inline(verdict.sentence, 2_000)}**")
        if built_in:
            st.markdown(f":material/extension: {BY_BUILT_IN}{_left_out(idea, matrix)}")
        notes = {NOT_NEW: _half(matrix), "Sources": _asked(matrix)}
        shares = {
            NOT_NEW: risk(matrix),
            "Quotes verified": verdict.confidence,
            "Coverage": verdict.coverage,
            "Sources": verdict.sources,
        }
        for column, (name, share) in zip(st.columns(4), shares.items(), strict=True):
            value = _value(name, share)
            said = f"{inline(str(share), 200)}. {inline(notes.get(name, ''), 400)}"
            column.markdown(f"{name} **{value}**\n\n:small[:gray[{said}]]")


def _value(name: str, share: Share) -> str:
    """Return a number as it stands big: of sources how many, of all others a share."""
    if name == "Sources":
        return f"{share.part:g} of {share.of}"
    return "–" if share.value is None else f"{share.value:.2f}"


def _half(matrix: NoveltyMatrix) -> str:
    """Say which claims count half, and through which works."""
    numbers = {work.id: n for n, work in enumerate(matrix.works, 1)}
    said = []
    for claim, works in half_covered(matrix).items():
        named = ", ".join(str(numbers[one]) for one in works[:WORKS_NAMED])
        more = f" and {len(works) - WORKS_NAMED} more" if len(works) > WORKS_NAMED else ""
        noun = "work" if len(works) == 1 else "works"
        said.append(f"Claim {claim}: {noun} {named}{more}.")
    return " ".join(said)


def _asked(matrix: NoveltyMatrix) -> str:
    """Say how many questions were answered, by whom and when."""
    asked = [one for one in matrix.looked if one.counts]
    done = sum(one.state != "source failed" for one in asked)
    names = name_sources(matrix.looked)
    days = sorted({one.at[:10] for one in asked if one.at})
    when = f", {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
    found = f" Found in {names}." if names else ""
    return f"{done} of {counted(len(asked), 'question')} answered{when}.{found}"


def _overruled_in(run: Run) -> None:
    """Draw the ways to the checks in which a person overruled a cell of this one."""
    for one in services.store().runs.children(run.id):
        if one.title.endswith(OVERRULED):
            st.page_link(
                "pages/novelty.py",
                label=f"Overruled by a person on {one.created[:10]}: see “{inline(one.title, 80)}”",
                icon=":material/gavel:",
                query_params={"run": one.id},
            )


def _from_where(run: Run) -> None:
    """Draw the way back to the check in which a person overruled a cell."""
    try:
        parent = services.store().runs.get(run.parent or "")
    except BadInput:
        return  # It is no fork, or what it came from was removed since.
    st.page_link(
        "pages/novelty.py",
        label=f"From the check “{inline(parent.title, 80)}”",
        icon=":material/arrow_back:",
        query_params={"run": parent.id},
    )


def _rests(run: Run, matrix: NoveltyMatrix, verdict: ClaimsVerdict) -> None:
    """Draw the findings that the verdict rests on in one list, for whoever doubts it: what covers a
    claim, and what the nearest works have of a claim that nothing covers.
    """
    cells = rests_on(matrix, verdict)
    if not cells:
        return
    with st.expander(
        f"What it rests on: {counted(len(cells), 'finding')}", icon=":material/format_quote:"
    ):
        st.caption(
            "Doubt it here. Where a work covers a claim: do its words have the whole claim? Where"
            " nothing covers one: do the nearest works really not have it?"
        )
        for claim in matrix.claims:
            found = [one for one in cells if one.claim == claim.n]
            if not found:
                continue
            st.markdown(f"**Claim {claim.n} ({claim.kind}):** {inline(claim.text, 600)}")
            if claim.n in verdict.new:
                st.caption("No earlier work covers it. The nearest works on it:")
            for one in found:
                _finding(run, matrix, one)


def _finding(run: Run, matrix: NoveltyMatrix, cell: NoveltyCell) -> None:
    """Draw the way to a cell, its work, both quotes and the reader's reason."""
    work = matrix.work(cell.work)
    n = matrix.works.index(work) + 1
    name = drawn_matrix.name_cell(cell.claim, n)
    by = f", overruled by {inline(cell.overruled.by, 40)}" if cell.overruled else ""
    with st.container(gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                f"Work {n}",
                type="tertiary",
                icon=":material/grid_on:",
                help=f"Open the cell of claim {cell.claim} and work {n}",
                key=f"novelty:rests:{run.id}:{name}",
                on_click=_open,
                args=(run, name),
            )
            st.markdown(
                f"**{cell.state}**{by}: {inline(work.paper.title, 120)}"
                f" ({inline(drawn_matrix.written_by(work))})",
                width="stretch",
            )
        lines = []
        if not unquoted(cell):
            lines += [
                f"- The idea: {_words(cell.idea_quote)}",
                f"- The paper: {_words(cell.paper_quote)}",
            ]
        if said := why(cell):
            lines.append(f"- Why: {inline(said, 1_000)}")
        st.markdown("\n".join(lines))


def _words(passage: Passage | None) -> str:
    if passage is None or passage.state == "not found":
        return ":gray[no quote]"
    nearly = f" :gray[({NEARLY})]" if passage.state == "nearest" else ""
    return f"“{inline(passage.quote, 300)}”{nearly}"


def _lost(matrix: NoveltyMatrix, story: Story) -> None:
    said = [f"A claim could not be used: {one}" for one in matrix.lost]
    said += [f"{one.part}: {one.reason}" for one in story.all(Lost)]
    for one in said:
        st.warning(inline(one, 600), icon=":material/warning:")


# -- the matrix --------------------------------------------------------------------------------


def _matrix(run: Run, matrix: NoveltyMatrix, verdict: ClaimsVerdict) -> None:
    if not matrix.works:
        st.info("No work was found to compare with.", icon=":material/search_off:")
        return
    st.subheader("What each work has of each claim", anchor=False)
    name = _chosen(run, matrix, verdict)
    drawn_matrix.draw(matrix, name, f"novelty:matrix:{run.id}", lambda name: _open(run, name))
    claim, _, n = name.partition("-")
    opened_cell.draw(run, matrix, int(claim), int(n))


def _open(run: Run, name: str) -> None:
    key = f"{CELL}:{run.id}"
    st.session_state[key] = st.session_state[f"{key}:address"] = name
    st.query_params["cell"] = name
    in_view.wish(opened_cell.KEY)


def _chosen(run: Run, matrix: NoveltyMatrix, verdict: ClaimsVerdict) -> str:
    """Return the cell that is looked at: the one of the address, else the first that the verdict
    rests on.
    """
    key = f"{CELL}:{run.id}"
    names = {
        drawn_matrix.name_cell(claim.n, n)
        for claim in matrix.claims
        for n in range(1, len(matrix.works) + 1)
    }
    address = st.query_params.get("cell", "")
    if address in names and st.session_state.get(f"{key}:address") != address:
        st.session_state[key] = st.session_state[f"{key}:address"] = address
    if st.session_state.get(key) not in names:
        st.session_state[key] = _first(matrix, verdict)
    return str(st.session_state[key])


def _first(matrix: NoveltyMatrix, verdict: ClaimsVerdict) -> str:
    numbers = {work.id: n for n, work in enumerate(matrix.works, 1)}
    telling = [cell for cell in matrix.cells if cell.state in ("covers", "in part")]
    named = [cell for cell in telling if cell.work in verdict.works and cell.state == "covers"]
    first = (named or sorted(telling, key=lambda one: one.state) or matrix.cells)[:1]
    if not first:
        return drawn_matrix.name_cell(matrix.claims[0].n, 1)
    return drawn_matrix.name_cell(first[0].claim, numbers[first[0].work])


def _on(run: Run, verdict: ClaimsVerdict) -> None:
    """Draw the way on: a chain that does not repeat what is covered."""
    if verdict.covered:
        st.page_link(
            "pages/chains.py",
            label="Begin a chain that does not repeat what is covered",
            icon=":material/timeline:",
            query_params={"not-again": run.id},
        )


# -- works and searches ------------------------------------------------------------------------


def _works(run: Run, matrix: NoveltyMatrix) -> None:
    passed = f", {matrix.passed_over} found and not read" if matrix.passed_over else ""
    with st.expander(
        f"{counted(len(matrix.works), 'near work')}{passed}, {len(matrix.later)} too late",
        icon=":material/menu_book:",
    ):
        st.caption(
            f"Only works known to be earlier than {inline(matrix.dated)} count. A work's date is"
            " the earliest of its versions, a preprint's before that of a venue."
        )
        lines = [f"{n}. {_line(work)}" for n, work in enumerate(matrix.works, 1)]
        st.markdown("\n".join(lines))
        if matrix.later:
            st.markdown("**Too late to anticipate it**")
            st.markdown("\n".join(f"- {_line(work)}" for work in matrix.later))
        if matrix.passed:
            st.markdown("**Found and not read**")
            st.caption(f"{NOT_READ} {_how_many(matrix)}")
            st.markdown("\n".join(f"- {_passed(work)}" for work in matrix.passed))
        _text_of(run, matrix)


def _how_many(matrix: NoveltyMatrix) -> str:
    named = len(matrix.passed)
    return "" if named == matrix.passed_over else f"The {named} most similar of them:"


def _passed(work: PriorWork) -> str:
    where = " ".join(f"[{name}]({address})" for name, address in addresses(work.paper))
    asked = f", found for {', '.join(work.found_by)}" if work.found_by else ""
    return (
        f"{inline(work.paper.title, 200)} ({inline(dated(work))}), similarity"
        f" {work.similarity:.2f}{inline(asked, 300)} {where}"
    )


def _text_of(run: Run, matrix: NoveltyMatrix) -> None:
    """Draw the text that was read of the work that is chosen."""
    numbers = {n: one for n, one in enumerate(matrix.works, 1) if one.read_from != "nothing"}
    if not numbers:
        return
    n = st.selectbox(
        "Show what was read of a work",
        list(numbers),
        index=None,
        placeholder="Choose a work",
        format_func=lambda n: f"{n}. {numbers[n].paper.title}",
        key=f"novelty:read:{run.id}",
    )
    if n is not None:
        st.caption(f"Its {read_text.name(numbers[n])}:")
        read_text.draw(run, numbers[n])


def _line(work: PriorWork) -> str:
    where = " ".join(f"[{name}]({address})" for name, address in addresses(work.paper))
    versions = f", {counted(len(work.versions), 'version')}" if len(work.versions) > 1 else ""
    read = work.unread or f"read from its {work.read_from}"
    return (
        f"{inline(work.paper.title, 200)} ({inline(dated(work))}{versions}), similarity"
        f" {work.similarity:.2f}: {inline(read, 300)} {where}"
    )


def _searched(matrix: NoveltyMatrix, verdict: ClaimsVerdict) -> None:
    failed = sum(one.state == "source failed" for one in matrix.looked)
    said = f", {failed} not answered" if failed else ""
    with st.expander(
        f"What was searched: {counted(len(matrix.looked), 'question')}{said}",
        icon=":material/manage_search:",
    ):
        limits = f" Only papers before {inline(matrix.before)}." if matrix.before else ""
        st.caption(
            f"{counted(matrix.found, 'work')} found, {matrix.bare} without an abstract; along"
            f" citations {matrix.linked}, {matrix.linked_bare} of them without one.{limits}"
            " Times are UTC."
        )
        st.caption(inline(thresholds(verdict.thresholds), 1_000))
        st.dataframe(
            [
                {
                    "Source": LABELS.get(one.source, one.source),
                    "Asked for": f"{one.what}: {one.query}" if one.query else one.what,
                    "Ended": ended(one),
                    "When": one.at[:16].replace("T", " "),
                }
                for one in matrix.looked
            ],
            hide_index=True,
            column_config={
                "Source": st.column_config.TextColumn(width=130),
                "Ended": st.column_config.TextColumn(width=200),
                "When": st.column_config.TextColumn(width=130),
            },
            key="novelty:looked",
        )
