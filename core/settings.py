"""Settings: one frozen record, and the only reader of the environment."""

import json
import os
import re
import string
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, unquote

from pydantic import BeforeValidator, Field, ValidationError

from core.errors import BadInput
from core.records import Record
from core.records.faults import fault_in_words

PROVIDER_KEYS: dict[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google_genai": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "openrouter": ("OPENROUTER_API_KEY",),
}
SOURCE_KEYS = {"semantic-scholar": "semantic_scholar_key", "openalex": "openalex_key"}
"""The field that holds a literature source's key."""
SOURCE_VARIABLES = {
    "semantic-scholar": ("SEMANTIC_SCHOLAR_API_KEY", "FOUNDRY_SEMANTIC_SCHOLAR_KEY"),
    "openalex": ("OPENALEX_API_KEY", "FOUNDRY_OPENALEX_KEY"),
}
"""The variables it is read from."""
ADDRESSES = {
    "openai": ("openai_url", "OPENAI_BASE_URL or FOUNDRY_OPENAI_URL"),
    "ollama": ("ollama_url", "OLLAMA_HOST or FOUNDRY_OLLAMA_URL"),
    "semantic-scholar": ("semantic_scholar_url", "FOUNDRY_SEMANTIC_SCHOLAR_URL"),
    "openalex": ("openalex_url", "FOUNDRY_OPENALEX_URL"),
}
"""The field that holds a server's address, and the variables it is read from."""
WHOLE = re.compile(
    r"https?://([^\s/?#]*@)?(\[[^\s/?#@\[\]]+\]|[^\s/?#@:\[\]]+)"
    r"(:\d{1,5}(/[^\s?#@]*)?|(/[^\s?#]*)?)",
    re.IGNORECASE,
)
"""An address of a server. No password with a `/` in it is taken for a port and a path: behind the
colon stands a number, and no `@` behind that.
"""
PASTED = frozenset((*SOURCE_KEYS.values(), *(field for field, _ in ADDRESSES.values())))
"""Fields that are read without the space or the end of a line that was copied with them."""
LEAD = re.compile(r"\s*(?:[^/\\?#@]*:[/\\]+|https?:|[/\\]*)", re.IGNORECASE)
"""What a login stands behind, whatever a scheme was made of."""
SECRET = 8
"""Letters a key has at least; what is shorter (`x`, `none`, `EMPTY`) stands for none at a server
that wants one, and may be in any text.
"""
PASSWORD = 6
"""Letters from which the password of an address is blotted out; what is shorter may be a word."""
PREFIX = "FOUNDRY_"
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def comparable(address: str) -> str:
    """Return an e-mail address, or a domain as `@lab.example`, as it is compared with others: with
    small letters, and the domain as name servers know it (IDNA 2008, RFC 5891).

    Before the `@` only A to Z are made small, since some other signs become a letter of another
    name. Raises ValueError for a domain that there cannot be.
    """
    person, at, domain = address.strip().partition("@")
    domain = domain.lower()
    if not domain.isascii():
        import idna  # Imported here: hardly any domain needs it.

        try:
            domain = idna.encode(domain).decode()
        except idna.IDNAError:
            raise ValueError(f"{address!r} has no domain that there can be") from None
    return f"{person.translate(_SMALL)}{at}{domain}"


def _read_list(form: str, wanted: str, fold: Callable[[str], str]) -> BeforeValidator:
    """Return what reads a list, written with commas in the environment, and refuses an entry that
    does not have the form, saying that it `is no {wanted}`.
    """

    def check(given: object) -> object:
        if isinstance(given, str):
            given = [fold(part.strip()) for part in given.split(",") if part.strip()]
        for entry in given if isinstance(given, list | tuple) else ():
            if not re.fullmatch(form, str(entry)):
                raise ValueError(f"{str(entry)!r} is no {wanted} (several are separated by commas)")
        return given

    return BeforeValidator(check)


def _without_a_query(url: object) -> object:
    # It is not sent, since paths are added to the address; and it would be shown, with its secrets.
    if isinstance(url, str) and re.search(r"[?#]", url):
        raise ValueError("leave out ? and #, and what stands after them: it is not sent")
    return url


Address = Annotated[str, BeforeValidator(_without_a_query)]
"""Of a server: scheme, host and path."""


