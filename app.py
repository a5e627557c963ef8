"""Home: continue, start, look around. `streamlit run app.py` finds the server below, which
goes on with interrupted runs.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.middleware import Middleware
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.starlette import App

from components.access.gate import Gate
from components.home import tour
from components.home import view as home
from components.shell import services
from components.shell.frame import frame
from core.errors import StoreFailed
from core.store.backup_schedule import keep_backing_up

# Seconds from the start of the server to the loading of the embedding model: its libraries import
# for as long again, beside which the first page would take a second more (measured).
LOADS_AFTER = 2.0


@asynccontextmanager
async def lifespan(_: App) -> AsyncIterator[None]:
    """Take up interrupted runs as the server starts, and soon after load the embedding model,
    before anybody waits for it; make backups from time to time.
    """
    over = threading.Event()
    try:
        services.runner().recover()
        shop = services.workshop()
        threading.Thread(
            target=keep_backing_up,
            args=(shop.store, shop.settings, over),
            name="backups",
            daemon=True,
        ).start()
        load = services.workshop().embedder.load_beside
        asyncio.get_running_loop().call_later(LOADS_AFTER, load)
    except StoreFailed as error:  # Every page says so, too, until it is mended.
        logging.getLogger("foundry.gate").error(
            "%s Then start the server again, so that interrupted runs go on.", error
        )
    yield
    over.set()


if get_script_run_ctx() is None:
    app = App(__file__, lifespan=lifespan, middleware=[Middleware(Gate)])
else:
    with frame("app.py", headed=False) as page:
        home.opening(page)
        place = home.start()
        tour.draw()
        home.carry_on()
        home.connected()
        home.source_trouble(place)
