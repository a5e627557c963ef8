"""Whether the services of a literature source answer."""

from core import settings
from core.literature.presence import networked, silent
from tests.support.servers.openai_server import OpenAIServer


def test_what_answers_anything_is_there_and_what_is_not_reached_is_silent():
    with OpenAIServer() as server:
        found = settings.read(
            {}, semantic_scholar_url=server.url, openalex_url="http://127.0.0.1:1"
        )
        assert silent("library+semantic-scholar|openalex", found) == ("openalex",)
        assert silent("semantic-scholar", found) == ()
    assert silent("shelf", settings.read({})) == silent("library", settings.read({})) == ()
    assert networked("openalex|semantic-scholar") == ("openalex", "semantic-scholar")
