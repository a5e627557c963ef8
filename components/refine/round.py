"""One round of a refinement on screen: review, revised idea, verdict, in the actors' colours."""

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from components.refine import branch, columns, notes, scores
from components.refine.columns import DOES
from components.refine.scene import RefineScene
from components.runs import differences, writing
from components.runs.actors import Part, cast, head
from components.shell import idea_card, services
from components.shell.text import counted, inline, shown, step_name
from core.judging.claims import SIMILARITY
from core.records import Idea, Review, RevisedIdea, Round, Verdict, Wish, label
from core.store.steps import Partial, played_by
from core.wording.differences import Difference, between, form_changed, unquoted

HEIGHT = 460
"""Pixels a round that goes on takes, whatever is written already: nothing jumps."""
WRITES: Mapping[Part, tuple[str, ...]] = {
    "review": ("review", "self-review"),
    "revise": ("revise",),
    "verdict": ("verdict", "reflect"),
}
"""The steps whose text belongs to a part."""


def draw(scene: RefineScene, n: int) -> None:
    """Draw round `n`; 0 is the first idea."""
    done = scene.round(n)
    if n == 0:
        _draw_first(scene)
    elif done is None:
        _going_on(scene, n)
    else:
        if "optimizer" in scene.inputs.at(n).people and (left := _unanswered(done)):
            st.info(_left_open(scene, n, left), icon=":material/person_alert:")
        draws = {"review": _draw_review, "revise": _draw_revision, "verdict": _draw_verdict}
        for part, column in columns.columns_of(scene, n).items():
            with column:
                columns.draw_head(scene, n, part, DOES[part][0])
                draws[part](scene, done)
        _draw_foot(scene, n)


# -- the first idea ----------------------------------------------------------------------------


def _draw_first(scene: RefineScene) -> None:
    left, right = st.columns([8, 5], gap="medium")
    idea, rounds = scene.line.version(0), scene.line.rounds
    review = rounds[0].review if rounds else _newest_review(scene)
    with left:
        if scene.inputs.firsts:
            st.markdown("**The first idea, which every refiner of the experiment starts from**")
        elif scene.inputs.idea is None:
            st.markdown(head("generator", "proposed", scene.actors(0)["generator"].capitalize()))
        else:
            st.markdown("**The first idea, as it was given**")
        idea_card.draw(idea, None, "", "")
        for one in scene.line.standings(0):
            st.markdown(scores.standing(one), help=scores.Q_MEANS)
        if (near := scene.line.measures(0)) and near.to_nearest is not None:
            st.markdown(f"**Similarity**\n{scores.to_nearest(near.to_nearest)}", help=SIMILARITY)
        notes.margin(scene, f"{scene.prefix}round-0/idea")
    with right:
        if "review" in cast(scene.inputs.at(1).variant):
            does = "reviewing" if scene.live else "has not reviewed it"
            columns.draw_head(scene, 1, "review", "reviewed" if review else does)
            if review:
                columns.draw_review(scene, review, 0)
            else:
                _write(scene, 1, "review")
            notes.margin(scene, f"{scene.prefix}round-0/review")
    _draw_foot(scene, 0)


# -- a round that is over ----------------------------------------------------------------------


def _draw_review(scene: RefineScene, done: Round) -> None:
    before = done.n - 1
    if done.review:
        columns.draw_review(scene, done.review, before, done.wishes)
        notes.margin(scene, f"{scene.prefix}round-{before}/review")
    columns.draw_wishes(done.wishes)


def _draw_revision(scene: RefineScene, done: Round) -> None:
    older, newer, changes = scene.line.before(done.n), done.revision.idea, done.revision.changes
    if "review" not in cast(scene.inputs.at(done.n).variant):
        columns.draw_wishes(done.wishes)
    found = between(older, newer, changes)
    marked, chosen, whole = _choose_marking(scene, done, found)
    if marked:
        differences.draw(found, chosen, whole, form_changed(older, newer))
    else:
        idea_card.draw(newer, None, "", "")
    if lost := unquoted(newer, changes):
        where = ", ".join(
            f"{inline(label(change.field), 60)}"
            f" ({inline(', '.join(change.remarks), 60) or 'no remark'})"
            for change in lost
        )
        st.caption(
            f":material/link_off: {counted(len(lost), 'passage')} the generator says it changed"
            f" {'is' if len(lost) == 1 else 'are'} not in its text as quoted: {where}."
        )
    notes.margin(scene, f"{scene.prefix}round-{done.n}/idea")


