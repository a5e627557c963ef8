"""Connecting a model in one step: what was found here, or a server at an address; then it is used
for everything, unless a role says otherwise.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from components.shell import cached, services
from components.shell.text import counted, inline
from core.errors import FoundryError, ModelFailed
from core.models import LOCAL, PROVIDERS
from core.models.reach import Reachable
from core.settings import fault, faults

NAMES = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google_genai": "Google",
    "openrouter": "OpenRouter",
    "ollama": "Ollama",
    LOCAL: "Trained here",
}
ADDRESS, KEY, SERVER = "settings:address", "settings:address-key", "settings:server"
FAILED = "settings:address-failed"
"""What is wrong at the address that was typed last."""


def draw(found: Sequence[Reachable]) -> None:
    """Draw every model that was found with a button that uses it, and the way to a server."""
    others = [one for one in found if one.provider not in ("builtin", LOCAL)]
    silent = not any(one.provider == "openai" for one in others)
    shop = services.workshop()
    troubles = list(faults(shop.settings, PROVIDERS))
    if shop.address and silent and not fault(shop.settings, "openai"):
        troubles += filter(None, [cached.server_trouble()])
    for wrong in troubles:
        st.warning(inline(wrong, 600), icon=":material/link_off:")
    if not troubles and not others:
        st.markdown(
            "No language model was found: there is no key in the environment, and no local server"
            " answers. Until one is connected, the built-in model does all that rules can do."
        )
    for one in (*others, *(one for one in found if one.provider == LOCAL)):
        with st.container(horizontal=True, vertical_alignment="center"):
            offer(one, "settings")
    with st.expander("Connect a server by its address", icon=":material/dns:"):
        _server()


def offer(one: Reachable, place: str) -> None:
    """Draw what was found and the button that uses it for everything."""
    models = f", {counted(len(one.models), 'model')}" if one.models else ""
    name = NAMES.get(one.provider, one.provider)
    st.badge(inline(name), icon=":material/link:", color="green")
    st.caption(inline(f"{one.how}{models}"), width="content")
    if services.workshop().uses(one.main, one.cheap):
        st.caption(":material/check: used for everything", width="content")
    elif one.main:
        st.button(
            "Use for everything",
            key=f"{place}:use:{one.provider}",
            type="primary",
            on_click=_attempt,
            args=(place, services.workshop().use_for_everything, one.main, one.cheap),
            help=inline(f"{one.main} writes and judges, {one.cheap} reads papers."),
        )
    _refused(place)


def _attempt(place: str, act: Callable[..., None], *given: object) -> None:
    """Do what a click asks for; what speaks against it is said at the next drawing."""
    try:
        act(*given)
    except FoundryError as error:
        st.session_state[f"{place}:refused"] = str(error)
    cached.look_again()


def _refused(place: str) -> None:
    if said := st.session_state.pop(f"{place}:refused", None):
        st.error(inline(said, 1_000), icon=":material/error:")


def _server() -> None:
    shop = services.workshop()
    if shop.settings.openai_url and not shop.address:
        st.caption(
            "The environment names a server (OPENAI_BASE_URL or FOUNDRY_OPENAI_URL); another one is"
            " named there."
        )
        return
    st.caption(
        "Any server that speaks OpenAI's API: vLLM, llama.cpp, LM Studio, a gateway of your"
        " institute. The address is kept; a key is kept in this server's memory only. A key of the"
        " environment is not sent there."
    )
    with st.form("settings:server-form", border=False):
        where, key, give = st.columns([4, 3, 2], vertical_alignment="bottom")
        where.text_input(
            "Address",
            shop.address,
            key=ADDRESS,
            placeholder="http://127.0.0.1:8000/v1",
            persist_state="session",
        )
        key.text_input("Key, if the server needs one", type="password", key=KEY, autocomplete="off")
        give.form_submit_button("Connect", icon=":material/link:", on_click=_connect)
    _refused(SERVER)
    if failed := st.session_state.get(FAILED):
        address, wrong = failed
        kept = f"{shop.address} stays in use" if shop.address else "No server is used"
        st.warning(inline(f"{wrong} {kept}."), icon=":material/link_off:")
        st.button(
            "Use the address although its check failed",
            key="settings:address-anyway",
            on_click=_put_to_use,
            args=(shop.connect_anyway, address),
            help="For a server that is started later. Until it answers, its models cannot be used.",
        )
    if shop.address:
        st.button(
            "Forget this address",
            key="settings:address-forget",
            type="tertiary",
            on_click=_put_to_use,
            args=(shop.connect, "", None),
        )


def _connect() -> None:
    shop, typed = services.workshop(), str(st.session_state[KEY]).strip()
    st.session_state[KEY] = ""  # The session, too, must not hold a key.
    _put_to_use(shop.connect, str(st.session_state[ADDRESS]), typed or None)


def _put_to_use(connect: Callable[..., None], *given: object) -> None:
    """Connect as a click asks for; a server that fails its check may be insisted on."""
    st.session_state.pop(FAILED, None)
    try:
        connect(*given)
    except ModelFailed as error:
        st.session_state[FAILED] = str(given[0]), str(error)
    except FoundryError as error:
        st.session_state[f"{SERVER}:refused"] = str(error)
    cached.look_again()
