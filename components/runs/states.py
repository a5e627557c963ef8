"""A run's state, always in the same words and colours, and what can be done about it."""

from collections.abc import Callable

import streamlit as st

from components.cases import save as case_save
from components.runs import writing
from components.runs.asking import cap_usd
from components.runs.models import trained
from components.shell import services, top
from components.shell.frame import told
from components.shell.text import counted, elapsed, inline, money, step_name
from core.errors import PAUSED, BadInput, FoundryError
from core.models.policy_files import origin
from core.models.prices import price
from core.models.thoughts import waits
from core.records import PARKED, Lost, Run, usage
from core.runs.catalogue import METHODS, entry, lack, people_instead
from core.runs.estimates import of_run
from core.runs.pace import (
    calls_made,
    is_measured_in_calls,
    seconds_a_step,
    steps_left,
    time_left,
)
from core.runs.workshop import DEFAULT_TOKENS
from core.story import Told

LOOKS: dict[str, tuple[str, str, str]] = {
    "queued": ("gray", ":material/hourglass_empty:", "Queued"),
    "running": ("blue", ":material/progress_activity:", "Running"),
    "waiting": ("orange", ":material/person_raised_hand:", "Waiting for you"),
    "capped": ("orange", ":material/savings:", "Paused at a cap"),
    "stopped": ("gray", ":material/stop_circle:", "Stopped"),
    "interrupted": ("orange", ":material/power_off:", "Interrupted"),
    "failed": ("red", ":material/error:", "Failed"),
    "done": ("green", ":material/check_circle:", "Finished"),
}
EMPTY = ("orange", ":material/report:", "Finished without a result")
"""How a run looks that came to its end and has nothing to show for it."""
IN_VAIN = ("gray", ":material/search_off:", "Nothing found")
"""How a chain looks for which every source answered, and none had a paper."""
OPEN = ("blue", ":material/how_to_vote:", "Open for votes")
"""How an arena looks in which people alone vote: it takes votes at any time."""
PAUSE = ("gray", ":material/pause_circle:", "Paused")
"""How a stopped run looks that was asked to pause."""


def look(run: Run) -> tuple[str, str, str]:
    """Return a state's colour, icon and word."""
    if run.state == "done" and run.config.inputs.get("people_only") and not run.packed:
        return OPEN
    if lack(services.store(), run):
        return EMPTY
    if _in_vain(run):
        return IN_VAIN
    return PAUSE if run.state == "stopped" and run.reason == PAUSED else LOOKS[run.state]


def badge(run: Run) -> str:
    """Return the state as a Markdown badge: colour, icon and word."""
    colour, icon, word = look(run)
    return f":{colour}-badge[{icon} {word}]"


def name_tab(run: Run) -> None:
    """Let the browser's tab say how a run stands, for who is at another one meanwhile."""
    name = " ".join(run.title.split())[:60]
    # Only what begins or ends draws the whole page anew.
    word = LOOKS["running"][2] if active(run) else look(run)[2]
    st.set_page_config(page_title=f"{word}: {name} · Idea Foundry")


