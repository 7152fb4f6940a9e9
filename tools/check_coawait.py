#!/usr/bin/env python3
"""g++ 12.2 miscompiles some coroutines. Each co_await must stand alone as a statement, initialise a named local (or be
assigned to one), or follow co_return; its arguments hold no lambda, brace list or ?:.

Exit 0 when every co_await under src/, tests/ and bench/ keeps to that; else prints file:line and exits 1.
"""
import pathlib
import re
import sys

STATEMENT = re.compile(
    r"^(?:co_return\s+|(?:(?:const\s+)?[\w:<>,*&\s]+?[\s&*])?\*?[\w.\->\[\]]+\s*=\s*)?co_await\s+[^;{}?]*$", re.S)


def without_comments(text: str) -> str:
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def breaches(path: pathlib.Path):
    text = without_comments(path.read_text(encoding="utf-8"))
    for match in re.finditer(r"\bco_await\b", text):
        start = max(text.rfind(mark, 0, match.start()) for mark in ";{}") + 1
        end = text.find(";", match.start())
        # A lambda or brace list in the arguments brings a '{' before the ';'.
        statement = text[start:end].strip()
        statement = re.sub(r"^(?:\w+\s*:\s*|else\s+|case\s[^:]*:\s*)", "", statement)
        statement = re.sub(r"^(?:if|while|for|switch)\s*\((?:[^()]|\([^()]*\))*\)\s*", "", statement)
        if not STATEMENT.match(statement):
            yield text.count("\n", 0, match.start()) + 1, " ".join(statement.split())


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    bad = 0
    for folder in ("src", "tests", "bench"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".h", ".cpp"}:
                for line, statement in breaches(path):
                    print(f"{path.relative_to(root)}:{line}: co_await must stand alone: {statement[:100]}")
                    bad += 1
    if not bad:
        print("co_await: every one stands where both compilers get it right")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
