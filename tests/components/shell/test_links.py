"""Links for somebody else: under the address by which the page was reached."""

from types import SimpleNamespace

import pytest

from components.shell import links


@pytest.mark.parametrize(
    ("reached", "named", "base", "local"),
    [
        ("http://127.0.0.1:8501/sessions?a=1", "localhost", "http://127.0.0.1:8501", True),
        ("http://localhost:8501/arena", "localhost", "http://localhost:8501", True),
        ("http://[::1]:8501/arena", "localhost", "http://[::1]:8501", True),
        ("https://lab.example/ideas/arena?b", "localhost", "https://lab.example/ideas", False),
        ("http://10.0.0.7:8501/arena", "lab.example", "http://10.0.0.7:8501", False),
        ("http://127.0.0.1:8501/arena", "lab.example", "http://lab.example:8501", False),
    ],
)
def test_a_link_carries_the_address_by_which_the_organiser_came(
    monkeypatch, reached, named, base, local
):
    said = []
    page = SimpleNamespace(
        context=SimpleNamespace(url=reached), get_option=lambda _: named, caption=said.append
    )
    monkeypatch.setattr(links, "st", page)
    assert (links.base(), links.local()) == (base, local)
    links.draw_local("It works")
    assert ["It works on this computer only" in one for one in said] == [True] * local
