"""One round of a refinement on screen: review, revised idea, verdict, in the actors' colours."""
from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import differences, idea_card, refine_branch, refine_notes, refine_steer, refine_words, writing
from components.actors import ABSENT, Part, cast, head
from components.refine_scene import Scene
from components.text import counted, inline, shown, step_name
from core.differences import between, unquoted
from core.records import Remark, Review, RevisedIdea, Revision, Round, Verdict, Wish, label
from core.store.steps import Partial

WIDTHS: Mapping[Part, int] = {"review": 6, "revise": 8, "verdict": 5}
HEIGHT = 460
"""Pixels a round that goes on takes, whatever is written already: nothing jumps."""
DOES: Mapping[Part, tuple[str, str]] = {"review": ("reviewed", "reviewing"), "revise": ("revised", "revising"), "verdict": ("compared", "comparing")}
WRITES: Mapping[Part, tuple[str, ...]] = {"review": ("review", "self-review"), "revise": ("revise",), "verdict": ("verdict", "reflect")}
"""The steps whose text belongs to a part."""


def draw(scene: Scene, n: int) -> None:
    """Draw round `n`; 0 is the first idea."""
    done = scene.round(n)
    if n == 0:
        _first(scene)
    elif done:
        _over(scene, done)
    else:
        _going_on(scene, n)


# -- the first idea ------------------------------------------------------------------------------------------


def _first(scene: Scene) -> None:
    left, right = st.columns([8, 5], gap="medium")
    idea, review = scene.line.version(0), scene.line.rounds[0].review if scene.line.rounds else _held(scene)
    with left:
        made = head("generator", "proposed", scene.actors(0)["generator"].capitalize())
        st.markdown(made if scene.inputs.idea is None else "**The first idea, as it was given**")
        idea_card.draw(idea, None, "", "")
        for one in scene.line.standings(0):
            st.markdown(refine_words.standing(one), help=refine_words.Q_MEANS)
        refine_notes.margin(scene, f"{scene.prefix}round-0/idea")
    with right:
        if "review" in cast(scene.inputs.at(1).variant):
            _headed(scene, 1, "review", "reviewed" if review else "reviewing" if scene.live else "has not reviewed it")
            if review:
                _review(scene, review, 0)
            else:
                _written(scene, "round-0", "review")
            refine_notes.margin(scene, f"{scene.prefix}round-0/review")
    _foot(scene, 0)


# -- a round that is over ------------------------------------------------------------------------------------


def _over(scene: Scene, done: Round) -> None:
    draws = {"review": _reviewed, "revise": _revised, "verdict": _judged}
    for part, column in _columns(scene, done.n).items():
        with column:
            _headed(scene, done.n, part, DOES[part][0])
            draws[part](scene, done)
    _foot(scene, done.n)


def _reviewed(scene: Scene, done: Round) -> None:
    if done.review:
        _review(scene, done.review, done.n - 1, done.wishes)
        refine_notes.margin(scene, f"{scene.prefix}round-{done.n - 1}/review")
    _wishes(done.wishes)


def _revised(scene: Scene, done: Round) -> None:
    older, newer, changes = scene.line.before(done.n), done.revision.idea, done.revision.changes
    if "review" not in cast(scene.inputs.at(done.n).variant):
        _wishes(done.wishes)
    marked, chosen = _marking(scene, done)
    if marked:
        differences.draw(between(older, newer, changes), chosen)
    else:
        idea_card.draw(newer, None, "", "")
    if lost := unquoted(newer, changes):
        where = ", ".join(f"{inline(label(change.field), 60)} ({inline(', '.join(change.remarks), 60) or 'no remark'})" for change in lost)
        st.caption(f":material/link_off: {counted(len(lost), 'passage')} the generator says it changed {'is' if len(lost) == 1 else 'are'} not in its text "
                   f"as quoted: {where}.")
    refine_notes.margin(scene, f"{scene.prefix}round-{done.n}/idea")


