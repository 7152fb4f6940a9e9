#!/usr/bin/env python3
"""Holds the line of folders: what each room under src/ may include, and which heavy headers stay in .cpp files.

Exit 0 when all is well; else prints each breach as file:line and exits 1.
"""
import pathlib
import re
import sys

BEFORE_ALL = ["base"]
MAY_INCLUDE = {
    "base": {"base"},
    "url": {"base", "url"},
    "http": {"base", "url", "http"},
    "robots": {"base", "url", "robots"},
    "html": {"base", "url", "html"},
    "store": {"base", "url", "store"},
    "visit": {"base", "url", "http", "robots", "html", "store", "visit"},
    "audit": {"base", "url", "http", "robots", "html", "store", "visit", "audit"},
    "search": {"base", "url", "http", "robots", "html", "store", "visit", "search"},
    "serve": {"base", "url", "http", "robots", "html", "store", "visit", "audit", "search", "serve"},
    "cli": {"base", "url", "http", "robots", "html", "store", "visit", "audit", "search", "serve", "cli"},
}
# Never in a header: each costs every file that includes it a second or more of compiling.
HEAVY = re.compile(r"boost/(?!asio/awaitable\.hpp)|curl/|ares|openssl/|nlohmann/(?!json_fwd)|unicode/|CLI/|spdlog/|"
                   r"sqlite3\.h|xapian|cld2|mustache|toml\+\+|expat\.h|^regex$|^filesystem$|^iostream$")
BANNED = {
    "asio::detached": "a task whose failure nobody hears of: use start()",
    "#include <regex>": "std::regex backtracks and is slow to compile",
}


def breaches(root: pathlib.Path):
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".h", ".cpp", ".inc"}:
            continue
        room = path.relative_to(root / "src").parts[0]
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > 600:
            yield f"{path}:1: {text.count(chr(10))} lines: over 600, split it by sense" if path.suffix != ".inc" else None
        for number, line in enumerate(text.splitlines(), 1):
            for word, why in BANNED.items():
                if word in line and not line.lstrip().startswith("//"):
                    yield f"{path}:{number}: {word}: {why}"
            quoted = re.match(r'\s*#include "([^"/]+)/', line)
            if quoted and quoted[1] not in MAY_INCLUDE[room]:
                yield f"{path}:{number}: src/{room} may not include {quoted[1]}/"
            angled = re.match(r"\s*#include <([^>]+)>", line)
            if angled and path.suffix == ".h" and HEAVY.search(angled[1]):
                yield f"{path}:{number}: <{angled[1]}> is heavy: include it in a .cpp file"


def main() -> int:
    found = [b for b in breaches(pathlib.Path(__file__).resolve().parent.parent) if b]
    print("\n".join(found) if found else "includes: the line of folders holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
