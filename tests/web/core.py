"""What a site of the test web is made of: a request, a way to answer it, and the site's entry."""
from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 403: "Forbidden", 404: "Not Found"}


@dataclass
class Request:
    method: str
    scheme: str
    host: str
    path: str
    query: str
    headers: list[tuple[str, str]]
    conn: int
    ports: dict[str, int] = field(default_factory=dict)
    version: str = "1.1"  # of HTTP

    def get(self, name: str) -> str:
        return next((v for k, v in self.headers if k.lower() == name), "")

    def base(self, host: str = "", scheme: str = "") -> str:
        """The origin of a host of this web, with its port when it is not the scheme's own."""
        scheme = scheme or self.scheme
        port = self.ports[scheme]
        usual = {"http": 80, "https": 443}[scheme]
        return f"{scheme}://{host or self.host}" + ("" if port == usual else f":{port}")

    def rng(self) -> random.Random:
        """The same numbers for the same host and path, in every run."""
        return random.Random(f"{self.host} {self.path}?{self.query}")


class Out:
    """Answers over HTTP/1 in exact octets."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.status = 0
        self.close = False
        self.kind, self.body = "", b""
        self.fields: tuple[tuple[str, str], ...] = ()

    def note(self, status: int, body: str | bytes, kind: str,
             fields: tuple[tuple[str, str], ...]) -> bytes:
        """Keeps what was answered for the log; gives the body's octets."""
        self.status, self.kind, self.fields = status, kind, fields
        self.body = body.encode() if isinstance(body, str) else body
        return self.body

    async def raw(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def send(self, status: int = 200, body: str | bytes = b"", kind: str = "text/html; charset=utf-8",
                   *more: tuple[str, str]) -> None:
        data = self.note(status, body, kind, more)
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}", f"Content-Length: {len(data)}"]
        lines += [f"Content-Type: {kind}"] if kind else []
        lines += [f"{k}: {v}" for k, v in more]
        await self.raw("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + data)

    def reset(self) -> None:
        """Breaks the connection with a TCP reset."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close = True
        self.writer.transport.abort()


Handler = Callable[[Request, Out], Awaitable[None]]
# (query type "A" or "AAAA", how often it was asked before) -> (answer code, addresses, TTL) or None: silence
Names = Callable[[str, int], tuple[int, list[str], int] | None]


@dataclass
class Site:
    name: str
    does: str
    expected: dict[str, Any]
    handler: Handler
    tls: str = "ok"  # or expired, wrong-name, self-signed, unknown-ca, handshake
    h2: bool = False
    names: Names | None = None
    names_after: float = 0  # seconds that a name server's answer takes


SITES: dict[str, Site] = {}


# The program's exit code for each outcome of a visit, where a site does not say another.
EXITS = {"complete": 0, "page-limit": 0, "time-limit": 0, "trap": 0, "kept-out": 4,
         "robots-unavailable": 3, "unreachable": 3, "home-error": 3, "bot-wall": 5, "backed-off": 6}


def site(name: str, does: str, tls: str = "ok", h2: bool = False, names: Names | None = None,
         names_after: float = 0, **expected: Any) -> Callable[[Handler], Handler]:
    """Registers the decorated handler as the site `name` and all its subdomains."""
    def register(handler: Handler) -> Handler:
        assert name not in SITES, name
        outcomes = expected.setdefault("outcome", "complete")
        expected.setdefault("exit", sorted({EXITS[o] for o in (
            outcomes if isinstance(outcomes, list) else [outcomes])}))
        SITES[name] = Site(name, does, expected, handler, tls, h2, names, names_after)
        return handler
    return register


def site_of(host: str) -> Site | None:
    return SITES.get(".".join(host.split(".")[-2:]))


def page(title: str, text: str = "", links: list[str] | tuple[str, ...] = (), head: str = "") -> str:
    items = "".join(f'<li><a href="{u}">Go to {u[-40:]}</a></li>' for u in links)
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f'<meta name="viewport" content="width=device-width">{head}</head>'
            f"<body><main><h1>{title}</h1><p>{text}</p><ul>{items}</ul></main></body></html>")


async def no_robots(req: Request, out: Out) -> bool:
    """Answers robots.txt with 404; True when it did."""
    if req.path == "/robots.txt":
        await out.send(404, "none", "text/plain")
        return True
    return False