class Settings(Record):
    """What the environment says; a field `x` is read from FOUNDRY_X."""

    data: Path = Path.home() / ".idea-foundry"
    semantic_scholar_url: Address = "https://api.semanticscholar.org"
    """Where the Semantic Scholar API is; `/graph/v1` behind it is added by the client."""
    semantic_scholar_interval: Annotated[float, Field(ge=0)] = 1.05
    """Seconds between two calls; a key allows one request a second over all endpoints."""
    openalex_url: Address = "https://api.openalex.org"
    openalex_interval: Annotated[float, Field(ge=0)] = 0.1
    """Seconds between two calls; the service takes a hundred a second."""
    resume: bool = True
    """Whether interrupted runs go on by themselves when the server starts."""
    backups: Path | None = None
    """The folder of backups, best on another disk; none is `backups` in the data folder."""
    backup_every: Annotated[float, Field(ge=0)] = 24.0
    """Hours between two backups that a server makes by itself; 0 makes none."""
    backup_keep: Annotated[int, Field(ge=1)] = 14
    """Days for which those are kept; the newest always is."""
    workers: Annotated[int, Field(ge=1)] = 4
    """Runs at once; the others queue."""
    calls: Annotated[int, Field(ge=1)] = 16
    """Model calls at once per provider."""
    cluster: str | None = None
    """Where the calls of benchmarks and of experiments are made: none, by threads of this process;
    `dask://host:port`, by the workers of that cluster.
    """
    call_timeout: Annotated[float, Field(gt=0)] = 180.0
    """Seconds one model call may take in all."""
    read_timeout: Annotated[float, Field(gt=0)] = 60.0
    """Seconds without a byte before a model call counts as hung."""
    patience: Annotated[float, Field(ge=0)] = 120.0
    """Seconds a call may spend waiting for a busy or limited server (429, 5xx)."""
    pdf_hosts: Annotated[
        tuple[str, ...],
        _read_list(r"[^\s/@]+:\d{1,5}", "host:port such as pdf.lab.example:8080", str.lower),
    ] = ()
    """Servers (host:port, separated by commas) PDFs may be fetched from although their address is
    private, such as a lab's own.
    """
    openai_url: Address | None = None
    ollama_url: Address = "http://127.0.0.1:11434"
    password: Annotated[str | None, Field(min_length=SECRET)] = None
    """What organisers sign in with; without one (and without Streamlit's own login) only this
    machine is served.
    """
    organisers: Annotated[
        tuple[str, ...],
        _read_list(
            r"[^\s@,]*@[^\s@,]+",
            "e-mail address such as ada@lab.example and no domain such as @lab.example",
            comparable,
        ),
    ] = ()
    """Who may organise where Streamlit's login (OIDC) is configured: e-mail addresses, or domains
    as `@lab.example`.
    """
    keys: dict[str, str] = {}
    semantic_scholar_key: str | None = None
    openalex_key: str | None = None

    def asking(self, address: str, key: str | None) -> "Settings":
        """Return these with another OpenAI-compatible server and no key for it but this one: that
        of the environment is OpenAI's own.
        """
        others = {name: held for name, held in self.keys.items() if name != "openai"}
        keys = {**others, "openai": key} if key else others
        return self.model_copy(update={"openai_url": address or None, "keys": keys})

    def __repr__(self) -> str:
        return f"Settings(data={self.data}, keys for {sorted(self.keys)})"

    __str__ = __repr__


def spell(settings: Settings) -> dict[str, str]:
    """Return the environment from which `read` makes these settings, keys included: for a process
    of our own.
    """
    spelled = {PROVIDER_KEYS[name][0]: key for name, key in settings.keys.items()}
    for name, value in settings:
        if name == "keys" or value is None:
            continue
        said = ",".join(value) if isinstance(value, tuple) else str(value)
        spelled[PREFIX + name.upper()] = said
    return spelled


def whole(url: str) -> bool:
    """Say whether this is the whole address of a server: http or https, a host, perhaps a path."""
    return bool(WHOLE.fullmatch(url))


def sendable(key: str) -> bool:
    """Say whether a key can be sent: it has no sign but those of ASCII that are printed."""
    return key.isascii() and key.isprintable()


def fault(settings: Settings, name: str) -> str:
    """Say why nothing can be sent to a provider or a literature source, by the variable that holds
    the wrong address or key and never its value; empty where it can.
    """
    field, variables = ADDRESSES.get(name, ("", ""))
    if field and (url := getattr(settings, field)) and not whole(url):
        return (
            f"{variables} is not usable: write the whole address, as http://127.0.0.1:8000/v1, and"
            " a / in a password as %2F."
        )
    key = getattr(settings, SOURCE_KEYS[name]) if name in SOURCE_KEYS else settings.keys.get(name)
    if key and not sendable(key):
        variables = " or ".join(PROVIDER_KEYS.get(name, SOURCE_VARIABLES.get(name, ())))
        return (
            f"{variables} is not usable: a key is one word of plain characters. Copy it again from"
            " the provider's page."
        )
    return ""


