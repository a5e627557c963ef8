"""The player of slides: one thing at a time, in type that grows with the window. It fills the
screen for a room, or stands in its page where no screen shows a moment of the run.
"""

from typing import Any

import streamlit as st

from components.cases import clock
from components.shell import services
from core.cases.replay import deck, source
from core.records import Run

# The address says the moment, so that a link or a reload restores it; Streamlit's own way would
# make each second a page to go back through.
MOUNTS = """
const PLAYERS = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const there = PLAYERS.get(parentElement)
  if (there) {
    there.player.wear(data.theme)
    return there.leave
  }
  let said = ""
  let wanted = ""
  let rest = 0
  // Some browsers take a hundred changes of the address in half a minute, and no more.
  const write = () => {
    rest = 0
    if (wanted === said) return
    said = wanted
    const address = new URL(window.location.href)
    address.searchParams.set("at", said)
    window.history.replaceState(window.history.state, "", address)
    rest = setTimeout(write, 1000)
  }
  const options = {
    full: data.full, top: data.full, theme: data.theme, at: data.at, going: data.going,
    moved: (second) => {
      wanted = second.toFixed(1)
      if (!rest) write()
    },
  }
  const tell = (second, going) => setTriggerValue("changed", { at: second, going })
  options[data.full ? "leave" : "larger"] = tell
  const player = replay(parentElement.querySelector("div"), data.deck, options)
  const leave = () => {
    clearTimeout(rest)
    PLAYERS.delete(parentElement)
    player.close()
  }
  PLAYERS.set(parentElement, { player, leave })
  return leave
}
"""


def draw(run: Run, full: bool) -> None:
    """Draw the player where the recording stands: over the whole window, or in its page; raises
    BadInput for a run that does not play.
    """
    here = clock.of(run)

    def change() -> None:
        if told := st.session_state["case:replay"].changed:
            _change(run, told, not full)

    player = st.components.v2.component(
        "case_replay", html="<div></div>", css=source("replay.css"), js=source("replay.js") + MOUNTS
    )
    player(
        key="case:replay",
        data={
            "deck": deck(services.store(), run),
            "full": full,
            "theme": st.context.theme.type or "light",
            "at": here.now(clock.tape_of(run)),
            "going": here.going,
        },
        on_changed_change=change,
    )


def _change(run: Run, told: dict[str, Any], full: bool) -> None:
    """Go on where the browser was, over the whole window or in the page."""
    clock.jump(run, min(max(float(told["at"]), 0.0), clock.tape_of(run).seconds))
    if told["going"]:
        clock.play(run)
    project(full)


def project(on: bool) -> None:
    """Make the address say whether the player fills the window."""
    if on:
        st.query_params["projector"] = "1"
    else:
        st.query_params.pop("projector", None)
