"""A ranking on screen: where the published idea stands and how sure that is, judge by judge; then
the orders, and why.
"""

from collections.abc import Mapping, Sequence
from math import isclose
from statistics import fmean
from string import ascii_uppercase

import streamlit as st

from components.ranking import orders, person
from components.ranking.orders import called, mean_places, meaning, sure
from components.runs import export as run_export
from components.runs import states
from components.runs.states import active
from components.shell import idea_card, in_view, judge_note, services
from components.shell.text import counted, inline
from core.judging import ranked_sets
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.judging.ranking import TARGET, q_of
from core.records import Idea, Indicator, Run, Standing
from core.store.steps import AnsweredStep, played_by
from core.story import Story
from core.tables.sheets import rows_as_csv

HEAD = ("set", "quality", "judge", "repeat", "q", "place", "shown as", "candidate", "reason")


def whole(run: Run) -> None:
    """Draw the ranking; while it is active, redraw every second."""
    states.head(run, "rank", "New ranking")
    states.followed(run, _draw)


def standings(story: Story) -> dict[str, Standing]:
    """Return what is there so far by place: `judge/final/novelty`."""
    return {place: one for place, one in story.parts if isinstance(one, Standing)}


def _draw(run: Run) -> None:
    in_view.follow("ranking")
    asked, story = run.inputs_as(RankInputs), Story.of(services.store(), run.id)
    states.strip(run, "ranking")
    held = standings(story)
    names, answered = person.called(run, asked), services.store().steps.answered(run)
    wanted = len(names) * len(asked.sets) * len(asked.goals)
    if active(run):
        st.progress(
            min(1.0, len(held) / wanted),
            text=f"{len(held)} of {counted(wanted, 'ranking')} so far",
        )
        states.doing(run)
    if person.hides(run, asked, held):
        person.seat(run, asked)
        return
    if not held and not active(run):
        st.info(
            "No rankings yet."
            + ("" if run.state == "done" else " Resume asks for what is missing."),
            icon=":material/format_list_numbered:",
        )
    if held:
        judged = (played_by(answered, role, judge) for role, judge in names.items())
        judge_note.draw(model for models in judged for model in models)
    for one in asked.sets:
        if len(asked.sets) > 1:
            st.markdown(f"#### {inline(one.name)}")
        for goal in asked.goals:
            _goal(run, one, goal, held, by_place(answered, names, one.name, goal.name))
    _ideas(asked.sets, story)
    if held:
        with st.container(horizontal=True):
            st.download_button(
                "Every place and reason (CSV)",
                lambda: sheet(run, asked, held),
                f"{run_export.named(run)}-ranking.csv",
                "text/csv",
                key="ranks:csv",
                icon=":material/download:",
                on_click="ignore",
            )
            with st.popover("Export", icon=":material/download:"):
                run_export.draw(run, "ranks")


def by_place(
    answered: Sequence[AnsweredStep], judges: Mapping[str, str], name: str, goal: str
) -> dict[str, str]:
    """Return who ranked a set by a quality, by role: a branch may go on with another judge than the
    one it took rankings over from.
    """
    found = dict[str, str]()
    for role, judge in judges.items():
        place = ranked_sets.place(role, name, goal)
        said = ", then ".join(played_by(answered, role, judge, place))
        found[role] = said if said not in found.values() else f"{said} ({role})"
    return found


