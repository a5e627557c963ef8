"""Settings: models, keys, caps, and the data folder."""

import os
from datetime import UTC, datetime

import streamlit as st

from components.runs import models
from components.settings import connect
from components.settings import view as setting_view
from components.shell import cached, meaning, services
from components.shell.frame import frame
from components.shell.text import inline
from core import doctor
from core.desk import MONTH_CAP
from core.errors import FoundryError
from core.literature import SOURCES, label
from core.runs.catalogue import ROLES
from core.settings import SOURCE_KEYS, faults
from core.store import upkeep
from core.store.backups import backup

TYPED = "wipe everything"
RECOMMENDED = {"semantic-scholar|openalex": " :green-badge[recommended with a network]"}


def connections() -> None:
    """What can be asked from here, and a way to connect more."""
    connect.draw(cached.reach())
    if st.button("Look again", icon=":material/refresh:", type="tertiary", key="settings:look"):
        cached.look_again()
        st.rerun()


def chosen_models() -> None:
    """A model for each role, each with a test."""
    shop = services.workshop()
    for role in ROLES:
        left, right = st.columns([4, 1], vertical_alignment="bottom")
        with left:
            setting_view.role(role, shop.chosen(role), models.names(), choose)
        if said := st.session_state.pop(f"settings:refused-{role}", None):
            st.error(inline(said, 1_000), icon=":material/error:")
        if right.button(
            "Test",
            icon=":material/network_check:",
            key=f"settings:test-{role}",
            help="Makes one real call, which may cost a little.",
        ):
            setting_view.tested(test(shop.chosen(role)))
    st.caption("New runs use these; a run that has begun keeps the models it began with.")


def literature() -> None:
    """Where new runs look for papers."""
    shop = services.workshop()
    offered = tuple(SOURCES)
    chosen = shop.chosen_source()
    st.radio(
        "Where new runs look for papers",
        offered,
        offered.index(chosen),
        # The key names the choice, so that a page left open elsewhere never puts an older one back.
        key=f"settings:source:{chosen}",
        format_func=lambda name: label(name) + RECOMMENDED.get(name, ""),
        captions=[_about(name) for name in offered],
        on_change=choose_source,
        args=(chosen,),
    )
    for wrong in faults(shop.settings, SOURCE_KEYS):
        st.warning(inline(wrong, 600), icon=":material/link_off:")


def _about(source: str) -> str:
    said = SOURCES[source].partition(": ")[2]
    return said[:1].upper() + said[1:]


def choose_source(before: str) -> None:
    """Keep the choice of literature."""
    picked = str(st.session_state[f"settings:source:{before}"])
    services.store().places.choose("source", picked)


def choose(role: str, name: str) -> None:
    """Keep the choice of a model that can be opened; say what is wrong with another."""
    shop = services.workshop()
    try:
        shop.model(name)
        shop.store.places.choose(f"model-{role}", name)
    except FoundryError as error:
        st.session_state[f"settings:refused-{role}"] = str(error)


def test(name: str) -> dict[str, object] | str:
    """Make one real call and return its numbers, or the sentence of its failure."""
    try:
        with st.spinner("Asking ..."):
            return services.workshop().test_model(name)
    except FoundryError as error:
        return str(error)


def keys() -> None:
    """Keys: where they are from, and one for this server's memory."""
    shop = services.workshop()
    held = frozenset(shop.settings.keys) | {
        source for source, field in SOURCE_KEYS.items() if getattr(shop.settings, field)
    }
    places = setting_view.key_places(os.environ, held)
    if shop.address:
        typed = "typed here, in this server's memory" if "openai" in held else "no key"
        places["openai"] = f"for {shop.address}: {typed}; the environment's is not sent there"
    setting_view.keys(places, held, use_key)
    if said := st.session_state.pop("settings:key-refused", None):
        st.error(inline(said), icon=":material/error:")


def use_key(provider: str, key: str | None) -> None:
    """Take a key into this server's memory, or forget it."""
    try:
        services.workshop().with_key(provider, key)
    except FoundryError as error:
        st.session_state["settings:key-refused"] = str(error)
    cached.look_again()


def caps() -> None:
    """The cap per month."""
    places, month = services.store().places, datetime.now(UTC).strftime("%Y-%m")
    held = places.choice(MONTH_CAP)
    wish = setting_view.month_cap(
        float(held) if held else None, *services.store().steps.spent(month), month
    )
    if wish is not None:
        places.choose(MONTH_CAP, str(wish) if wish else None)
        st.rerun()


def data() -> None:
    """The data folder: where, how large, its backups, emptying it."""
    store = services.store()
    setting_view.folder(store.folder, upkeep.size(store))
    back_up()
    if setting_view.wish_to_wipe():
        confirm_wipe()
    if said := st.session_state.pop("settings:wiped", None):
        (st.success if said == "done" else st.error)(
            "Everything is gone. Backups are still in the folder."
            if said == "done"
            else inline(said)
        )


def back_up() -> None:
    """Which backups there are, and one more."""
    chosen = services.workshop().settings
    place = backup.place(services.store(), chosen.backups)
    found = backup.listed(place)
    state, said = doctor.told(found, chosen.backup_every, datetime.now(UTC))
    if setting_view.backups(place, found, said, missed=state == "broken"):
        try:
            with st.spinner("Writing and reading back ..."):
                made = backup.make(services.store(), place)
            st.session_state["settings:backed-up"] = f"Written and read back: {made.path}"
            st.rerun()
        except FoundryError as error:
            st.error(inline(str(error), 1_000), icon=":material/error:")
    if said := st.session_state.pop("settings:backed-up", None):
        st.success(inline(said, 1_000), icon=":material/check_circle:")


def condition() -> None:
    """What is installed, and, for who asks, whether all is in order."""
    meaning.state("settings")
    setting_view.versions()
    if st.button("Check everything", icon=":material/health_and_safety:", key="settings:examine"):
        with st.spinner("Looking ..."):
            setting_view.examined(doctor.examine(services.workshop().settings))


@st.dialog("Wipe all data?", icon=":material/delete_forever:")
def confirm_wipe() -> None:
    """Ask before everything goes."""
    st.markdown(
        "**What goes:** all runs with their steps and costs, saved ideas, ratings and rankings,"
        " papers, choices made here."
    )
    st.markdown("**What stays:** backups in the folder.")
    with st.form("settings:wipe-form", border=False):
        st.text_input(f"Type “{TYPED}” to confirm", key="settings:wipe-typed")
        if st.form_submit_button("Wipe", type="primary", on_click=wipe):
            st.rerun()


def wipe() -> None:
    """Empty the database if that was typed."""
    if st.session_state.get("settings:wipe-typed", "").strip().lower() != TYPED:
        st.session_state["settings:wiped"] = "Nothing was wiped: the words were not typed."
        return
    try:
        upkeep.wipe(services.store())
        st.session_state["settings:wiped"] = "done"
    except FoundryError as error:
        st.session_state["settings:wiped"] = str(error)


with frame("pages/settings.py"):
    for heading, draw in (
        ("Connect a model", connections),
        ("Models by role", chosen_models),
        ("Literature", literature),
        ("Keys", keys),
        ("Spending", caps),
        ("Data", data),
        ("Embedding model, versions, condition", condition),
    ):
        with st.container(border=True):
            st.subheader(heading, anchor=False)
            draw()
