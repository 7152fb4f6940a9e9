#!/usr/bin/python3
"""The web of test sites: HTTP, HTTPS (HTTP/2 where a site asks for it) and DNS on loopback."""
from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import json
import signal
import ssl
import time
from pathlib import Path
from typing import Any

import h2.config
import h2.connection
import h2.events
import h2.exceptions

import sites  # noqa: F401  (registers all sites)
from certs import Authority
from core import SITES, Out, Request, site_of
from names import NameServer

GONE = (ConnectionError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ssl.SSLError,
        TimeoutError, OSError, h2.exceptions.ProtocolError)


BEAT = 0.01  # seconds


class StreamOut(Out):
    """Answers one HTTP/2 stream; bodies wait for the peer's window."""

    def __init__(self, writer: asyncio.StreamWriter, conn: h2.connection.H2Connection,
                 stream: int, window: asyncio.Event) -> None:
        super().__init__(writer)
        self.conn, self.stream, self.window = conn, stream, window

    async def send(self, status: int = 200, body: str | bytes = b"",
                   kind: str = "text/html; charset=utf-8", *more: tuple[str, str]) -> None:
        data = self.note(status, body, kind, more)
        fields = [(":status", str(status)), ("content-type", kind)]
        self.conn.send_headers(self.stream, fields + [(k.lower(), v) for k, v in more])
        while data:
            room = min(self.conn.local_flow_control_window(self.stream),
                       self.conn.max_outbound_frame_size)
            if room <= 0:
                self.window.clear()
                await self.window.wait()
                continue
            self.conn.send_data(self.stream, data[:room])
            data = data[room:]
            await self.raw(self.conn.data_to_send())
        self.conn.end_stream(self.stream)
        await self.raw(self.conn.data_to_send())


class Web:
    def __init__(self, state: Path, only: list[str]) -> None:
        self.log = (state / "access.jsonl").open("a", buffering=1)
        self.state = state
        (state / "robots").mkdir(exist_ok=True)
        self.last_beat, self.late = time.monotonic(), 0.0
        self.ports: dict[str, int] = {}
        self.only = set(only)
        self.numbers = itertools.count(1)

    async def answer(self, req: Request, out: Out, peer: str) -> None:
        site = site_of(req.host)
        start, wall = time.monotonic(), time.time()
        lag = self.lag(start)
        try:
            if site is None or (self.only and site.name not in self.only):
                await out.send(404, "no such site", "text/plain")
            else:
                await site.handler(req, out)
        finally:
            self.log.write(json.dumps({
                "start": start, "end": time.monotonic(), "wall_start": wall,
                "wall_end": time.time(), "site": site.name if site else "", "host": req.host,
                "scheme": req.scheme, "method": req.method, "path": req.path, "query": req.query,
                "target": req.path + ("?" + req.query if req.query else ""),
                "headers": req.headers, "version": req.version, "peer": peer, "conn": req.conn, "status": out.status,
                "lag": lag, **self.told(req, out)}) + "\n")

    def told(self, req: Request, out: Out) -> dict[str, Any]:
        """What the checker must know of an answer: where it leads, a pause, rules for crawlers."""
        told: dict[str, Any] = {k.lower().replace("-", "_"): v for k, v in out.fields
                                if k.lower() in ("location", "retry-after")}
        if out.status == 200 and out.kind == "text/plain":
            digest = hashlib.sha256(out.body).hexdigest()[:16]
            saved = self.state / "robots" / digest
            if not saved.exists():
                saved.write_bytes(out.body)
            told["robots"] = digest
        return told

    async def beat(self) -> None:
        """Measures how late this loop runs, so that its own lateness is not held against a crawler."""
        while True:
            await asyncio.sleep(BEAT)
            now = time.monotonic()
            self.late = max(0.0, now - self.last_beat - BEAT)
            self.last_beat = now

    def lag(self, now: float) -> float:
        return round(max(self.late, now - self.last_beat - BEAT, 0.0), 4)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(self.numbers)
        tls = writer.get_extra_info("ssl_object")
        try:
            if tls is not None and tls.selected_alpn_protocol() == "h2":
                await self.http2(reader, writer, number)
            else:
                await self.http1(reader, writer, number, "https" if tls else "http")
        except GONE:
            pass
        finally:
            writer.close()

    async def http1(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
                    number: int, scheme: str) -> None:
        peer = str(writer.get_extra_info("peername"))
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            parts = head[0].split(" ")
            if len(parts) != 3:
                return
            headers = [(k, v.strip()) for k, _, v in (x.partition(":") for x in head[1:] if x)]
            req = Request(parts[0], scheme, "", *split(parts[1]), headers, number, self.ports)
            req.host = host_only(req.get("host"))
            out = Out(writer)
            await self.answer(req, out, peer)
            if out.close or req.get("connection").lower() == "close":
                return

    async def http2(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
                    number: int) -> None:
        peer = str(writer.get_extra_info("peername"))
        conn = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        conn.initiate_connection()
        writer.write(conn.data_to_send())
        window = asyncio.Event()
        tasks: set[asyncio.Task[None]] = set()
        try:
            while data := await reader.read(65536):
                for event in conn.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        fields = dict(event.headers)
                        req = Request(fields[":method"], "https", host_only(fields[":authority"]),
                                      *split(fields[":path"]),
                                      [(k, v) for k, v in event.headers if k[0] != ":"],
                                      number, self.ports, "2")
                        out = StreamOut(writer, conn, event.stream_id, window)
                        task = asyncio.create_task(self.stream(req, out, peer))
                        tasks.add(task)
                        task.add_done_callback(tasks.discard)
                    elif isinstance(event, h2.events.WindowUpdated):
                        window.set()
                writer.write(conn.data_to_send())
        finally:
            for task in tasks:
                task.cancel()

    async def stream(self, req: Request, out: Out, peer: str) -> None:
        try:
            await self.answer(req, out, peer)
        except GONE:
            pass