def _goal(
    run: Run, one: IdeaSet, goal: Indicator, held: dict[str, Standing], judges: dict[str, str]
) -> None:
    """Draw how the judges see a set by one quality, side by side, and then each of them in full."""
    said = {
        role: found
        for role in judges
        if (found := held.get(ranked_sets.place(role, one.name, goal.name)))
    }
    if not said:
        return
    st.markdown(
        f"##### By {inline(goal.name)}",
        help=f"{orders.MEANS} Traits: {inline('; '.join(goal.traits))}",
    )
    for column, (role, standing) in zip(st.columns(max(len(said), 3)), said.items(), strict=False):
        with column, st.container(border=True, gap="xsmall"):
            _figure(judges[role], standing)
    person.agreements(said, judges)
    by = {judges[role]: mean_places(one) for role, one in said.items()}
    names = {name for places in by.values() for name in places}
    means = {name: fmean(places.get(name, 0.0) for places in by.values()) for name in names}
    rows = []
    for name in sorted(names, key=lambda name: (means[name], name)):
        row: dict[str, object] = {"Candidate": called(name, {})}
        for judge, places in by.items():
            if name in places:
                row[f"Mean place by {judge}"] = round(places[name], 2)
        rows.append(row)
    st.dataframe(rows, hide_index=True)
    if len({round(mean, 9) for mean in means.values()}) < len(means):
        st.caption(
            "Candidates of the same mean place are tied: they stand in the order of their names."
        )
    role = next(iter(said))
    if len(said) > 1:
        role = st.segmented_control(
            "Judge",
            list(said),
            key=f"ranks:of:{run.id}:{one.name}:{goal.name}",
            default=role,
            required=True,
            persist_state="session",
            format_func=lambda name: inline(judges[name], 40),
        )
    orders.draw(said[role], {}, f"ranks:{run.id}:{one.name}:{goal.name}:{role}")


def _figure(judge: str, standing: Standing) -> None:
    """Draw Q large, with what it means and how sure it is."""
    if standing.q is None:
        places = mean_places(standing)
        best = [name for name, mean in places.items() if isclose(mean, min(places.values()))]
        level = " (a tie)" if len(best) > 1 else ""
        names = ", ".join(f"**{inline(name, 120)}**" for name in best) or "**none**"
        st.markdown(f"Best by {inline(judge, 60)}{level}: {names}")
        st.caption(f"Ranked among themselves. {counted(len(standing.rankings), 'repeat')}.")
        return
    st.metric(f"Q by {inline(judge, 60)}", f"{standing.q:.2f}")
    meant, places = meaning(standing.q), mean_places(standing)
    place = orders.say_place(standing, places[TARGET])
    st.markdown(f"{meant[:1].upper()}{meant[1:]}: **{place} of {len(places)}**.")
    st.caption(sure(standing))


def _ideas(sets: Sequence[IdeaSet], story: Story) -> None:
    """Draw the candidates as they were given, and as the judges read them."""
    formed = {
        place: record
        for place, record in story.parts
        if isinstance(record, Idea) and place.startswith("form/")
    }
    with st.expander("The candidates", key="ranks:candidates"):
        for one in sets:
            for name, idea in one.whole.items():
                icon = ":material/adjust: " if name == TARGET else ""
                with st.expander(
                    f"{icon}{inline(called(name, {}), 110)}",
                    key=f"ranks:candidate:{one.name}:{name}",
                    type="compact",
                ):
                    idea_card.draw(idea, None, "", "")
                    if made := formed.get(f"form/{idea.digest()[:12]}"):
                        st.caption("As the judges read it, in six fields:")
                        idea_card.draw(made, None, "", "")


def sheet(run: Run, asked: RankInputs, held: dict[str, Standing]) -> str:
    """Return every place of every repeat as CSV, with its reason and the letter it was shown
    under.
    """
    rows: list[tuple[object, ...]] = [HEAD]
    judges, answered = person.called(run, asked), services.store().steps.answered(run)
    for one in asked.sets:
        for goal in asked.goals:
            for role, judge in by_place(answered, judges, one.name, goal.name).items():
                standing = held.get(ranked_sets.place(role, one.name, goal.name))
                for n, ranked in enumerate(standing.rankings if standing else (), 1):
                    q = repr(q_of(ranked)) if TARGET in ranked.shown else ""
                    for place, (name, reason) in enumerate(
                        zip(ranked.best_first, ranked.reasons, strict=True), 1
                    ):
                        letter = ascii_uppercase[ranked.shown.index(name)]
                        candidate = called(name, {})
                        rows.append(
                            (one.name, goal.name, judge, n, q, place, letter, candidate, reason)
                        )
    return rows_as_csv(rows)
