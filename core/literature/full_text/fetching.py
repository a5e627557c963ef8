"""Fetching one PDF from wherever a source says it is: from public addresses and those the settings
name, and within bounds of size and time.
"""

import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import httpx

from core.bounds import Over, watch
from core.literature.full_text.pdf import NoText, refuse_foreign, refuse_large
from core.literature.limiter import SLICE, Patience, limiter
from core.settings import public
from core.threads import begin_thread

LONGEST = 30.0
"""Seconds one download may take in all."""
SILENCE = 10.0
"""Seconds without a byte before a server is given up."""
ROUND_IT = 200_000
"""Bytes that may come beyond twice the file: heads, and the lengths of its pieces. Each interim
answer, and each piece of one byte, is taken apart for itself.
"""
REDIRECTS = 5
INTERVAL = 1.0
"""Seconds between two downloads from one server of others."""
_HEADERS = {
    "user-agent": "idea-foundry (reads open-access PDFs)",
    "accept": "application/pdf",
    "accept-encoding": "identity",
}
_MOVED = (301, 302, 303, 307, 308)
_ADDRESSES = 3
"""How many of a server's addresses are tried."""
_INTERNET = ipaddress.ip_network("2000::/3")
"""The only part of IPv6 that is given out."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_INSIDE = [
    ipaddress.ip_network(one)
    for one in ("168.63.129.16/32", "192.0.0.0/24", "192.88.99.0/24", "3fff::/20", "5f00::/16")
]
"""Networks that are not the open internet although some versions of Python do not mark them so:
where a cloud answers inside itself (Azure, Oracle), and what IANA's registries of special addresses
(RFC 6890) have set aside for protocols, relays, documentation and routing.
"""
_PORTS = {"http": 80, "https": 443}


def fetch(address: str, allowed: Sequence[str], note: Callable[[str], None]) -> bytes:
    """Return the PDF at an address: at most 30 MB within 30 s; raises NoText, and what `note`
    raises.

    `allowed`: servers (host:port) that may have a private address. `note` is told four times a
    second how far it is, and may raise to break off: the download runs in a thread of its own,
    which is then let go and its connection cut.
    """
    url = parse(address)
    if server(url) not in allowed and not Patience(LONGEST, note).turn(
        limiter(f"pdf {server(url)}"), INTERVAL, url.host
    ):
        raise NoText(
            f"Our turn at {url.host} did not come within {LONGEST:.0f} s; run fewer things at once."
        )
    download, end = Download(allowed), time.monotonic() + LONGEST
    begin_thread(download.run, "pdf-download", url)
    try:
        while not download.over.wait(SLICE):
            note(
                f"fetching PDF, {len(download.body) / 1e6:.1f} MB"
                if download.body
                else "fetching PDF"
            )
            if time.monotonic() > end:
                raise NoText(f"The PDF at {url.host} did not arrive within {LONGEST:.0f} s.")
    finally:
        download.cut()
    if download.error:
        raise download.error
    return bytes(download.body)


class Download:
    """One download, run in one thread and watched from another."""

    def __init__(self, allowed: Sequence[str]):
        self.body = bytearray()
        self.error: Exception | None = None
        self.over = threading.Event()
        self._allowed = allowed
        self._left = False
        self._socket: Any = None

    def run(self, url: httpx.URL) -> None:
        """Fetch into `body`, or say in `error` why not."""
        try:
            self._follow(url)
        except Exception as error:
            self.error = error
        finally:
            self.over.set()

    def cut(self) -> None:
        """Break the connection off; a read that blocks on it ends at once."""
        self._left = True
        with suppress(OSError):
            if self._socket:
                self._socket.shutdown(socket.SHUT_RDWR)

    def _follow(self, url: httpx.URL) -> None:
        start = url.host
        for _ in range(REDIRECTS + 1):
            addresses = resolve(url, self._allowed)
            try:
                moved = self._take(url, addresses)
            except httpx.TimeoutException as error:
                raise NoText(f"{url.host} did not answer within {SILENCE:.0f} s.") from error
            except (
                httpx.HTTPError,
                httpx.InvalidURL,
                ValueError,
            ) as error:  # ValueError: a header nobody can read
                how = (
                    "could not be reached"
                    if isinstance(error, httpx.ConnectError)
                    else "sent no whole answer"
                )
                raise NoText(f"{url.host} {how} ({type(error).__name__}).") from error
            if moved is None:
                return
            url = parse(moved)
        raise NoText(f"{start} passes on from address to address, more than {REDIRECTS} times.")

    def _take(self, url: httpx.URL, addresses: tuple[str, ...]) -> str | None:
        """Take the file in, or return the address it moved to. A client of its own: nothing from
        the environment, no cookies.
        """
        with httpx.Client(trust_env=False, timeout=SILENCE, headers=_HEADERS) as bare:
            client = watch(bare, lambda: self._over(url.host))
            response = self._opened(client, url, addresses)
            try:
                if response.status_code in _MOVED and "location" in response.headers:
                    return str(url.join(response.headers["location"]))
                self._read(response, url)
                return None
            finally:
                response.close()

    def _over(self, host: str) -> Over:
        """Return what raises NoText over an answer with more round the file than a file can
        need.
        """

        def over(came: int) -> bool:
            if came > 2 * len(self.body) + ROUND_IT:
                raise NoText(f"{host} sends more round the PDF than the PDF itself has.")
            return self._left

        return over

    def _opened(
        self, client: httpx.Client, url: httpx.URL, addresses: tuple[str, ...]
    ) -> httpx.Response:
        """Ask at the very addresses that were checked: a name looked up again could lead
        elsewhere.
        """
        for n, ip in enumerate(addresses[:_ADDRESSES], 1):
            request = client.build_request(
                "GET",
                url.copy_with(host=ip, fragment=None),
                headers={"host": url.netloc.decode()},
                extensions={"sni_hostname": url.raw_host.decode(), "trace": self._trace},
            )
            try:
                return client.send(request, stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if n == len(addresses[:_ADDRESSES]) or self._left:
                    raise
        raise AssertionError("a name that is known has an address")

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._left:
                self.cut()

    def _read(self, response: httpx.Response, url: httpx.URL) -> None:
        if response.status_code != 200:
            raise NoText(_refused(url.host, response.status_code))
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            # Never unpacked: a small answer can hold any number of bytes.
            raise NoText(f"{url.host} sends the PDF compressed, although it was asked not to.")
        said = response.headers.get("content-length", "")
        refuse_large(int(said) if said.isdecimal() else 0)
        for part in response.iter_raw():
            self.body += part
            refuse_large(len(self.body))
            if len(self.body) > 2048:
                refuse_foreign(self.body)
            if self._left:
                return
        refuse_foreign(self.body)


def _refused(host: str, status: int) -> str:
    if status in (401, 402, 403, 451):
        return f"{host} does not give the PDF away (HTTP {status})."
    if status in (404, 410):
        return f"{host} has nothing at this address (HTTP {status})."
    if status == 429 or status >= 500:
        return f"{host} is busy or out of order (HTTP {status}); try again later."
    return f"{host} answered HTTP {status} instead of a PDF."


def parse(address: str) -> httpx.URL:
    """Read an address; raises NoText for one that is not http or https, or that holds a user name
    or password.
    """
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL as error:
        raise NoText(
            f"{public(address)[:200]} is no web address, so nothing was fetched."
        ) from error
    if (
        url.scheme not in _PORTS
        or not url.host
        or not 0 < (_PORTS[url.scheme] if url.port is None else url.port) < 65536
    ):
        raise NoText(
            f"{public(str(url))[:200]} is no web address (http or https), so nothing was fetched."
        )
    if url.userinfo:
        raise NoText(
            f"The address of the PDF at {url.host} holds a user name or password, so nothing was"
            " fetched."
        )
    return url


def server(url: httpx.URL) -> str:
    """Return host:port of an address, as the settings name it."""
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{host}:{url.port or _PORTS[url.scheme]}"


def resolve(url: httpx.URL, allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the IP addresses of an address's host, each free to connect to; raises NoText where
    one is not, or there is none.

    `allowed`: servers (host:port) that may be private. Blocks while the name is looked up.
    """
    try:
        entries = socket.getaddrinfo(
            url.raw_host.decode(), url.port or _PORTS[url.scheme], type=socket.SOCK_STREAM
        )
    except (OSError, UnicodeError) as error:
        raise NoText(
            f"The server {url.host} is not known ({type(error).__name__}); check the network."
        ) from error
    found = tuple(dict.fromkeys(str(entry[4][0]) for entry in entries))
    if server(url) not in allowed and not all(is_public(one) for one in found):
        raise NoText(
            f"{url.host} is in a private network, so nothing was fetched; "
            f"if it is your lab's own server, name it with FOUNDRY_PDF_HOSTS={server(url)}."
        )
    return found


def is_public(address: str) -> bool:
    """Say whether an IP address belongs to the open internet; one that wraps an IPv4 address is
    what it wraps.
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        wrapped = ip.ipv4_mapped or (
            ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else None
        )
        if wrapped is None:
            wraps = ip.sixtofour or ip.teredo
            return ip in _INTERNET and ip.is_global and not wraps and not _inside(ip)
        ip = wrapped
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not _inside(ip)


def _inside(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return any(ip in network for network in _INSIDE)
