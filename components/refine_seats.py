"""A person in an actor's place: the form for a review, a verdict, an idea, or the word to go on."""
from collections.abc import Mapping
from typing import Any

import streamlit as st

from components import idea_card, person, services
from components.frame import told
from components.refine_steer import idea_fields
from components.text import inline, shown
from core.errors import BadInput
from core.records import FORMS, Change, GoAhead, Idea, Indicator, Remark, Review, RevisedIdea, Run, Verdict, Wish, label
from core.store.answers import Question

ASKS = ("first-idea", "review", "revise", "verdict", "go-ahead")
"""The steps of a refinement that a person may be asked."""
ROWS = 6
"""How many remarks the form for a review has room for."""


def draw(run: Run, question: Question) -> None:
    """Draw what the person is shown and the form for their answer."""
    given = question.question.get("shown")
    about: Mapping[str, Any] = given if isinstance(given, dict) else {}
    asked, key = question.key.rsplit("/", 1)[-1], f"seat:{run.id}:{question.key}"
    with told():
        answer = {"first-idea": _first_idea, "review": _review, "revise": _revise, "verdict": _verdict, "go-ahead": _go_ahead}[asked](about, key)
        if answer is not None:
            services.runner().answer(run.id, question.key, answer, person.name())
            st.rerun()