def _choose_marking(
    scene: RefineScene, done: Round, found: Sequence[Difference]
) -> tuple[bool, str | None, bool]:
    """Draw how the revision is to be shown; return whether changes are marked, the one remark whose
    changes are, and whether all fields are shown.
    """
    key = f"refine:answers:{scene.run.id}:{scene.prefix}{done.n}"
    unanswered = _unanswered(done)
    answered = [name for name in _asked(done) if name not in unanswered]
    chosen = (
        st.pills("Show what answers", ["all", *answered], key=key, default="all", required=True)
        if answered
        else "all"
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        marked = st.toggle(
            "Mark what changed", value=True, key="refine:marked", persist_state="session"
        )
        whole = differences.unchanged(found) if marked else True
    if unanswered:
        st.caption(f"No change answers {inline(', '.join(unanswered))}.")
    return marked, None if chosen == "all" else chosen, whole


def _asked(done: Round) -> list[str]:
    """Return the remarks that were not declined, and the wishes, by their names."""
    remarks = done.review.remarks if done.review else ()
    asked = [remark.id for remark in remarks if remark.id not in done.declined]
    return [*asked, *(wish.id for wish in done.wishes if wish.id)]


def _unanswered(done: Round) -> list[str]:
    named = {name for change in done.revision.changes for name in change.remarks}
    return [name for name in _asked(done) if name not in named]


def _left_open(scene: RefineScene, n: int, names: Sequence[str]) -> str:
    """Say which remarks of a person no change answers, and why where the built-in model revised."""
    said = (
        "The review of this round is a person's, and no change answers its"
        f" {inline(', '.join(names))}."
    )
    models, play = scene.run.config.models, scene.inputs.at(n)
    role = scene.run.config.writer
    answered = services.store().steps.answered(scene.run)
    place = f"{scene.prefix}round-{n}/revise"
    by_rules = played_by(answered, role, models.get(role, ""), place) == ("builtin",)
    if not by_rules or "generator" in play.people:
        return said
    one = len(names) == 1
    return (
        f"{said} The rules of the built-in model, which revised, could not answer"
        f" {'it' if one else 'them'}: {'it stays' if one else 'they stay'} open."
    )


def _draw_verdict(scene: RefineScene, done: Round) -> None:
    if done.verdict:
        columns.draw_verdict_box(done.verdict)
    st.caption(f":material/flag: {columns.rule(scene, done)}")
    if done.effects:
        effects = "\n".join(f"- {effect}" for effect in columns.effects(done.effects))
        st.markdown(f"**On the other qualities**\n{effects}")
    if done.standings:
        standings = "\n".join(f"- {scores.standing(one)}" for one in done.standings)
        st.markdown(f"**Against the target**\n{standings}", help=scores.Q_MEANS)
    if measures := done.measures:
        near = [
            f"- to the first idea: **{measures.to_first:.2f}**",
            f"- to the version before: **{measures.to_previous:.2f}**",
        ]
        if measures.to_nearest is not None:
            near.append(scores.to_nearest(measures.to_nearest))
        st.markdown("\n".join(["**Similarity**", *near]), help=SIMILARITY)


def _draw_foot(scene: RefineScene, n: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        branch.control(scene, n)
        if scene.changeable:
            idea_card.keeping(
                scene.line.version(n),
                scene.run.id,
                f"{scene.prefix}round-{n}",
                key=f"refine:{scene.prefix}{n}",
            )


# -- a round that goes on ----------------------------------------------------------------------


def _going_on(scene: RefineScene, n: int) -> None:
    """Draw the round that goes on, or that broke off: what is settled of it, and the text as it is
    written.
    """
    places = columns.columns_of(scene, n)
    # Where text is about to come, every part has its room from the start.
    still = scene.live and scene.run.state != "waiting"
    height: int | Literal["content"] = HEIGHT if still else "content"
    for part, column in places.items():
        with column:
            columns.draw_head(scene, n, part, _doing(scene, n, part))
            # One level deeper once it is settled, and one more before it is written: a new box,
            # that begins at its top again.
            if part in scene.settled:
                with (
                    st.container(),
                    st.container(height=height, border=False, autoscroll=False),
                ):
                    _draw_so_far(scene, n, part)
            elif part == "revise" and not any(one.text for one in _texts(scene, n, part)):
                with (
                    st.container(),
                    st.container(),
                    st.container(height=height, border=True, autoscroll=False),
                ):
                    _to_be_revised(scene, n)
            elif still:
                with st.container(height=HEIGHT, border=True, autoscroll=True):
                    _draw_so_far(scene, n, part)
    if still:
        seen = {one.key for part in DOES for one in _texts(scene, n, part)}
        # The next review, rankings, side effects.
        others = "; ".join(
            step_name(one.key.removeprefix(scene.prefix))
            for one in scene.parts
            if one.key not in seen
        )
        meanwhile = f":material/edit_note: Meanwhile: {inline(others, 160)}"
        st.caption(meanwhile if others else "\u00a0")
    with places["revise"]:
        notes.margin(scene, f"{scene.prefix}round-{n - 1}/idea")
    if "review" in places and scene.settled.get("review"):
        with places["review"]:
            notes.margin(scene, f"{scene.prefix}round-{n - 1}/review")


def _doing(scene: RefineScene, n: int, part: Part) -> str:
    done, doing = DOES[part]
    play = scene.inputs.at(n)
    if part in scene.settled:
        return done
    if _texts(scene, n, part):
        return doing
    if not scene.live:
        return "has not begun"
    if cast(play.variant)[part] not in play.people:
        return "waits"
    asked = not scene.playing and any(
        _writes(scene, question.key, n, part)
        for question in services.store().answers.open(scene.run.id)
    )
    return "is asked above" if asked else "will be asked"


def _to_be_revised(scene: RefineScene, n: int) -> None:
    """Draw the version that is to be revised, dimmed, until the revision comes."""
    _write(scene, n, "revise")
    version = f"Version {n - 1}" if n > 1 else "The first idea"
    st.markdown(f":gray[:material/history: {version}, which is to be revised]")
    for name, text in _base(scene, n).fields.items():
        # A colour does not span paragraphs.
        paragraphs = [f":gray[{part}]" for part in shown(text).split("\n\n")]
        if name != "hypothesis":
            paragraphs.insert(0, f":gray[**{inline(label(name))}**]")
        st.markdown("\n\n".join(paragraphs))


def _base(scene: RefineScene, n: int) -> Idea:
    """Return the version that round `n` revises, as it is or as a person rewrote it."""
    rewritten = [wish.idea for wish in _wishes(scene) if wish.idea and not wish.late]
    return rewritten[-1] if rewritten else scene.line.version(n - 1)


def _draw_so_far(scene: RefineScene, n: int, part: Part) -> None:
    """Draw what a part of the round has so far: its reply, or as much of it as is written."""
    reply = scene.settled.get(part)
    if part == "review" and (review := _newest_review(scene)):
        wishes = _wishes(scene)
        columns.draw_review(scene, review, n - 1, wishes)
        columns.draw_wishes(wishes)
    elif part == "revise" and reply:
        revision = RevisedIdea.model_validate(reply).as_revision()
        base = _base(scene, n)
        differences.draw(
            between(base, revision.idea, revision.changes),
            form=form_changed(base, revision.idea),
            whole=bool(st.session_state.get("refine:unchanged")),
        )
    elif part == "verdict" and isinstance(reply, dict):
        columns.draw_verdict_box(Verdict(improved=reply["improved"], reason=reply["reason"]))
    else:
        _write(scene, n, part)


def _write(scene: RefineScene, n: int, part: Part) -> None:
    """Draw what is being written of a part."""
    for text in _texts(scene, n, part):
        writing.draw(text)


def _texts(scene: RefineScene, n: int, part: Part) -> list[Partial]:
    return [text for text in scene.parts if _writes(scene, text.key, n, part)]


def _writes(scene: RefineScene, key: str, n: int, part: Part) -> bool:
    """Whether a step writes this part of round `n`; a review is written in the round before."""
    place = f"{scene.prefix}round-{n - 1 if part == 'review' else n}/"
    return key.startswith(place) and key.rsplit("/", 1)[-1] in WRITES[part]


def _newest_review(scene: RefineScene) -> Review | None:
    """Return the review of the newest version, once it is written."""
    reply = scene.settled.get("review")
    return Review.model_validate(reply) if reply else None


def _wishes(scene: RefineScene) -> tuple[Wish, ...]:
    """Return what people asked of the round that goes on."""
    replies = scene.settled.get("wishes")
    wishes = [Wish.model_validate(reply) for reply in replies] if isinstance(replies, list) else []
    return tuple(
        wish.model_copy(update={"late": wish.of not in (None, scene.line.newest)})
        for wish in wishes
    )
