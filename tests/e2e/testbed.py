"""What the end-to-end tests share: the web of test sites, homes, and runs of the program."""
from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "tests" / "web"
# The system's Python has the Debian packages the test web needs; another one may not.
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
# ASan's leak report at exit of a killed or aborted run would only hide what the test is about.
PLAIN = {**os.environ, "NO_COLOR": "1", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "detect_leaks=1")}


def program() -> Path:
    """The binary under test: $PERIPLUS, else the sanitised build, else the release."""
    named = os.environ.get("PERIPLUS")
    for path in ([Path(named)] if named else
                 [ROOT / "build" / kind / "periplus" for kind in ("asan", "release", "dev")]):
        if path.exists():
            return path
    sys.exit("no program to test: build one, or name it in PERIPLUS")


@dataclass
class Ran:
    code: int
    out: str
    err: str
    seconds: float

    def json(self) -> Any:
        return json.loads(self.out)


def run(*words: str, timeout: float = 120, stdin: bytes = b"", cwd: Path | None = None,
        env: dict[str, str] | None = None) -> Ran:
    """Runs the program to its end. A time-out is code 124."""
    begin = time.monotonic()
    try:
        done = subprocess.run([str(program()), *words], input=stdin, capture_output=True,
                              timeout=timeout, cwd=cwd, env={**PLAIN, **(env or {})}, check=False)
    except subprocess.TimeoutExpired as late:
        return Ran(124, (late.stdout or b"").decode("utf-8", "replace"),
                   (late.stderr or b"").decode("utf-8", "replace"), timeout)
    return Ran(done.returncode, done.stdout.decode("utf-8", "replace"),
               done.stderr.decode("utf-8", "replace"), time.monotonic() - begin)


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for one test, gone afterwards unless PERIPLUS_KEEP is set."""
    folder = Path(tempfile.mkdtemp(prefix="periplus-e2e-"))
    try:
        yield folder
    finally:
        if os.environ.get("PERIPLUS_KEEP"):
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Web:
    """A running web of test sites."""
    state: Path
    ports: dict[str, int]

    def log(self) -> list[dict[str, Any]]:
        """The access log so far; a line being written just now is left out."""
        text = (self.state / "access.jsonl").read_text()
        return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("}\n")]

    def url(self, host: str, scheme: str = "http", path: str = "/") -> str:
        return f"{scheme}://{host}:{self.ports[scheme]}{path}"

    def home(self, folder: Path, *, allow: str = "*", more: dict[str, list[str]] | None = None) -> Path:
        """A home that lives in this web. `more`: lines to add to a section of periplus.toml."""
        sections = {
            "pace": ['floor = "200ms"', 'longest_wait = "3s"'],
            "limits": ['request_time = "3s"'],
            "network": [f'dns = ["127.0.0.1:{self.ports["dns"]}"]',
                        f"ca_file = {json.dumps(str(self.state / 'ca.pem'))}",
                        f"ports = [{self.ports['http']}, {self.ports['https']}]",
                        f'allow_private = ["{allow}"]' if allow else "allow_private = []"],
        }
        for section, lines in (more or {}).items():
            keys = {line.split("=")[0].strip() for line in lines}
            sections[section] = [line for line in sections.get(section, [])
                                 if line.split("=")[0].strip() not in keys] + lines
        folder.mkdir(parents=True, exist_ok=True)
        text = "\n".join("\n".join([f"[{name}]", *lines]) for name, lines in sections.items())
        (folder / "periplus.toml").write_text(text + "\n")
        return folder


@contextmanager
def web(state: Path, *words: str) -> Iterator[Web]:
    """Starts the web of test sites, and stops it."""
    state.mkdir(parents=True, exist_ok=True)
    with (state / "server.log").open("ab") as talk:
        server = subprocess.Popen([PYTHON, "-B", str(WEB / "serve.py"), "--state", str(state),
                                   *words], stdout=talk, stderr=talk)
        try:
            deadline = time.monotonic() + 30
            while not (state / "ports.json").exists():
                if server.poll() is not None or time.monotonic() > deadline:
                    sys.exit(f"the test web did not start:\n{(state / 'server.log').read_text()}")
                time.sleep(0.05)
            yield Web(state, json.loads((state / "ports.json").read_text()))
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()


def sites() -> dict[str, Any]:
    """Every site of the test web with what it expects of a crawler."""
    return json.loads(subprocess.check_output([PYTHON, "-B", str(WEB / "serve.py"),
                                               "--list-json"]))


def check_log(state: Path, *words: str) -> Ran:
    done = subprocess.run([PYTHON, "-B", str(WEB / "check_log.py"),
                           str(state / "access.jsonl"), *words], capture_output=True, text=True,
                          check=False)
    return Ran(done.returncode, done.stdout, done.stderr, 0)


@dataclass
class Recorded:
    """The newest visit of a home, as its store holds it."""
    outcome: str
    failure: str
    detail: str
    pages: list[dict[str, Any]]


def recorded(home: Path) -> Recorded | None:
    store = home / "periplus.db"
    if not store.exists():
        return None
    base = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    base.row_factory = sqlite3.Row
    try:
        visit = base.execute("SELECT * FROM visits ORDER BY started DESC, id DESC LIMIT 1").fetchone()
        if visit is None:
            return None
        pages = base.execute("SELECT url, final_url, status, failure, title, words, cut FROM pages "
                             "WHERE visit = ? ORDER BY seq", (visit["id"],)).fetchall()
    finally:
        base.close()
    return Recorded(visit["outcome"], visit["failure"], visit["outcome_detail"],
                    [dict(page) for page in pages])


class Findings:
    """What went wrong in one test program; ends it."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.checks = 0

    def check(self, good: bool, what: str) -> bool:
        self.checks += 1
        if not good:
            self.wrong.append(what)
            print(f"WRONG {what}", flush=True)
        return good

    def end(self) -> int:
        print(f"{self.checks} checks, {len(self.wrong)} wrong", flush=True)
        return 1 if self.wrong else 0
