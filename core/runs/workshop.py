"""The workshop: puts together what a run needs (models, a source, prompts) from settings and
choices.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from core import prompts
from core.desk import MONTH_CAP, Begun, Bench, Capped, Desk, Lane
from core.desk.out import CallsOut
from core.errors import BadInput, FoundryError, ModelFailed
from core.journal import Journal
from core.literature.full_text import FullTexts
from core.literature.port import Source
from core.literature.shelf import Shelf
from core.models import LOCAL, PROVIDERS, asking, open_model
from core.models.port import Model, Request
from core.models.reach import what_is_wrong
from core.records import EDITION, SAMPLINGS, Config, Hand, Queries, Record, Run, Sampling, State
from core.runs.catalogue import PANEL, ROLES, entry, method
from core.runs.crew import Crew
from core.settings import PROVIDER_KEYS, SOURCE_KEYS, Settings, login, public, sendable, whole
from core.store import Store
from core.store.policies import FOLDER as POLICIES

if TYPE_CHECKING:
    from core.literature.embeddings import Embedder

CAREFUL = 5.0
"""Seconds that a server has to answer before its address is put to use."""
DEFAULT_TOKENS = 1_000_000
"""Cap on tokens where nobody set one: prices may be unknown, and a run must end in any case."""

NO_KEY = (
    "That is not a key: a key is one word of plain characters. Copy it again from the provider's"
    " page."
)


def _is_key(typed: str) -> bool:
    return sendable(typed.strip()) and len(typed.split()) == 1


def check_cap(usd: float | None) -> None:
    """Raise BadInput for a cap in dollars that is below 0."""
    if usd is not None and usd < 0:
        raise BadInput(
            f"A cap of {usd:g} dollars would let nothing begin. Write a number above 0, or leave"
            " the field empty for no cap."
        )


def _refuse(run_id: str, _: Journal) -> State:
    raise BadInput(f"Run {run_id} cannot be worked on here: this desk has no runner.")


FAILED_KEPT = 20
"""Addresses that failed their check and may still be insisted on."""


class Workshop:
    """One per process; everything heavy is made when first needed.

    What computes with vectors is imported there too: numpy and all that builds on it take most of a
    second, and whoever lists runs computes nothing.
    """

    def __init__(self, settings: Settings):
        self.settings = self._given = settings
        self.store = Store(settings.data)
        self._out = CallsOut()
        self._failed: dict[str, str | None] = {}
        """Addresses that failed their check, each with the key that was typed for it."""
        if self.address:
            self.settings = self._settings_at(self.address, None)

    @cached_property
    def embedder(self) -> "Embedder":
        """What says how near texts are in meaning."""
        from core.literature.embeddings import Embedder

        return Embedder(self.store.library)

    @cached_property
    def shelf(self) -> Shelf:
        """The papers that come with the program."""
        return Shelf(self.embedder)

    def builtin(self) -> Model:
        """Open the built-in model."""
        from core.models.builtin import BuiltinModel

        return BuiltinModel(self.embedder, self.shelf)

    def local(self, name: str) -> Model:
        """Open a policy that was trained here; raises BadInput."""
        # LangChain and transformers take seconds to import; only whoever asks for one waits.
        from core.models.local import LocalModel

        return LocalModel(self.store.policies.get(name), self.settings.data / POLICIES / name)

    def model(self, name: str) -> Model:
        """Open a model by name; raises BadInput with what to do."""
        return open_model(name, self.settings, self.store, self.builtin, self.local)

    def source(self, name: str) -> Source:
        """Open a literature source by name; raises BadInput."""
        from core.literature.opening import open_source

        return open_source(name, self.settings, self.store, self.embedder)

    def chosen(self, role: str) -> str:
        """Return the model name chosen for a role; where nobody chose, the main one but for reading
        papers, and the built-in model for that.
        """
        choice = self.store.places.choice
        main = choice("model-main") if role != "cheap" else None
        return choice(f"model-{role}") or main or "builtin"

    def chosen_source(self) -> str:
        """Return where new runs look for papers; where nobody chose, in the built-in papers."""
        return self.store.places.choice("source") or "shelf"

    @property
    def address(self) -> str:
        """The address of the OpenAI-compatible server that somebody chose; empty where nobody did,
        or where the environment names one.
        """
        return "" if self._given.openai_url else self.store.places.choice("address-openai") or ""

    def connect(self, address: str, key: str | None) -> None:
        """Ask the OpenAI-compatible server at this address from now on; an empty one forgets it.

        The address is kept, the key until the process ends; the key that the environment holds for
        OpenAI itself is not sent there. Raises BadInput, and ModelFailed for a server that offers
        no model: then all stays as it was, and `connect_anyway` insists.
        """
        where = address.strip().rstrip("/")
        if self._given.openai_url:
            raise BadInput(
                "The environment names a server already (OPENAI_BASE_URL or FOUNDRY_OPENAI_URL)."
                " Change it there."
            )
        if where and (not whole(where) or login(where)):
            raise BadInput(
                f"{re.split('[?#]', public(where))[0]!r} is no address of a server. Write it as"
                " http://127.0.0.1:8000/v1, without a user, a password, ? or # in it."
            )
        if key and not _is_key(key):
            raise BadInput(NO_KEY)
        if where and (wrong := what_is_wrong(self._settings_at(where, key), CAREFUL)):
            self._failed[where] = key
            if len(self._failed) > FAILED_KEPT:
                del self._failed[next(iter(self._failed))]
            raise ModelFailed(wrong)
        self._go_to(where, key)

    def connect_anyway(self, address: str) -> None:
        """Ask the server at this address although it failed its check; raises BadInput where it
        has not.
        """
        where = address.strip().rstrip("/")
        if where not in self._failed:
            raise BadInput("This address failed no check. Type it, and choose “Connect”.")
        self._go_to(where, self._failed[where])

    def _go_to(self, where: str, key: str | None) -> None:
        self._failed.pop(where, None)
        self.store.places.choose("address-openai", where or None)
        self.settings = self._settings_at(where, key)

    def _settings_at(self, address: str, key: str | None) -> Settings:
        return self.settings.asking(address, key if address else self._given.keys.get("openai"))

    def use_for_everything(self, main: str, cheap: str) -> None:
        """Choose a main and a cheap model, and let no role have another; raises BadInput for one
        that cannot be opened.
        """
        for name in (main, cheap):
            self.model(name)
        for role in ROLES:
            self.store.places.choose(f"model-{role}", None)
        self.store.places.choose("model-main", main)
        self.store.places.choose("model-cheap", cheap)

    def uses(self, main: str, cheap: str) -> bool:
        """Say whether these two are what everything is done with."""
        return all(self.chosen(role) == (cheap if role == "cheap" else main) for role in ROLES)

    @property
    def typed_keys(self) -> frozenset[str]:
        """The providers whose key was typed here, and is not that of the environment."""
        held = self.settings.keys.items()
        return frozenset(name for name, key in held if self._given.keys.get(name) != key)

    def with_key(self, provider: str, key: str | None) -> None:
        """Use this key for a provider, or for a literature source, until the process ends; None
        forgets it. Never stored. Raises BadInput.
        """
        if key is not None and not _is_key(key):
            raise BadInput(NO_KEY)
        given = key.strip() if key else None
        if provider in SOURCE_KEYS:
            self.settings = self.settings.model_copy(update={SOURCE_KEYS[provider]: given})
        elif provider in PROVIDER_KEYS:
            keys = {**self.settings.keys, provider: given}
            kept = {name: value for name, value in keys.items() if value is not None}
            self.settings = self.settings.model_copy(update={"keys": kept})
        else:
            raise BadInput(f"There is no provider {provider!r} that takes a key.")

    def test_model(self, name: str) -> dict[str, object]:
        """Make one real call, booked to the month, and return model, seconds, tokens, cost and what
        it said.

        Raises ModelFailed, BadInput, and BudgetReached at the month's cap.
        """
        model = self.model(name)
        values = {"topic": "A short test of the connection: name one query about sleep and memory."}
        standing, text = prompts.render(prompts.text("queries"), values)
        sampling = Sampling(max_tokens=1_000)
        request = Request("queries", values, standing, text, Queries, sampling, "main", seed=1)
        capped = Capped(model, self._allow)
        try:
            got = asking.answer(capped, request, Queries, lambda _text, _note: None)
        except FoundryError as error:
            self.store.spending.book(error.calls)
            raise
        self.store.spending.book(got.calls)
        costs = [call.cost for call in got.calls]
        return {
            "model": got.reply.model,
            "seconds": round(sum(call.latency for call in got.calls), 3),
            "says": got.value.queries[0],
            "tokens_in": got.reply.tokens_in,
            "tokens_out": got.reply.tokens_out,
            "cost": None if None in costs else sum(cost for cost in costs if cost is not None),
        }

    def _allow(self, begun: Begun) -> None:
        cap = self.store.places.choice(MONTH_CAP)
        self.store.spending.allow(begun.cost, float(cap) if cap else None)

    def config(
        self,
        method_name: str,
        inputs: Record,
        *,
        models: dict[str, str] | None = None,
        source: str = "shelf",
        seed: int | None = None,
        sampling: Sampling | None = None,
        samplings: Mapping[Hand, Sampling] | None = None,
        cap_usd: float | None = None,
        cap_tokens: int | None = None,
        cap_chosen: bool = True,
    ) -> Config:
        """Freeze everything a new run depends on; raises BadInput for a model or a source that
        cannot be opened.
        """
        plan = method(method_name)
        given = {role: name for role, name in (models or {}).items() if name}
        main = given.get("main")
        named = {
            role: given.get(role) or (main if main and role != "cheap" else self.chosen(role))
            for role in plan.roles
        }
        named |= {
            role: name for role, name in given.items() if plan.panel and PANEL.fullmatch(role)
        }
        self.source(source)
        others: dict[Hand, Sampling] = {}
        if not plan.sampled_alike:
            others = {**SAMPLINGS, **(samplings or {})}
            sampling = sampling or others["writer"]
            del others["writer"]
        return self.capped(
            Config(
                method=plan.name,
                version=plan.version,
                edition=EDITION,
                inputs=inputs.model_dump(mode="json"),
                models=named,
                source=source,
                sampling=sampling or Sampling(),
                samplings=others,
                thinking=self.thinking(named.values()),
                prompts=self.freeze({name: prompts.text(name) for name in plan.prompts}),
                seed=(
                    seed if seed is not None else int(datetime.now(UTC).timestamp() * 1000) % 2**31
                ),
                cap_usd=cap_usd,
                cap_tokens=cap_tokens,
                cap_chosen=cap_chosen,
            )
        )

    def thinking(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return which of these models are not asked to plan: those that were seen to think before
        they answer, and policies, which are asked as in training. Raises BadInput for one that
        cannot be opened.
        """
        opened = {name: self.model(name) for name in names}
        return tuple(
            sorted(
                name for name, model in opened.items() if model.thinks or model.provider == LOCAL
            )
        )

    def capped(self, config: Config) -> Config:
        """Return a configuration whose models can be opened, with a cap on tokens where a paid
        model had none; raises BadInput, also for a cap in dollars below 0.
        """
        check_cap(config.cap_usd)
        # All of them are opened: one that cannot be is refused here.
        names = config.models.values()
        providers = {self.model(name).provider for name in names}
        paid = providers - {"builtin", "authored", LOCAL}
        if paid and config.cap_tokens is None:
            return config.model_copy(update={"cap_tokens": DEFAULT_TOKENS, "cap_chosen": False})
        return config

    def freeze(self, texts: dict[str, str]) -> dict[str, str]:
        """Keep prompt texts and return the SHA-256 of each, by which a run names them."""
        shas = {name: prompts.sha(text) for name, text in texts.items()}
        by_sha = {shas[name]: (name, text) for name, text in texts.items()}
        self.store.library.keep_prompts(by_sha)
        return shas

    def compares(self, config: Config) -> bool:
        """Say whether a run of this configuration compares texts by meaning: its method does, or
        who answers it.
        """
        return method(config.method).compares or "builtin" in config.models.values()

    def desk(
        self, run: Run, epoch: int, work: Callable[[str, Journal], State] = _refuse
    ) -> tuple[Bench, Desk]:
        """Lay out the desk for a run, as its frozen configuration says; `work` works on the runs
        that it has made.
        """
        config, journal = run.config, Journal(self.store, run, epoch)
        bench = Bench(
            run=run,
            store=self.store,
            journal=journal,
            epoch=epoch,
            crew=Crew(self.store, run, journal, work),
            settings=self.settings,
            out=self._out,
            models={role: self._asked_by(run, name) for role, name in config.models.items()},
            source=self.source(config.source),
            embedder=self.embedder,
            texts=FullTexts(self.settings, self.store.library),
            prompts={name: self._prompt(name, sha) for name, sha in config.prompts.items()},
        )
        return bench, Desk(bench, Lane())

    def _asked_by(self, run: Run, name: str) -> Model:
        """Open a model; of an experiment, and of the runs it is made of, the workers of the cluster
        ask it, where there is one and it is reached over the network.
        """
        model = self.model(name)
        parts = run.sweep or entry(run.config).has_runs_made
        if not (self.settings.cluster and parts and model.provider in PROVIDERS):
            return model
        from core.benchmark.conducting.distant import DistantModel

        return DistantModel(model, self.settings)

    def _prompt(self, name: str, sha: str) -> str:
        text = self.store.library.prompt(sha)
        if text is None:
            raise BadInput(
                f"The text of the prompt {name!r} this run was started with is missing from the"
                " store."
            )
        return text
