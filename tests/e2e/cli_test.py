#!/usr/bin/python3
"""The command line's contract: shapes of --json answers, exit codes, and bad input of many kinds."""
from __future__ import annotations

import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from testbed import ROOT, Findings, run, scratch, web  # noqa: E402

MALTA = str(ROOT / "examples" / "malta" / "scope.toml")
# Words that must be refused: exit 2, one clear sentence on stderr, nothing on stdout, nothing made.
BAD = [
    [], ["nonsense"], ["audit"], ["audit", "a.test", "b.test"], ["audit", "ftp://x/"], ["audit", ""],
    ["audit", "http://[::1/"], ["audit", "http://"], ["audit", "https://a b.test/"],
    ["audit", "http://user:pw@x.test/"], ["audit", "http://x.test:99999/"], ["audit", "http://1.2.3.256/"],
    ["audit", "x.test", "--pages", "0"], ["audit", "x.test", "--pages", "-1"],
    ["audit", "x.test", "--pages", "many"], ["audit", "x.test", "--floor", "0"],
    ["audit", "x.test", "--floor", "soon", "--allow-private", "x.test"],
    ["audit", "x.test", "--format", "pdf"], ["audit", "x.test", "--fail-on", "no-such-rule"],
    ["audit", "x.test", "--fail-under", "200"], ["audit", "x.test", "--fail-under", "x"],
    ["audit", "x.test", "--lanes", "9"], ["audit", "x.test", "--allow-private", "a b"],
    ["audit", "x.test", "--psl", "/no/such"], ["audit", "x.test", "--no-such-option"],
    ["--config", "/no/such", "audit", "x.test"], ["explain", "mailto:x"], ["fetch", "http://"],
    ["url"], ["url", "http://a b/"], ["url", "x"], ["url", "x", "--base", "y"],
    ["url", "http://a.test:99999/"], ["robots", "x.test", "--file", "/no/such"], ["read", "/no/such"],
    ["read", "/"], ["rules", "no-such-rule"], ["keys"], ["keys", "frob"], ["doctor"],
    ["scope"], ["scope", "frob"], ["scope", "explain", "x.test"], ["scope", "explain", "/no/such", "--scope", MALTA],
    ["scope", "explain", "./such.html", "--scope", MALTA], ["scope", "test", "/no/such", "--scope", MALTA],
    ["scope", "test", MALTA, "--scope", MALTA], ["scope", "diff", "/no/such", MALTA, "home"],
]
BAD_CONFIG = ["[pace", "[pace]\nfloor = 3 s", "[pace]\nflour = \"2s\"", "[pace]\nfloor = \"-1s\"",
              "[limits]\npages = \"many\"", "[limits]\npages = 0", "[nowhere]\nx = 1",
              "[network]\nports = [70000]", "[identity]\ntoken = \"two words\"", "\0", "[network]\ndns = 5"]


def bad_input(found: Findings, folder: Path) -> None:
    for words in BAD:
        home = folder / "not-made"
        ran = run(*words, "--home", str(home), cwd=folder)
        found.check(ran.code == 2, f"{words}: exit {ran.code}, not 2")
        found.check(ran.out == "", f"{words}: wrote to stdout: {ran.out[:100]!r}")
        found.check(ran.err.startswith("periplus: "), f"{words}: says {ran.err[:100]!r}")
        found.check(not home.exists(), f"{words}: made a home")
        told = run("--json", *words, "--home", str(home), cwd=folder)
        error = told.json().get("error", {}) if told.out.count("\n") == 1 else {}
        found.check(told.code == 2 and error.get("exit") == 2 and error.get("sentence"),
                    f"--json {words}: exit {told.code}, {told.out[:150]!r}")
        shutil.rmtree(home, ignore_errors=True)
    home = folder / "home"
    home.mkdir()
    for text in BAD_CONFIG:
        (home / "periplus.toml").write_text(text)
        ran = run("audit", "x.test", "--home", str(home))
        found.check(ran.code == 2 and "periplus.toml" in ran.err, f"{text!r}: exit {ran.code}, {ran.err[:150]!r}")
        found.check(sorted(p.name for p in home.iterdir()) == ["periplus.toml"], f"{text!r}: changed the home")


def bad_homes(found: Findings, folder: Path) -> None:
    """A home that cannot be used: exit 2 and one sentence, in JSON too."""
    a_file = folder / "a-file"
    a_file.write_text("x")
    damaged = folder / "damaged"
    damaged.mkdir()
    (damaged / "periplus.db").write_text("this is no database " * 500)
    taken = folder / "taken"
    (taken / "periplus.db").mkdir(parents=True)
    for home in (a_file, a_file / "below", damaged, taken, Path("/proc/no-home")):
        for words in (["audit", "http://127.0.0.1:9/"], ["robots", "http://127.0.0.1:9/"]):
            ran = run(*words, "--allow-private", "127.0.0.1", "--home", str(home), "--json")
            error = ran.json().get("error", {}) if ran.out.count("\n") == 1 else {}
            found.check(ran.code == 2 and error.get("exit") == 2 and ran.err.count("\n") == 1,
                        f"{words[0]} in {home}: exit {ran.code}, {ran.out[:150]!r}, {ran.err[:150]!r}")


