#!/usr/bin/env python3
"""Holds the documents to the tree: relative links lead somewhere, every option they name exists, and the man page names every
command and option that the command line has.

Exit 0 when all is well; else prints each fault and exits 1.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = [p for p in sorted(ROOT.rglob("*.md")) if not {"build", "periplus-home"} & set(p.relative_to(ROOT).parts)]
# Options of other programs that the documents show.
FOREIGN = {"--preset", "--build", "--target", "--install", "--update", "--cacert", "--resolve", "--only", "--list-json", "--state",
           "--http", "--https", "--bind", "--floor", "--parallel", "--agent-regex", "--headless", "--prefix"}


def faults():
    parse = (ROOT / "src/cli/parse.cpp").read_text()
    options = set(re.findall(r'"(--[a-z-]+)', parse))
    commands = set(re.findall(r'command\([*a-z]+, "([a-z]+)"', parse))
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT)
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if not re.match(r"[a-z]+:", link) and not (path.parent / link).exists():
                yield f"{name}: the link {link} leads nowhere"
        if path.parent == ROOT:
            for option in sorted(set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text)) - options - FOREIGN - {"--help", "--version"}):
                yield f"{name}: there is no option {option}"
    man = (ROOT / "docs/man/periplus.1").read_text().replace("\\-", "-")
    for command in sorted(commands):
        if not re.search(rf"\b{command}\b", man):
            yield f"docs/man/periplus.1: the command {command} is missing"
    for option in sorted(options - {"--help", "--version"}):
        if option not in man:
            yield f"docs/man/periplus.1: the option {option} is missing"


def main() -> int:
    found = list(faults())
    print("\n".join(found) if found else f"docs: {len(DOCUMENTS)} documents agree with the tree")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
