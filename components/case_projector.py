"""The projector: what is being said at this moment, in large type and one column."""
import streamlit as st

from components import case_clock, chain_graph, chain_view, differences, services, writing
from components.actors import head
from components.text import inline, shown, step_name
from core.cases.tape import Frame, Moment
from core.differences import between
from core.records import Review, Run, Verdict
from core.store.steps import Partial
from core.story import Story

SCALE = 150
"""Size of all type, in percent of the usual."""


def large() -> None:
    """Make everything on the page larger: Streamlit measures in the size of the page's own type."""
    st.html(f"<style>html {{ font-size: {SCALE}% }} [data-testid='stMainBlockContainer'] {{ max-width: 60rem }}</style>")


def draw(run: Run, moment: Moment) -> None:
    """Draw the step that is being written, or else the one that was settled last."""
    tape = case_clock.tape_of(run)
    by_key = {frame.key: frame for frame in tape.frames}
    speaking = [part for part in moment.running if by_key[part.key].words]
    settled = [key for key in moment.settled if by_key[key].words]
    if speaking:
        _head(by_key[speaking[0].key])
        writing.draw(speaking[0])
    elif settled:
        _settled(run, moment, by_key[settled[-1]])
    else:
        st.markdown(f"## {inline(run.packed.title if run.packed else run.title, 160)}")


def _head(frame: Frame) -> None:
    st.markdown(f"#### {inline(step_name(frame.key).partition(':')[0])}")
    if frame.actor:
        st.markdown(head(frame.actor, ""))


def _settled(run: Run, moment: Moment, frame: Frame) -> None:
    _head(frame)
    place, _, name = frame.key.rpartition("/")
    number = place.rsplit("round-", 1)[-1]
    if run.config.method == "refine" and name in ("revise", "review", "verdict") and number.isdigit():
        _refined(run, name, int(number), frame)
    elif name == "trend" and run.config.method == "chain":
        _chain(run, moment)
        writing.draw(_whole(frame))
    else:
        writing.draw(_whole(frame))


def _whole(frame: Frame) -> Partial:
    return Partial(key=frame.key, text=frame.text, note="", updated="")


def _refined(run: Run, name: str, n: int, frame: Frame) -> None:
    if name == "review":
        review = Review.model_validate_json(frame.text)
        st.markdown(shown(review.summary))
        for remark in review.remarks:
            st.markdown(f"{differences.badge(remark.id)} {inline(remark.text, 2000)}")
    elif name == "verdict":
        verdict = Verdict.model_validate_json(frame.text)
        st.markdown("### :green[:material/trending_up: Improved]" if verdict.improved else "### :gray[:material/trending_flat: No improvement]")
        st.markdown(shown(verdict.reason))
    else:
        line = int(frame.key.removeprefix("idea-").partition("/")[0]) if frame.key.startswith("idea-") else 1
        whole = Story.of(services.store(), run.id)
        mine = next(one for one in whole.lines if one.n == line)
        done = mine.rounds[n - 1]
        differences.draw(between(mine.before(n), done.revision.idea, done.revision.changes))


def _chain(run: Run, moment: Moment) -> None:
    story = Story.of(services.store(), run.id, moment.shows)
    lanes = chain_view.lanes_of(run, story)
    st.plotly_chart(chain_graph.figure(lanes, ""), key="case:graph")