def shapes(found: Findings, folder: Path) -> None:
    ran = run("url", "../x?y", "--base", "https://www.a.co.uk/b/c", "--json")
    want = {"href": "https://www.a.co.uk/x?y", "protocol": "https:", "host": "www.a.co.uk", "site": "www.a.co.uk"}
    told = ran.json()
    found.check(ran.code == 0 and all(k in told for k in (*want, "owner")), f"url: {ran.out}")
    found.check(all(told[k] == want[k] for k in ("href", "protocol", "host")), f"url: {ran.out}")
    ran = run("url", "http://a b/", "--json")
    found.check(ran.code == 2 and set(ran.json()) == {"error"}, f"url: {ran.code} {ran.out}")
    (folder / "robots.txt").write_text("User-agent: Foo\nDisallow: /a\nCrawl-delay: 2\nSitemap: http://x.test/s\n")
    ran = run("robots", "http://x.test/a/b", "--agent", "Foo", "--file", str(folder / "robots.txt"), "--json")
    want = {
        "allowed": False, "line": 2, "rule": "Disallow: /a", "group": ["Foo"], "crawl_delay": 2,
        "sitemaps": ["http://x.test/s"]}
    found.check(ran.code == 0 and {k: ran.json().get(k) for k in want} == want, f"robots: {ran.code} {ran.out}")
    page = b"<title>T</title><a href='/x'>go</a>"
    ran = run("read", "-", "--url", "http://x.test/", "--json", stdin=page)
    facts = ran.json()
    found.check(facts["title"] == "T" and facts["links"][0]["url"] == "http://x.test/x", f"read: {ran.out[:200]}")
    before, after = run("--json", "url", "http://x.test/"), run("url", "http://x.test/", "--json")
    found.check(before.out == after.out and before.code == 0, "global options before and after differ")
    for words in (["--help"], ["audit", "--help"], ["--version"], ["rules"]):
        ran = run(*words)
        found.check(ran.code == 0 and ran.out != "" and ran.err == "", f"{words}: {ran.code}")


def on_the_web(found: Findings, folder: Path) -> None:
    with web(folder / "web") as there:
        home = there.home(folder / "there")
        keys = {"url", "outcome", "status", "hops", "address_verdict", "bot_wall", "robots", "bytes", "cut",
                "charset", "waited"}
        ran = run("fetch", there.url("plain.test"), "--home", str(home), "--json")
        told = ran.json()
        found.check(ran.code == 0 and keys <= set(told), f"fetch: {ran.code}, lacks {keys - set(told)}")
        found.check(told["status"] == 200 and told["outcome"] == "ok" and told["bot_wall"] is None, ran.out[:300])
        found.check("We make plain things" not in ran.out, "fetch printed the body without --body")
        ran = run("fetch", there.url("wall-403.test"), "--home", str(home), "--json")
        found.check(ran.json()["bot_wall"]["vendor"] == "cloudflare", f"fetch: {ran.out[:300]}")
        found.check(run("fetch", there.url("robots-closed.test"), "--home", str(home)).code == 4, "kept out: not 4")
        closed = there.home(folder / "closed", allow="")
        strict = (closed / "periplus.toml").read_text().replace('"200ms"', '"1s"')
        (closed / "periplus.toml").write_text(strict)
        ran = run("fetch", there.url("plain.test"), "--home", str(closed), "--json")
        found.check(ran.code == 3 and ran.json()["address_verdict"].startswith("refused: "), ran.out[:300])
        words = ["audit", there.url("packed.test"), "--home", str(home), "--pages", "2"]
        found.check(run(*words).code == 0, "audit: not 0")
        again = run(*words)
        found.check(again.code == 6 and "report.html" in again.err, f"again: {again.code} {again.err}")
        gate = run("audit", there.url("faulty.test"), "--home", str(home), "--fail-under", "100")
        found.check(gate.code == 1 and "gate failed" in gate.err, f"gate: {gate.code} {gate.err[-200:]}")
        found.check(run("doctor", "--home", str(home)).code == 0, "doctor: not 0")


def main() -> int:
    found = Findings()
    with scratch() as folder:
        bad_input(found, folder)
        bad_homes(found, folder)
        shapes(found, folder)
        on_the_web(found, folder)
    return found.end()


if __name__ == "__main__":
    sys.exit(main())
