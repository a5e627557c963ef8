"""What an app has imported once somebody looked at each of its pages, imported once for all apps
and commands that are forks of what imports this.
"""

import importlib
import pkgutil

import core

# The app's own front end is left to each app: it is quick, and wants a server around it.
for name in (
    "langchain_openai",
    "plotly.graph_objects",
    "streamlit.starlette",
    "tests.support.forks",
    "tests.support.served",
    *(
        one.name
        for one in pkgutil.walk_packages(core.__path__, "core.")
        if not one.name.endswith("__main__")
    ),
):
    importlib.import_module(name)
