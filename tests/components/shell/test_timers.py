"""What a timer asks for carries no choice; what a person presses does."""

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession

from components.shell.timers import let_timers_choose_nothing


class Asked(AppSession):
    """A session that keeps what it was asked for."""

    def __init__(self):
        self._state, self._scriptrunner, self.heard = None, None, []

    def has_fragment(self, fragment_id):
        return True

    def _create_scriptrunner(self, initial_rerun_data):
        self.heard.append(initial_rerun_data)

    def __del__(self):
        """Nothing was begun that would have to end."""


@pytest.mark.parametrize(("by_a_timer", "carried"), [(True, []), (False, ["view"])])
def test_values_of_widgets_come_with_presses_alone(by_a_timer, carried):
    let_timers_choose_nothing()
    let_timers_choose_nothing()  # Once is enough.
    said = ClientState(fragment_id="part", is_auto_rerun=by_a_timer, query_string="run=1")
    said.widget_states.widgets.add(id="view", string_value="branch-1")
    session = Asked()
    session.request_rerun(said)
    (asked,) = session.heard
    assert [one.id for one in asked.widget_states.widgets] == carried
    assert (asked.fragment_id, asked.query_string) == ("part", "run=1")
