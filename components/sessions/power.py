"""How sure a planned comparison of sources is to find a difference, before anybody is asked."""

from collections import Counter

import streamlit as st

from components.shell import services
from components.shell.text import inline
from core.agreement.power import MOST_SCORES, PowerDesign, needed, power, said
from core.records import Study
from core.runs.planning import validated
from core.studies.sourced import named

SIMULATED = 200
SHARES = (
    ("of_reviewers", "Reviewers", "How much of the variance of scores is that reviewers differ."),
    ("of_topics", "Topics", "How much is that topics differ."),
    ("of_ideas", "Ideas", "How much is that ideas of one source differ."),
)


def draw(study: Study, experts: int) -> None:
    """Draw the power of a draft that rates, for its two sources with most texts; nothing where it
    has not two.
    """
    if study.plan.task != "rate":
        return
    # Without labels, which an organiser sees beside the texts: sources stay hidden until the end.
    texts = services.store().study_keys.texts(study.id)
    key = {str(n): item for n, (_, item) in enumerate(texts)}
    sizes = Counter(named(key).values()).most_common(2)
    if len(sizes) < 2 or sizes[1][1] < 2:
        return
    topics = len({item.topic for item in key.values() if not item.attention})
    here = f"study:power:{study.id}"
    st.markdown("**Would a difference of sources be found?**")
    left, right = st.columns(2)
    difference = left.number_input(
        "A difference of",
        0.05,
        5.0,
        0.5,
        0.05,
        key=f"{here}:difference",
        help="In standard deviations of scores: 0.2 is small, 0.5 middling, 0.8 large.",
    )
    people = right.number_input(
        "by so many experts",
        study.plan.overlap,
        200,
        max(study.plan.overlap, experts or 6),
        key=f"{here}:experts:{study.plan.overlap}:{experts}",
    )
    shares = {}
    with st.popover("What scores vary by"):
        for name, label, about in SHARES:
            usual = PowerDesign.model_fields[name].default
            shares[name] = st.number_input(
                f"{label}, share of the variance",
                0.0,
                0.9,
                usual,
                0.05,
                key=f"{here}:{name}",
                help=about,
            )
    design = validated(
        PowerDesign,
        ideas=sizes[1][1],
        experts=int(people),
        overlap=study.plan.overlap,
        topics=max(topics, 1),
        difference=difference,
        **shares,
    )
    simulate = False
    if 2 * design.ideas * design.overlap <= MOST_SCORES:
        simulate = st.toggle(
            f"Check by {SIMULATED} simulated studies", key=f"{here}:simulate", value=False
        )
    with st.spinner("Simulating studies…"):
        found = power(design, SIMULATED if simulate else 0)
    st.markdown(inline(said(found, needed(design)), 900))
