"""The `semanticscholar` package's requester with our own way of asking: synchronous, limited,
cached, and typed in its failures.
"""

import threading
from typing import Any

import httpx
from semanticscholar.ApiRequester import ApiRequester

from core.literature.http.asking import Asker, SourceQuestion
from core.literature.semantic_scholar.answers import is_hop, judge
from core.settings import Settings


class Requester(ApiRequester):  # type: ignore[misc]  # the package is untyped
    """Answers the package's client through an asker of ours."""

    def __init__(self, settings: Settings, asker: Asker):
        super().__init__(timeout=settings.read_timeout, retry=False)
        self._asker = asker
        self._local = threading.local()

    def begin(self, question: SourceQuestion, also: str = "") -> None:
        """Let what this thread asks from now on belong to `question`, with `also` behind each
        address: parameters the package cannot express.
        """
        self._local.question, self._local.also = question, also

    async def get_data_async(
        self,
        url: str,
        parameters: str,
        headers: dict[str, str] | None,  # noqa: ARG002
        payload: dict[str, Any] | None = None,
    ) -> Any:
        """Answer the package; it never waits on an event loop, and our own headers go out whatever
        the package gives.
        """
        question: SourceQuestion = self._local.question
        full = str(httpx.URL(f"{url}?{parameters.lstrip('&')}{self._local.also}"))
        data = self._asker.ask(
            question,
            full,
            lambda answer: judge(self._asker.service, answer, full, payload),
            payload,
        )
        if data is not None:
            return data
        question.unknown = True
        return {"data": []} if is_hop(full) else [None] * len((payload or {})["ids"])
