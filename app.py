"""Home: continue, start, look around. `streamlit run app.py` finds the server below, which
goes on with interrupted runs.
"""

from starlette.middleware import Middleware
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.starlette import App

from components.access.gate import Gate
from components.home import tour
from components.home import view as home
from components.shell.frame import frame
from components.shell.server import lifespan

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
