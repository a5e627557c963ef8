"""A loopback server that gives PDFs away, and misbehaves at other addresses; and the PDFs to give.

with PdfServer() as server:
    settings.read({}, pdf_hosts=server.host)
    ... fetch server.url + "/good.pdf" ...
    server.asked, server.served
"""

import gzip
import io
import ssl
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pypdf import PdfWriter

PARAGRAPH = (
    "Adolescent athletes who nap after training remember more of what they practised than those who"
    " stay awake until the evening."
)
MB = 1_000_000


def pdf(*pages: str, title: str = "", pack: bool = False) -> bytes:
    """Return a PDF with these pages in Helvetica, a line each line; the title stands in large type
    on the first.
    """
    streams = [_content(page.split("\n"), title if n == 0 else "") for n, page in enumerate(pages)]
    return raw_pdf(*streams, pack=pack)


def raw_pdf(*streams: bytes, pack: bool = False) -> bytes:
    """Return a PDF whose pages have these content streams."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(streams)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(streams)}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for n, stream in enumerate(streams):
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0"
            f" R>>>>/Contents {5 + 2 * n} 0 R>>".encode()
        )
        body, how = (zlib.compress(stream, 9), "/Filter/FlateDecode") if pack else (stream, "")
        objects.append(f"<</Length {len(body)}{how}>>stream\n".encode() + body + b"\nendstream")
    whole, places = bytearray(b"%PDF-1.4\n"), []
    for n, made in enumerate(objects, 1):
        places.append(len(whole))
        whole += f"{n} 0 obj\n".encode() + made + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (
        bytes(whole)
        + f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}trailer<</Size"
        f" {len(places) + 1}/Root 1 0 R>>\nstartxref\n{len(whole)}\n%%EOF\n".encode()
    )


def _content(lines: list[str], title: str) -> bytes:
    told = [f"/F 18 Tf 1 0 0 1 50 760 Tm ({title}) Tj"] if title else []
    told += [f"/F 10 Tf 1 0 0 1 50 {730 - 12 * n} Tm ({line}) Tj" for n, line in enumerate(lines)]
    return ("BT\n" + "\n".join(told) + "\nET").encode("cp1252")


GOOD = pdf(
    f"A. Runner, B. Sleeper\nAbstract\n{PARAGRAPH}",
    f"1 Introduction\n{PARAGRAPH}\n{PARAGRAPH}",
    title="Naps restore the memory of athletes",
)
SCANNED = raw_pdf(b"0 0 600 800 re f", b"0 0 600 800 re f")


def locked(password: str) -> bytes:
    """Return the good PDF encrypted; without a password it opens, and only says what one may do
    with it.
    """
    writer, file = PdfWriter(clone_from=io.BytesIO(GOOD)), io.BytesIO()
    writer.encrypt(password, owner_password="owner", algorithm="AES-256")
    writer.write(file)
    return file.getvalue()


class PdfServer:
    """Serves until the block ends; `asked` keeps path and headers of every request, `served` counts
    the bytes of bodies.
    """

    def __init__(self, tls: ssl.SSLContext | None = None):
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.served = 0
        self.broken_off = threading.Event()
        """Set when a reader went away before the end."""
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Handler", (Handler,), {"mine": self})
        )
        self._http.daemon_threads = True
        if tls:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self.port = self._http.server_port
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http{'s' if tls else ''}://{self.host}"

    def __enter__(self) -> "PdfServer":
        threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *ended: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()


HTML = (
    b"<!DOCTYPE html><html><title>Sign in</title>"
    + b"<p>Read this article for 39 dollars.</p>" * 100
)
FILES = {
    "/good.pdf": GOOD,
    "/page": HTML,
    "/page.pdf": HTML,
    "/broken.pdf": b"%PDF-1.7\n" + b"nothing of the kind\n" * 200,
    "/scanned.pdf": SCANNED,
    "/notice.pdf": pdf("Access denied. Please sign in."),
    "/locked.pdf": locked("secret"),
    "/unlocked.pdf": locked(""),
    "/empty.pdf": b"",
    "/picture.pdf": b"\x89PNG\r\n" * 300,
    "/late.pdf": b"\n" * 900 + GOOD,
    "/too-late.pdf": b" " * 1100 + GOOD,
}
STATUS = {
    "/missing.pdf": 404,
    "/forbidden.pdf": 403,
    "/busy.pdf": 429,
    "/down.pdf": 503,
    "/accepted.pdf": 202,
}


class Handler(BaseHTTPRequestHandler):
    mine: PdfServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        self.mine.asked.append(
            (path, {name.lower(): value for name, value in self.headers.items()})
        )
        try:
            self.answer(path, query)
        except OSError:
            self.mine.broken_off.set()

    def answer(self, path: str, query: str) -> None:
        if path in FILES:
            self.head(200, len(FILES[path]), "text/html" if path == "/page" else "application/pdf")
            self.give(FILES[path])
        elif path in STATUS:
            self.head(STATUS[path], 0)
        elif path == "/to":
            self.head(302, 0, location=query)
        elif path == "/loop":
            self.head(302, 0, location=f"/loop?{len(self.mine.asked)}")
        else:
            getattr(self, "give_" + path.strip("/").removesuffix(".pdf").replace("-", "_"))()

    def give_endless(self) -> None:
        """50 MB without saying so."""
        self.head(200, None)
        self.give(GOOD[:9])
        for _ in range(800):
            self.give(b"0" * 62_500)

    def give_large(self) -> None:
        """50 MB, and saying so."""
        self.head(200, 50 * MB)
        self.give(GOOD[:9])
        self.mine.closing.wait(5)

    def give_less_than_said(self) -> None:
        self.head(200, len(GOOD) + 100)
        self.give(GOOD)
        self.close_connection = True

    def give_more_than_said(self) -> None:
        self.head(200, 100)
        self.give(GOOD)
        self.close_connection = True

    def give_drip(self) -> None:
        self.head(200, len(GOOD))
        for n in range(len(GOOD)):
            self.give(GOOD[n : n + 1])
            if self.mine.closing.wait(0.05):
                return

    def give_header_drip(self) -> None:
        """A header without end, a letter at a time."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nx-long: ")
        while not self.mine.closing.wait(0.05):
            self.wfile.write(b"a")
            self.wfile.flush()

    def give_hints(self) -> None:
        """Interim answers without end."""
        while not self.mine.closing.is_set():
            self.give(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)

    def give_crumbs(self) -> None:
        """5 MB in chunks of one byte."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        self.give(b"%x\r\n%b\r\n" % (len(GOOD), GOOD))
        for _ in range(5_000):
            self.give(b"1\r\n0\r\n" * 1_000)
        self.give(b"0\r\n\r\n")

    def give_silent(self) -> None:
        self.mine.closing.wait(5)
        self.close_connection = True

    def give_drop(self) -> None:
        self.close_connection = True

    def give_bomb(self) -> None:
        """40 MB in a few kilobytes."""
        bomb = gzip.compress(GOOD[:9] + b"0" * 40 * MB, 1)
        self.head(200, len(bomb), encoding="gzip")
        self.give(bomb)

    def head(
        self,
        status: int,
        length: int | None,
        kind: str = "application/pdf",
        location: str = "",
        encoding: str = "",
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("set-cookie", "seen=1; path=/")
        for name, value in (
            ("content-length", length),
            ("location", location or None),
            ("content-encoding", encoding or None),
        ):
            if value is not None:
                self.send_header(name, str(value))
        if length is None:
            self.send_header("connection", "close")
        self.end_headers()

    def give(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()
        self.mine.served += len(data)

    def log_message(self, *parts: object) -> None:
        """Stay silent."""