def _first_idea(about: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    st.markdown(f"**You are the generator.** Propose the first idea on: {inline(str(about.get('topic', '')), 1000)}")
    text = st.text_area("The idea, in one paragraph", key=f"{key}:idea", height=160, persist_state="session") or ""
    if not st.button("This is the idea", type="primary", icon=":material/check:", key=f"{key}:go"):
        return None
    if not text.strip():
        raise BadInput("Write the idea first: what would be true, why, and how one could tell.")
    return {"hypothesis": text}


def _review(about: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    goal = _goal(about)
    st.markdown(f"**You are the reviewer.** Say why this idea falls short of {inline(goal.name)} ({inline('; '.join(goal.traits), 600)}).")
    idea_card.draw(Idea.model_validate(about["idea"]), None, "", key)
    summary = st.text_area("In a sentence or two", key=f"{key}:summary", height=70, persist_state="session") or ""
    remarks = []
    for n in range(1, ROWS + 1):
        left, right = st.columns([3, 1])
        text = left.text_input(f"Remark r{n}", key=f"{key}:r{n}", persist_state="session") or ""
        trait = right.selectbox(f"Trait of r{n}", goal.traits, index=None, key=f"{key}:t{n}", placeholder="its trait", persist_state="session")
        if not text.strip():
            break
        remarks.append(Remark(id=f"r{n}", text=text, trait=trait or ""))
    if not st.button("Hand in the review", type="primary", icon=":material/check:", key=f"{key}:go"):
        return None
    if not summary.strip() or not remarks:
        raise BadInput("A review needs its sentence or two and at least one remark.")
    return Review(summary=summary, remarks=tuple(remarks)).model_dump(mode="json")


def _revise(about: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    idea = Idea.model_validate(about["idea"])
    review = Review.model_validate(about["review"]) if about.get("review") else None
    wishes = [Wish.model_validate(one) for one in about.get("wishes", ())]
    st.markdown(f"**You are the generator.** Revise the idea so that it gains in {inline(_goal(about).name)}.")
    if review:
        _shown(review)
    for wish in wishes:
        st.markdown(f":material/person: **{inline(wish.id)}** {inline(wish.text, 2000)} ({inline(wish.by, 60)})")
    now = _six(idea)
    fields = {name: st.text_area(label(name), value=text, key=f"{key}:{name}", height="content", persist_state="session") or ""
              for name, text in now.items()}
    ids = [*(remark.id for remark in (review.remarks if review else ())), *(wish.id for wish in wishes)]
    answered = st.pills("Which remarks does it answer?", ids, selection_mode="multi", key=f"{key}:answers") if ids else []
    if not st.button("Hand in the revision", type="primary", icon=":material/check:", key=f"{key}:go"):
        return None
    if empty := [label(name) for name, text in fields.items() if not text.strip()]:
        raise BadInput(f"Nothing is written under {', '.join(empty)}. Say there that nothing is known yet, if so.")
    changes = tuple(Change(field=name, passage=text.strip(), remarks=tuple(answered)) for name, text in fields.items() if text.strip() != now[name].strip())
    return RevisedIdea(**fields, changes=changes).model_dump(mode="json")


def _verdict(about: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    goal = _goal(about)
    st.markdown(f"**You are the area chair.** Does the newer version significantly improve on the older one in {inline(goal.name)}?")
    left, right = st.columns(2, gap="medium")
    for column, name, said in ((left, "older", "Older version"), (right, "newer", "Newer version")):
        with column:
            st.markdown(f"**{said}**")
            idea_card.draw(Idea.model_validate(about[name]), None, "", f"{key}:{name}")
    if about.get("review"):
        with st.expander("The review the newer version answers"):
            _shown(Review.model_validate(about["review"]))
    decided = st.radio("Your verdict", (True, False), index=None, key=f"{key}:improved", horizontal=True, persist_state="session",
                       format_func=lambda better: "Significantly better" if better else "No significant improvement")
    reason = st.text_area("Why", key=f"{key}:reason", height=90, persist_state="session") or ""
    if not st.button("Hand in the verdict", type="primary", icon=":material/check:", key=f"{key}:go"):
        return None
    if decided is None or not reason.strip():
        raise BadInput("Choose one of the two, and say why.")
    return Verdict(improved=decided, reason=reason).model_dump(mode="json")


def _go_ahead(about: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    idea, version = Idea.model_validate(about["idea"]), int(about["of"])
    review = Review.model_validate(about["review"]) if about.get("review") else None
    by, wishes = person.name(), list[Wish]()
    st.markdown("**Before the next revision:** which remarks is it to answer, and what do you want besides?")
    if review:
        st.markdown(shown(review.summary))
    for remark in review.remarks if review else ():
        kept = st.checkbox(f"**{inline(remark.id)}** {inline(remark.text, 2000)}" + (f" *({inline(remark.trait)})*" if remark.trait else ""), value=True,
                           key=f"{key}:{remark.id}", help="A remark that is not ticked is declined: the revision is made without it.")
        wishes += [] if kept else [Wish(by=by, decline=remark.id, of=version)]
    own = st.text_area("A remark of your own (may stay empty)", key=f"{key}:own", height=80, persist_state="session") or ""
    with st.expander("Rewrite the idea first", icon=":material/edit:"):
        fields = idea_fields(idea, key)
    if not st.button("Go on", type="primary", icon=":material/play_circle:", key=f"{key}:go"):
        return None
    if not all(text.strip() for text in fields.values()):
        raise BadInput("Every field of the idea needs a text.")
    rewritten = Idea(form=idea.form, fields=fields)
    wishes += [Wish(by=by, text=own)] if own.strip() else []
    wishes += [Wish(by=by, idea=rewritten, of=version)] if rewritten != idea else []
    return GoAhead(wishes=tuple(wishes)).model_dump(mode="json")


def _goal(about: Mapping[str, Any]) -> Indicator:
    return Indicator.model_validate(about["goal"])


def _six(idea: Idea) -> dict[str, str]:
    """Return an idea's texts by the six fields: what its form has no counterpart for is empty."""
    return {name: idea.fields.get(name, "") for name in FORMS["six-field"]}


def _shown(review: Review) -> None:
    with st.container(border=True):
        st.markdown(shown(review.summary))
        for remark in review.remarks:
            st.markdown(f"- **{inline(remark.id)}** {inline(remark.text, 2000)}" + (f" *({inline(remark.trait)})*" if remark.trait else ""))