def _marking(scene: Scene, done: Round) -> tuple[bool, str | None]:
    """Draw how the revision is to be shown; return whether changes are marked, and the one remark whose changes are."""
    key = f"refine:answers:{scene.run.id}:{scene.prefix}{done.n}"
    asked = [*(remark.id for remark in (done.review.remarks if done.review else ()) if remark.id not in done.declined),
             *(wish.id for wish in done.wishes if wish.id)]
    answered = [name for name in asked if any(name in change.remarks for change in done.revision.changes)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.pills("Show what answers", ["all", *answered], key=key, default="all", required=True) if answered else "all"
        marked = st.toggle("Mark what changed", value=True, key="refine:marked", persist_state="session")
    if left := [name for name in asked if name not in answered]:
        st.caption(f"No change names {inline(', '.join(left))}.")
    return marked, None if chosen == "all" else chosen


def _judged(scene: Scene, done: Round) -> None:
    if done.verdict:
        _verdict(done.verdict)
    st.caption(f":material/flag: {refine_words.rule(scene, done)}")
    _figures(done)


def _figures(done: Round) -> None:
    if done.effects:
        st.markdown("**On the other qualities**\n" + "\n".join(f"- {said}" for said in refine_words.effects(done.effects)))
    if done.standings:
        st.markdown("**Against the target**\n" + "\n".join(f"- {refine_words.standing(one)}" for one in done.standings), help=refine_words.Q_MEANS)
    if done.measures:
        near = f"\n- nearest paper: **{done.measures.to_nearest:.2f}**" if done.measures.to_nearest is not None else ""
        st.markdown(f"**Similarity in meaning**\n- first idea: **{done.measures.to_first:.2f}**\n- version before: **{done.measures.to_previous:.2f}**{near}",
                    help="Cosine of two embeddings: 1 is the same meaning, 0 is none in common.")


def _foot(scene: Scene, n: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        refine_branch.control(scene, n)
        if scene.changeable:
            idea_card.keeping(scene.line.version(n), scene.run.id, f"{scene.prefix}round-{n}", key=f"refine:{scene.prefix}{n}")


# -- the round that goes on ----------------------------------------------------------------------------------


def _going_on(scene: Scene, n: int) -> None:
    columns = _columns(scene, n)
    # Where text is about to come, every part has its room from the start.
    still = scene.live and scene.run.state != "waiting"
    for part, column in columns.items():
        with column:
            _headed(scene, n, part, _doing(scene, n, part))
            if part in scene.settled:
                # One level deeper once it is settled: a new box, that begins at its top again.
                with st.container(), st.container(height=HEIGHT if still else "content", border=False, autoscroll=False):
                    _settled(scene, n, part)
            elif still:
                with st.container(height=HEIGHT, border=True, autoscroll=True):
                    _settled(scene, n, part)
    if still:
        st.caption(_beside(scene, n))
    if "review" in columns and scene.settled.get("review"):
        with columns["review"]:
            refine_notes.margin(scene, f"{scene.prefix}round-{n - 1}/review")


def _beside(scene: Scene, n: int) -> str:
    """Say what is written beside the three parts: the next review, rankings, side effects."""
    seen = {one.key for part in DOES for one in _parts(scene, _place(n, part), part)}
    others = [step_name(one.key.removeprefix(scene.prefix)) for one in scene.parts if one.key not in seen]
    return f":material/edit_note: Meanwhile: {inline('; '.join(others), 160)}" if others else "\u00a0"


def _doing(scene: Scene, n: int, part: Part) -> str:
    done, doing = DOES[part]
    if part in scene.settled:
        return done
    if _parts(scene, _place(n, part), part):
        return doing
    if scene.run.state == "waiting" and cast(scene.inputs.at(n).variant)[part] in scene.inputs.at(n).people:
        return "is asked above"
    return "waits" if scene.live else "has not begun"


def _settled(scene: Scene, n: int, part: Part) -> None:
    """Draw what a part of the round has so far: its reply, or as much of it as is written."""
    wishes = _wished(scene)
    if part == "review" and (review := _held(scene)):
        _review(scene, review, n - 1, wishes)
        _wishes(wishes)
    elif part == "revise" and (revision := _revision(scene)):
        base = next((wish.idea for wish in reversed(wishes) if wish.idea and not wish.late), scene.line.version(n - 1))
        differences.draw(between(base, revision.idea, revision.changes))
    elif part == "verdict" and isinstance(reply := scene.settled.get(part), dict):
        _verdict(Verdict(improved=reply["improved"], reason=reply["reason"]))
    else:
        _written(scene, _place(n, part), part)


def _place(n: int, part: Part) -> str:
    """Return where a part of round `n` is written: the review in the round before."""
    return f"round-{n - 1}" if part == "review" else f"round-{n}"


def _written(scene: Scene, place: str, part: Part) -> None:
    for one in _parts(scene, place, part):
        writing.draw(one)


def _parts(scene: Scene, place: str, part: Part) -> list[Partial]:
    return [one for one in scene.parts if one.key.startswith(f"{scene.prefix}{place}/") and one.key.rsplit("/", 1)[-1] in WRITES[part]]


def _held(scene: Scene) -> Review | None:
    """Return the review of the newest version, once it is written."""
    return Review.model_validate(scene.settled["review"]) if scene.settled.get("review") else None


def _revision(scene: Scene) -> Revision | None:
    """Return the revision of the round that goes on, once it is written."""
    return RevisedIdea.model_validate(scene.settled["revise"]).as_revision() if scene.settled.get("revise") else None


def _wished(scene: Scene) -> tuple[Wish, ...]:
    """Return what people asked of the round that goes on."""
    held = scene.settled.get("wishes")
    wishes = [Wish.model_validate(one) for one in held] if isinstance(held, list) else []
    return tuple(wish.model_copy(update={"late": wish.of not in (None, scene.line.newest)}) for wish in wishes)


# -- parts of all of them ------------------------------------------------------------------------------------


def _columns(scene: Scene, n: int) -> Mapping[Part, DeltaGenerator]:
    """Return a column for each part that somebody plays, and say who is missing."""
    variant = scene.inputs.at(n).variant
    if variant in ABSENT:
        st.caption(f":material/person_off: {ABSENT[variant]}")
    parts = cast(variant)
    return dict(zip(parts, st.columns([WIDTHS[part] for part in parts], gap="medium"), strict=True))


def _headed(scene: Scene, n: int, part: Part, does: str) -> None:
    actor, play = cast(scene.inputs.at(n).variant)[part], scene.inputs.at(n)
    name = scene.actors(n)[actor].capitalize()
    who = f"{name} alone" if play.variant == "self-reflection" else f"{name}, a person" if actor in play.people else name
    st.markdown(head(actor, does, who))


def _review(scene: Scene, review: Review, version: int, wishes: tuple[Wish, ...] = ()) -> None:
    declined = {wish.decline: wish.by for wish in wishes if wish.decline and not wish.late}
    with st.container(border=True, gap="small"):
        st.markdown(shown(review.summary))
        for remark in review.remarks:
            st.markdown(_remark(remark, declined.get(remark.id)))
            refine_steer.choice(scene, version, remark)


def _remark(remark: Remark, declined: str | None) -> str:
    trait = f" :gray[{inline(remark.trait, 100)}]" if remark.trait else ""
    if declined:
        return f"{differences.badge(remark.id)} :gray[~~{inline(remark.text, 2000)}~~]{trait} :material/block: declined by {inline(declined, 80)}"
    return f"{differences.badge(remark.id)} {inline(remark.text, 2000)}{trait}"


def _wishes(wishes: tuple[Wish, ...]) -> None:
    for wish in wishes:
        late = " :gray[It came too late for this revision: its version had been revised.]" if wish.late else ""
        said = f"asked: {inline(wish.text, 2000)}" if wish.text else f"declined {inline(wish.decline)}." if wish.decline else \
            "rewrote the idea; the revision began from that text."
        st.markdown((f"{differences.badge(wish.id)} " if wish.id else ":material/person: ") + f"**{inline(wish.by, 80)}** {said}{late}")


def _verdict(verdict: Verdict) -> None:
    with st.container(border=True):
        st.markdown(":green-badge[:material/trending_up: Improved]" if verdict.improved else ":gray-badge[:material/trending_flat: No improvement]")
        st.markdown(shown(verdict.reason))
