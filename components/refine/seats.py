"""A person in an actor's place: the form for a review, a verdict, an idea, or the word to go on."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from components.refine import idea_fields
from components.runs import answering, differences
from components.shell import idea_card, mistakes, person, services
from components.shell.frame import told
from components.shell.text import inline, shown
from core.errors import BadInput
from core.methods import RefineInputs
from core.methods.adversarial.actors import names
from core.records import (
    FORMS,
    Actor,
    Change,
    GoAhead,
    Heard,
    Idea,
    Indicator,
    Remark,
    Review,
    RevisedIdea,
    Run,
    Verdict,
    Wish,
)
from core.store.answers import FiledWish, OpenQuestion
from core.wording.differences import between, form_changed, seen_from_older

ASKS = {
    "first-idea": "This is the idea",
    "review": "Submit the review",
    "revise": "Submit the revision",
    "verdict": "Submit the verdict",
    "go-ahead": "Go on",
}
"""The steps of a refinement that a person may be asked, and what hands the answer in."""
MOST = 12
"""How many remarks the form for a review takes."""
About = Mapping[str, Any]
Answer = Callable[[], dict[str, Any]]
"""Returns the answer as the form holds it; raises BadInput for one that is not whole."""


def draw(run: Run, question: OpenQuestion) -> None:
    """Draw what the person is shown and the form for their answer."""
    given = question.question.get("shown")
    called = names(run.inputs_as(RefineInputs).play.variant)
    about: About = {
        **(given if isinstance(given, dict) else {}),
        "called": called,
        "run": run.id,
        "filed": _filed(question),
    }
    asked, key = question.key.rsplit("/", 1)[-1], f"seat:{run.id}:{question.key}"
    answering.restored(question, key)
    with told():
        answer = {
            "first-idea": _first_idea,
            "review": _review,
            "revise": _revise,
            "verdict": _verdict,
            "go-ahead": _go_ahead,
        }[asked](about, key)
        if st.button(
            ASKS[asked],
            type="primary",
            icon=":material/play_circle:" if asked == "go-ahead" else ":material/check:",
            key=f"{key}:go",
        ):
            with mistakes.kept(key):
                made = answer()
                answering.forget(question, key)
                answering.hand_in(question, made)
        answering.keep(question, key, _boxes(key))
        answering.begin(question, key)
        mistakes.shown(key)


def _boxes(key: str) -> list[str]:
    """Return the names of the boxes that are drawn under this key, without the button."""
    names = [str(name) for name in st.session_state if str(name).startswith(f"{key}:")]
    return [name.removeprefix(f"{key}:") for name in names if name != f"{key}:go"]


def _filed(question: OpenQuestion) -> Sequence[FiledWish]:
    """Return what people asked of the idea that the question is about before it was put."""
    line = re.match(r"idea-(\d+)/", question.key)
    n = int(line[1]) if line else 1
    pending = services.store().answers.pending(question.run)
    return [filed for filed in pending if filed.wish.line == n]


def _first_idea(about: About, key: str) -> Answer:
    st.markdown(
        f"**You are the {_called(about, 'generator')}.** Propose the first idea on:"
        f" {inline(str(about.get('topic', '')), 1000)}"
    )
    text = st.text_area(
        "The idea, in one paragraph", key=f"{key}:idea", height=160, persist_state="session"
    )

    def answer() -> dict[str, Any]:
        if not (text or "").strip():
            raise BadInput("Write the idea first: what would be true, why, and how one could tell.")
        return {"hypothesis": text}

    return answer


def _review(about: About, key: str) -> Answer:
    goal = _goal(about)
    st.markdown(
        f"**You are the {_called(about, 'optimizer')}.** Say why this idea falls short of"
        f" {inline(goal.name)} ({inline('; '.join(goal.traits), 600)})."
    )
    idea_card.draw(Idea.model_validate(about["idea"]), None, "", key)
    summary = st.text_area(
        "The review in a sentence or two", key=f"{key}:summary", height=70, persist_state="session"
    )
    # A row for every remark somebody wrote, and one more.
    written = [
        n for n in range(1, MOST + 1) if str(st.session_state.get(f"{key}:r{n}") or "").strip()
    ]
    last = min(MOST, 1 + max(written, default=0))
    rows = [_row(goal, n, key) for n in range(1, last + 1)]

    def answer() -> dict[str, Any]:
        remarks: list[Remark] = []
        for text, trait in rows:
            if text.strip():
                remarks.append(Remark(id=f"r{len(remarks) + 1}", text=text, trait=trait))
        if not summary.strip() or not remarks:
            raise BadInput("A review needs its sentence or two and at least one remark.")
        return Review(summary=summary, remarks=tuple(remarks)).model_dump(mode="json")

    return answer


def _row(goal: Indicator, n: int, key: str) -> tuple[str, str]:
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    text = left.text_area(f"Remark r{n}", key=f"{key}:r{n}", height=68, persist_state="session")
    trait = right.selectbox(
        f"Trait of r{n}",
        goal.traits,
        index=None,
        key=f"{key}:t{n}",
        placeholder="its trait",
        persist_state="session",
    )
    return text or "", trait or ""


def _revise(about: About, key: str) -> Answer:
    idea = Idea.model_validate(about["idea"])
    review = Heard.model_validate(about["review"]) if about.get("review") else None
    remarks = review.remarks if review else ()
    wishes = [Wish.model_validate(one) for one in about.get("wishes", ())]
    st.markdown(
        f"**You are the {_called(about, 'generator')}.** Revise the idea so that it gains in"
        f" {inline(_goal(about).name)}."
    )
    if review:
        _shown(review)
    for wish in wishes:
        st.markdown(
            f":material/person: **{inline(wish.id)}** {inline(wish.text, 2000)}"
            f" ({inline(wish.by, 60)})"
        )
    if idea.form != "six-field":
        with st.expander("The idea as it stands"):
            idea_card.draw(idea, None, "", key)
    now = {name: idea.fields.get(name, "") for name in FORMS["six-field"]}
    fields = idea_fields.draw(now, key)
    ids = [*(remark.id for remark in remarks), *(wish.id for wish in wishes)]
    answered: list[str] = []
    if ids:
        answered = st.pills(
            "Which remarks does it answer?",
            ids,
            selection_mode="multi",
            key=f"{key}:answers",
            persist_state="session",
        )

    def answer() -> dict[str, Any]:
        idea_fields.refuse_empty(fields, "Say there that nothing is known yet, if so.")
        changes = tuple(
            Change(field=name, passage=text.strip(), remarks=tuple(answered))
            for name, text in fields.items()
            if text.strip() != now[name].strip()
        )
        return RevisedIdea(**fields, changes=changes).model_dump(mode="json")

    return answer


def _verdict(about: About, key: str) -> Answer:
    goal = _goal(about)
    st.markdown(
        f"**You are the {_called(about, 'discriminator')}.** Does the newer version significantly"
        " improve"
        f" on the older one in {inline(goal.name)} ({inline('; '.join(goal.traits), 600)})?"
    )
    _versions(Idea.model_validate(about["older"]), Idea.model_validate(about["newer"]))
    if about.get("review"):
        with st.expander("The review the newer version answers"):
            _shown(Heard.model_validate(about["review"]))
    decided = st.radio(
        "Your verdict",
        (True, False),
        index=None,
        key=f"{key}:improved",
        horizontal=True,
        persist_state="session",
        format_func=lambda better: (
            "Significantly better" if better else "No significant improvement"
        ),
    )
    why = st.text_area("Why (needed)", key=f"{key}:reason", height=90, persist_state="session")
    reason = why or ""

    def answer() -> dict[str, Any]:
        if decided is None or not reason.strip():
            raise BadInput("Choose one of the two, and say why.")
        return Verdict(improved=decided, reason=reason).model_dump(mode="json")

    return answer


def _versions(older: Idea, newer: Idea) -> None:
    """Draw the two versions side by side, what went and what came marked."""
    marking = st.toggle(
        "Mark what changed", value=True, key="refine:verdict:marked", persist_state="session"
    )
    if changed := form_changed(older, newer):
        st.caption(changed)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Older version**")
        if marking:
            differences.draw_side(seen_from_older(older, newer), "added")
        else:
            idea_card.draw(older, None, "", "")
    with right:
        st.markdown("**Newer version**")
        if marking:
            differences.draw_side(between(older, newer), "removed")
        else:
            idea_card.draw(newer, None, "", "")


def _go_ahead(about: About, key: str) -> Answer:
    idea, version = Idea.model_validate(about["idea"]), int(about["of"])
    review = Review.model_validate(about["review"]) if about.get("review") else None
    st.markdown(
        "**Before the next revision:** which remarks is it to answer, and what do you want besides?"
    )
    if review:
        st.markdown(shown(review.summary))
    filed: Sequence[FiledWish] = about["filed"]
    before = {one.wish.decline: one for one in filed if one.wish.decline and one.wish.of == version}
    remarks = review.remarks if review else ()
    declined = {remark.id for remark in remarks if not _follows(remark, remark.id in before, key)}
    for one in filed:
        if one.wish.text:
            by, text = inline(one.wish.by, 60), inline(one.wish.text, 300)
            st.caption(f":material/person: Also taken up, as {by} asked: {text}")
    own = st.text_area(
        "A remark of your own (optional)",
        key=f"{key}:own",
        height=80,
        persist_state="session",
    )
    with st.expander("Rewrite the idea first"):
        fields = idea_fields.draw(idea.fields, key)

    def answer() -> dict[str, Any]:
        by = person.name()
        for remark in before.keys() - declined:
            answering.withdraw(str(about["run"]), before[remark].number)
        wishes = [
            Wish(by=by, decline=remark, of=version) for remark in sorted(declined - before.keys())
        ]
        if own.strip():
            wishes.append(Wish(by=by, text=own))
        if rewritten := idea_fields.rewritten(idea, fields):
            wishes.append(Wish(by=by, idea=rewritten, of=version))
        return GoAhead(wishes=tuple(wishes)).model_dump(mode="json")

    return answer


def _follows(remark: Remark, declined: bool, key: str) -> bool:
    """Draw the box of a remark, not ticked where it was declined before; return what it says."""
    st.session_state.setdefault(f"{key}:{remark.id}", not declined)
    return st.checkbox(
        _said(remark),
        key=f"{key}:{remark.id}",
        persist_state="session",
        help="A remark that is not ticked is declined: the revision is made without it.",
    )


def _said(remark: Remark) -> str:
    trait = f" *({inline(remark.trait)})*" if remark.trait else ""
    return f"**{inline(remark.id)}** {inline(remark.text, 2000)}{trait}"


def _called(about: About, actor: Actor) -> str:
    return str(about["called"][actor])


def _goal(about: About) -> Indicator:
    return Indicator.model_validate(about["goal"])


def _shown(review: Heard) -> None:
    with st.container(border=True):
        st.markdown(shown(review.summary))
        for remark in review.remarks:
            st.markdown(f"- {_said(remark)}")