def faults(settings: Settings, names: Iterable[str]) -> tuple[str, ...]:
    """Say why nothing can be sent to those of these providers or sources to which nothing can."""
    return tuple(said for name in names if (said := fault(settings, name)))


def login(url: str) -> str:
    """Return `user:password` of an address, as written there, whatever its scheme looks like; empty
    where it has none.
    """
    authority = re.split(r"[/?#]", LEAD.sub("", url, count=1), maxsplit=1)[0]
    return authority.rpartition("@")[0]


def public(url: str) -> str:
    """Return an address as it may be shown, stored and logged: without user and password."""
    return url.replace(f"{login(url)}@", "", 1) if login(url) else url


def read(environ: Mapping[str, str] | None = None, **given: object) -> Settings:
    """Read settings from the environment; `given` wins. Raises BadInput naming the variable.

    An address or a key that cannot be used is said by `fault` once it is wanted: who needs neither
    is let in, and to Settings.
    """
    env = os.environ if environ is None else environ
    found: dict[str, object] = {}
    for name in Settings.model_fields:
        value = env.get(PREFIX + name.upper(), "")
        said = value.strip() if name in PASTED else value
        if said:
            found[name] = said
    found["keys"] = {
        provider: key
        for provider, names in PROVIDER_KEYS.items()
        for name in reversed(names)
        if (key := env.get(name, "").strip())
    }
    elsewhere = {
        "openai_url": env.get("OPENAI_BASE_URL", "").strip(),
        "ollama_url": _ollama(env.get("OLLAMA_HOST", "").strip()),
        "semantic_scholar_key": env.get("SEMANTIC_SCHOLAR_API_KEY", "").strip(),
        "openalex_key": env.get("OPENALEX_API_KEY", "").strip(),
    }
    for name, value in elsewhere.items():
        if value:
            found.setdefault(name, value)
    found.update({name: value for name, value in given.items() if value is not None})
    try:
        return Settings.model_validate(found)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise BadInput(
            f"{PREFIX}{str(wrong['loc'][0]).upper()} is not usable: {fault_in_words(wrong)}."
        ) from None


def _ollama(host: str) -> str:
    """Return the address that OLLAMA_HOST says: a whole one, or, as Ollama takes it, a host, a port
    behind a colon, or both.
    """
    if not host or "://" in host or host.lower().startswith(("http:", "https:")):
        return host
    if re.fullmatch(r":\d+", host):
        return f"http://127.0.0.1{host}"
    is_ipv6 = host.count(":") > 1 and not host.startswith("[")
    return f"http://[{host}]" if is_ipv6 else f"http://{host}"


def scrub(
    text: str, secrets: Iterable[str], addresses: Iterable[str] = (), words: bool = False
) -> str:
    """Return `text` with every secret blotted out, and the login of each of these addresses, in
    every form in which a server may say it back: of `words` of a server's own also the password
    alone, which elsewhere may be a word.
    """
    forms = {form for address in addresses for form in _login_forms(address, words)}
    forms |= {form for key in secrets if len(key) >= SECRET for form in _key_forms(key)}
    # The longest first: of one that begins another nothing is to stay.
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, "[key]")
    return text


@cache
def _key_forms(key: str) -> frozenset[str]:
    """Return a key as it is, as JSON and Python write it, and as they write that once more."""
    once = {key, *_escaped(key)}
    return frozenset(once.union(*map(_escaped, once)))


def _escaped(text: str) -> tuple[str, str, str]:
    in_json = json.dumps(text)[1:-1]
    return in_json, in_json.replace("/", "\\/"), repr(text)[1:-1]


@cache
def _login_forms(url: str, alone: bool) -> tuple[str, ...]:
    """Return the forms of an address's login: as written, unquoted, quoted, and packed as it is
    sent; and of its password `alone`, also escaped as in JSON.
    """
    written = login(url)
    user, password = (unquote(part) for part in written.partition(":")[::2])
    plain = f"{user}:{password}".encode("utf-8", "surrogatepass")
    # Without the signs that fill it up, which some leave out.
    packed = [encode(plain).decode().rstrip("=") for encode in (b64encode, urlsafe_b64encode)]
    pairs = [f"{_quoted(user)}:{_quoted(password)}", f"{user}:{password}"]
    whole = [form for form in (written, unquote(written), *pairs, *packed) if len(form) >= SECRET]
    if not alone:
        return tuple(whole)
    # A token is often the user, with no password.
    secret = password or user
    several = (written.partition(":")[2], secret, _quoted(secret), json.dumps(secret)[1:-1])
    return (*whole, *(form for form in several if len(form) >= PASSWORD))


def _quoted(part: str) -> str:
    return quote(part, "", errors="surrogatepass")
