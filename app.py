"""Home: continue, start, look around. `streamlit run app.py` finds the server below and goes on with interrupted runs."""
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.middleware import Middleware
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.starlette import App

from components import home, services
from components.frame import frame
from components.gate import Gate


@asynccontextmanager
async def lifespan(_: App) -> AsyncIterator[None]:
    """Take up interrupted runs as the server starts, before anybody visits."""
    services.runner().recover()
    yield


if get_script_run_ctx() is None:
    app = App(__file__, lifespan=lifespan, middleware=[Middleware(Gate)])
else:
    with frame("app.py"):
        home.start()
        home.carry_on()
        home.connected()