def split(target: str) -> tuple[str, str]:
    path, _, query = target.partition("?")
    return path, query


def host_only(authority: str) -> str:
    return authority.rsplit(":", 1)[0].lower() if ":" in authority else authority.lower()


def tls_context(state: Path) -> ssl.SSLContext:
    folder = state / "certs"
    folder.mkdir(exist_ok=True)
    ours, other = Authority(folder), Authority(folder, "Unknown CA")
    (state / "ca.pem").write_bytes(ours.pem)
    contexts = {s.name: ours.context(s, other) for s in SITES.values()}

    def choose(sock: Any, name: str | None, _: Any) -> int | None:
        site = site_of(name or "")
        if site is None:
            return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
        if site.tls == "handshake":
            return ssl.ALERT_DESCRIPTION_HANDSHAKE_FAILURE
        sock.context = contexts[site.name]
        return None

    first = ours.context(next(iter(SITES.values())), other)
    first.set_alpn_protocols(["http/1.1"])
    first.sni_callback = choose
    return first


async def run(args: argparse.Namespace) -> None:
    state = Path(args.state)
    state.mkdir(parents=True, exist_ok=True)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda *_: None)  # clients vanish; that is no news here
    web = Web(state, args.only)
    for scheme, port, tls in (("http", args.http, None), ("https", args.https, tls_context(state))):
        server = await asyncio.start_server(web.serve, args.bind, port, ssl=tls, backlog=1024)
        web.ports[scheme] = server.sockets[0].getsockname()[1]
        try:
            await asyncio.start_server(web.serve, "::1", web.ports[scheme], ssl=tls, backlog=1024)
        except OSError as error:
            print(f"no IPv6 for {scheme}: {error}", flush=True)
    names, _ = await loop.create_datagram_endpoint(
        lambda: NameServer(args.bind), local_addr=(args.bind, args.dns))
    ports = {**web.ports, "dns": names.get_extra_info("sockname")[1]}
    temporary = state / "ports.json.new"
    temporary.write_text(json.dumps(ports))
    temporary.rename(state / "ports.json")
    print(json.dumps(ports), flush=True)
    beat = asyncio.create_task(web.beat())
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()
    beat.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", default="test-web-state")
    for name in ("http", "https", "dns"):
        parser.add_argument("--" + name, type=int, default=0, metavar="PORT")
    parser.add_argument("--bind", default="127.0.0.1")
    parser.add_argument("--only", nargs="*", default=[], metavar="SITE")
    parser.add_argument("--list-json", action="store_true")
    args = parser.parse_args()
    if args.list_json:
        print(json.dumps({s.name: {"does": s.does, "tls": s.tls, "h2": s.h2,
                                   "expected": s.expected} for s in SITES.values()}, indent=1))
        return
    asyncio.run(run(args))


if __name__ == "__main__":
    main()
