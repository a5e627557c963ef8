"""Which addresses a PDF may be fetched from: public ones, and those the settings name."""

import ipaddress
import socket
from collections.abc import Sequence

import httpx

from core.literature.full_text.pdf import NoText
from core.settings import public

_INTERNET = ipaddress.ip_network("2000::/3")
"""The only part of IPv6 that is given out."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_CLOUD = {ipaddress.ip_address(one) for one in ("168.63.129.16", "192.0.0.192")}
"""Addresses a cloud answers at inside itself although they are not marked as private (Azure,
Oracle).
"""
_PORTS = {"http": 80, "https": 443}


def parsed(address: str) -> httpx.URL:
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


def resolved(url: httpx.URL, allowed: Sequence[str]) -> tuple[str, ...]:
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
            return ip in _INTERNET and ip.is_global and not (ip.sixtofour or ip.teredo)
        ip = wrapped
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and ip not in _CLOUD