def title(run: Run, page: str) -> None:
    """Draw a run's name as the way to its screen, and its state at the other end of the line."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(page, label=f"**{inline(run.title, 100)}**", query_params={"run": run.id})
        st.space("stretch")
        st.markdown(badge(run), width="content")


def active(run: Run) -> bool:
    return run.state in ("queued", "running")


PAGES = {name: f"pages/{one.screen}.py" for name, one in METHODS.items() if one.screen}
"""The page that shows a run of each method; what is not here is a look-up, shown among the runs."""
NO_IDEAS = tuple(name for name, one in METHODS.items() if one.makes != "ideas")
"""Methods whose runs come to no idea of their own."""


def head(run: Run, method: str, another: str, section: str = "") -> None:
    """Draw a run's title and where to go from it, to a section of its page if one is named; raises
    BadInput for a run that another screen shows.
    """
    if entry(run.config).screen != METHODS[method].screen:
        raise BadInput(
            f"“{run.title[:80]}” ({entry(run.config).label}) is shown on another page: open it from"
            " Runs."
        )
    name_tab(run)
    with st.container(gap=None):
        top.seen(run.id)
        with st.container():
            part_of(run)
            _ways(run, PAGES[method], another, section)
        for name in dict.fromkeys(run.config.models.values()):
            _trained_here(name)


def _ways(run: Run, page: str, another: str, section: str) -> None:
    # A title that leaves the ways no room stands in a line of its own.
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(inline(run.title, 160), width="stretch")
        with st.container(horizontal=True, width="content", gap="xxsmall", key="run-ways"):
            case_save.play(run)
            st.page_link(
                page,
                label=another,
                icon=":material/add:",
                query_params={"section": section} if section else None,
            )
            st.page_link(
                "pages/runs.py",
                label="Steps and export",
                icon=":material/list_alt:",
                query_params={"run": run.id},
            )


def _trained_here(name: str) -> None:
    """Say whence a policy of a run comes, with the way to its training."""
    if not (policy := trained(name)):
        return
    said = f"{inline(name)}: {inline(origin(policy), 300)}"
    try:
        training = services.store().runs.get(policy.run)
    except BadInput:
        st.caption(said)  # Removed since; the policy stays.
        return
    st.page_link(
        PAGES.get(training.config.method, "pages/runs.py"),
        label=said,
        icon=":material/model_training:",
        query_params={"run": policy.run},
    )


def part_of(run: Run) -> None:
    """Draw the way back to the experiment that had a run made."""
    if not run.sweep:
        return
    try:
        whole = services.store().runs.get(run.sweep)
    except BadInput:
        return  # Removed since; the run stays.
    cell = (run.cell or "").rpartition("/")[0]
    query = {"run": run.sweep, "cell": cell} if cell.count("/") == 3 else {"run": run.sweep}
    st.page_link(
        PAGES.get(whole.config.method, "pages/runs.py"),
        label=f"Part of the experiment “{inline(whole.title, 80)}”",
        icon=":material/science:",
        query_params=query,
    )


def followed(run: Run, draw: Callable[[Run], None]) -> None:
    """Draw a run, again every second while it is active; the place on the page stays the same when
    it ends, so nothing jumps.
    """
    # A run at rest is looked at too, more slowly: somebody may resume it in another window.
    draw_again(run, draw, 1.0 if active(run) else 5.0 if run.state != "done" else None)


def draw_again(run: Run, draw: Callable[[Run], None], seconds: float | None) -> None:
    """Draw a run, again after so many seconds; the whole page once it begins or ends."""
    live = active(run)

    @st.fragment(run_every=seconds)
    def drawn() -> None:
        with told():  # A fragment that runs by itself has left the page's frame.
            now = services.store().runs.get(run.id)
            if active(now) != live:
                st.rerun()
            draw(now)

    drawn()


def strip(run: Run, key: str, doing: str | None = None) -> None:
    """Draw state, numbers and controls of a run in one row; below it, where a page says what the
    run is `doing`, how far it is.
    """
    # In one place, whatever is said: a box below that moves forgets what is half typed in it.
    with st.container():
        _strip(run, key, doing)


def _strip(run: Run, key: str, doing: str | None) -> None:
    shows_progress = doing is not None and active(run)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        with st.container(horizontal=True, width="content", vertical_alignment="center", gap=None):
            st.markdown(f"{badge(run)} {case_save.badge(run)}", width="content")
            # The row stays as high when its last button goes.
            st.container(width=1, height=BUTTON, border=False)
        st.markdown(_facts(run, shows_progress), width="stretch")
        if not run.packed:
            with st.container(horizontal=True, width="content"):
                controls(run, key)
    if shows_progress:
        _progress(run, doing or "")
    elif active(run) and _now(run) == LOADING:
        st.caption(f":material/hourglass_top: {LOADING}")
    say_refused()
    if said := lack(services.store(), run):
        say = st.info if run.config.inputs.get("people_only") else st.warning
        say(inline(said))
    # On its own screen the questions themselves are below.
    if run.state == "waiting" and key == "runs" and (page := PAGES.get(run.config.method)):
        st.page_link(
            page,
            label="It waits for your answer: see its questions",
            icon=":material/person_raised_hand:",
            query_params={"run": run.id},
        )
    elif run.state != "waiting" and run.reason:
        failed = run.state == "failed"
        say = st.info if failed and _in_vain(run) else st.error if failed else st.warning
        say(inline(run.reason, 1000))
    if run.state == "capped":
        _raise_cap(run, key)


def _facts(run: Run, shows_progress: bool) -> str:
    """Say how many steps a run has, what they took, and who was asked."""
    steps = taken(run) if shows_progress else _steps(run)
    if case_save.authored(run):
        return steps  # Texts that were written for a case study took neither calls nor time.
    if run.config.inputs.get("people_only") and not run.steps:
        return _models(run)
    return f"{steps} · {_numbers(run)}"


def _models(run: Run) -> str:
    if people := people_instead(run.config):
        icon = "group" if people.startswith("people") else "person"
        return f":gray-badge[:material/{icon}: {people}, no model is asked]"
    builtin = {"builtin": ":material/extension: built-in model, rule-based"}
    names = dict.fromkeys(run.config.models.values())
    return " ".join(f":gray-badge[{builtin.get(name) or inline(name)}]" for name in names)


def _numbers(run: Run) -> str:
    numbers = usage.calls(run.calls, run.maybe_paid)
    if set(run.config.models.values()) != {"builtin"}:
        tokens = usage.all_tokens(run.tokens_in, run.tokens_out, run.calls, run.unreported)
        numbers += f" · {tokens}"
    # How many calls there were stands beside it.
    every = run.unpriced and run.unpriced >= run.calls and not run.cost
    cost = "price not known" if every else inline(money(run))
    return f"{numbers} · {cost} · {elapsed(run)} {_models(run)}"


def answered(run: Run) -> Run:
    """Return a benchmark's run with the answers that are there in place of steps, of which it has
    none; any other run as it is.
    """
    if not entry(run.config).cells:
        return run
    tally = services.store().benchmarks.sums.tally(run.id)
    return run.model_copy(
        update={"steps": sum(n for (_, _, state), n in tally.items() if state == "done")}
    )


def taken(run: Run) -> str:
    """Say how many steps a run has, or how many answers a benchmark."""
    return counted(answered(run).steps, _unit(run))


def _unit(run: Run) -> str:
    return entry(run.config).counts


def _steps(run: Run) -> str:
    if not active(run):
        return taken(run)
    done = answered(run).steps
    expected = done + steps_left(services.store(), answered(run))
    return f"{done:,} of about {expected:,} {_unit(run)}s"


def _progress(run: Run, doing: str) -> None:
    """Draw what the run does now, how many steps of about how many are done, and how long it still
    takes where earlier runs tell.
    """
    store = services.store()
    # A refinement ends as soon as its rounds bring nothing more.
    about = "at most about" if entry(run.config).advances == "rounds" else "about"
    if is_measured_in_calls(run):
        done, unit = calls_made(store, run), "call"
        expected = max(done + 1, of_run(run).calls)
    else:
        done, unit = answered(run).steps, _unit(run)
        expected = done + max(1, steps_left(store, answered(run)))
    facts = [f"{done:,} of {about} {expected:,} {unit}s"]
    if pace := _pace(run):
        left = time_left(pace * (expected - done))
        facts.append(left.replace("about", about))
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/edit_note: {inline(_now(run) or doing, 160)}", width="content")
            st.space("stretch")
            st.caption(" · ".join(facts), width="content")
        st.progress(min(done / expected, 0.99))


def _now(run: Run) -> str:
    """Say what the run is held up by at this moment; empty where it is not."""
    if run.state == "queued":
        return "Waits for its turn: other runs are at work."
    if entry(run.config).own_process:
        return ""  # What this server loads holds up no other process; its page says the rest.
    if services.workshop().embedder.state == "loading":
        return LOADING
    notes = [part.note for part in services.store().steps.partials(run.id)]
    return next((note for note in notes if waits(note)), "")


def _pace(run: Run) -> float | None:
    """Return the seconds a step takes, looked up once for each run that is watched."""
    key = f"states:pace:{run.id}"
    if key not in st.session_state:
        st.session_state[key] = seconds_a_step(services.store(), run)
    pace: float | None = st.session_state[key]
    return pace


LOADING = "Loading the embedding model: a few seconds, once after each start of the server."
BUTTON = 40
"""Height of a button in pixels."""


def _stop(run: Run, key: str, about: str) -> None:
    st.button(
        "Stop",
        icon=":material/stop_circle:",
        key=f"{key}:stop",
        on_click=attempt,
        args=("stop", run.id),
        help=about,
    )


def controls(run: Run, key: str) -> None:
    """Draw stop or resume, whichever makes sense."""
    if active(run):
        st.button(
            "Pause",
            icon=":material/pause_circle:",
            key=f"{key}:pause",
            on_click=attempt,
            args=("stop", run.id, "after calls"),
            help="Finishes the calls in flight, then pauses. Resume continues from there.",
        )
        if entry(run.config).advances:
            asked = services.store().runs.lease(run.id)["asked_to"] == "round"
            said = "Stops before the next revision" if asked else "Stop before the next revision"
            st.button(
                said,
                icon=":material/skip_next:",
                key=f"{key}:stop-round",
                disabled=asked,
                on_click=attempt,
                args=("stop", run.id, "after round"),
                help=(
                    "Finishes the work in progress, then stops. Make your changes, then choose"
                    " Resume."
                ),
            )
        _stop(
            run,
            key,
            "Stops at once. Calls in flight are lost and paid for again on Resume; everything else"
            " is kept.",
        )
    elif run.state == "waiting" and services.store().answers.open(run.id):
        # It goes on by itself once it is answered.
        _stop(run, key, "It waits no longer. Everything is kept, and Resume asks you again.")
    elif run.state in (*PARKED, "failed") and run.state != "capped" and not _in_vain(run):
        st.button(
            "Resume",
            icon=":material/play_circle:",
            key=f"{key}:resume",
            on_click=attempt,
            args=("resume", run.id),
            type="secondary" if run.state == "failed" else "primary",
            help=("Continues from the last recorded step. Recorded steps are not paid for again."),
        )


def _in_vain(run: Run) -> bool:
    """Whether a chain failed because no paper was found: that answer is recorded, so resuming would
    end the same.
    """
    chain = PAGES.get(run.config.method) == PAGES["chain"]
    return run.state == "failed" and chain and services.store().steps.found_nothing(run.id)


def doing(run: Run, *places: str) -> None:
    """Draw what the run works on at this moment, or what of it is at one of these places: which
    steps, how far their text is, what is waited for.
    """
    parts = [
        part
        for part in services.store().steps.partials(run.id)
        if part.key.startswith(places or "")
    ]
    for part in parts[:4]:
        with st.container(border=True, gap="xsmall"):
            st.markdown(f":gray[:material/edit_note: {inline(step_name(part.key))}]")
            writing.draw(part)


def _raise_cap(run: Run, key: str) -> None:
    (usd, tokens), least = services.store().runs.caps(run.id), _least_cap(run)
    if tokens and not run.config.cap_chosen and tokens == run.config.cap_tokens:
        tokens *= 2  # Nobody chose it: what is proposed lets the run go on.
    with st.container(horizontal=True, vertical_alignment="bottom"):
        cap_usd(f"{key}:usd", value=usd, persist_state=None)
        st.number_input(
            "Cap for this run, tokens",
            min_value=0,
            value=tokens,
            step=100_000,
            key=f"{key}:tokens",
            placeholder=f"{least:,}" if least else "no cap",
        )
        st.page_link("pages/settings.py", label="Monthly cap", icon=":material/tune:")
        st.button(
            "Save caps and go on",
            type="primary",
            key=f"{key}:go-on",
            on_click=_go_on,
            args=(run, key),
        )


def _go_on(run: Run, key: str) -> None:
    usd = st.session_state[f"{key}:usd"]
    tokens = st.session_state[f"{key}:tokens"]
    if usd is not None and usd < 0:
        return  # Said under the field.
    least = _least_cap(services.store().runs.get(run.id))
    attempt("resume", run.id, cap_usd=usd or None, cap_tokens=tokens or least)


def _least_cap(run: Run) -> int | None:
    """Return the cap on tokens where none is typed: where a price is unknown, no cap in dollars
    would ever end the run.
    """
    known = not run.unpriced and all(
        price(name, 1, 1) is not None for name in run.config.models.values()
    )
    return None if known else DEFAULT_TOKENS


def attempt(what: str, *args: object, **kwargs: object) -> None:
    """Ask the runner for something; what speaks against it is said at the next drawing."""
    try:
        getattr(services.runner(), what)(*args, **kwargs)
    except FoundryError as error:
        # Kept for the drawing that follows: a callback inside a fragment may not draw.
        st.session_state["states:said"] = str(error)


def say_refused() -> None:
    """Say what spoke against the last thing the runner was asked for."""
    if said := st.session_state.pop("states:said", None):
        st.toast(inline(said), icon=":material/info:")


def lost(story: Told) -> None:
    """Draw every part that came to nothing while the rest went on without it, and why."""
    for one in story.all(Lost):
        st.caption(
            f":material/remove_done: Failed and skipped: {inline(one.part)}."
            f" {inline(one.reason, 600)}"
        )
