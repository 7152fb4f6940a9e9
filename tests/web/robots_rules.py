"""A robots.txt matcher of the checker's own (RFC 9309), small and apart from the crawler's code."""
from __future__ import annotations

import re
from dataclasses import dataclass, field

READ_AT_LEAST = 512_000  # octets; what stands behind them need not be obeyed


def matches(pattern: str, path: str) -> bool:
    end = pattern.endswith("$")
    parts = [re.escape(_octets(part)) for part in (pattern[:-1] if end else pattern).split("*")]
    return re.match(".*".join(parts) + ("$" if end else ""), _octets(path), re.DOTALL) is not None


def _octets(text: str) -> str:
    """Percent-encodes what is not ASCII, and writes %xx in upper case, so that both sides agree."""
    out = "".join(c if ord(c) < 128 else "".join(f"%{b:02X}" for b in c.encode()) for c in text)
    return re.sub(r"%[0-9a-fA-F]{2}", lambda m: m[0].upper(), out)


@dataclass
class Rules:
    allow: list[str] = field(default_factory=list)
    disallow: list[str] = field(default_factory=list)
    delay: float | None = None

    def allows(self, path: str) -> bool:
        """The longest match decides; Allow wins a tie (RFC 9309 section 2.2.2)."""
        best = {kind: max((len(p) for p in patterns if matches(p, path)), default=-1)
                for kind, patterns in (("allow", self.allow), ("disallow", self.disallow))}
        return best["allow"] >= best["disallow"]


def parse(body: bytes, token: str) -> Rules:
    """The rules of all groups that name `token`, merged; else those for "*"."""
    text = body[:READ_AT_LEAST].decode("utf-8", "replace").lstrip("\ufeff")
    groups: dict[str, Rules] = {}
    names: list[str] = []
    in_rules = False
    for line in re.split(r"\r\n|\r|\n", text):
        key, colon, value = line.partition("#")[0].partition(":")
        if not colon:
            continue
        key, value = key.strip().lower(), value.strip()
        if key == "user-agent":
            if in_rules:
                names, in_rules = [], False
            names.append(value.lower())
            groups.setdefault(value.lower(), Rules())
        elif key in ("allow", "disallow", "crawl-delay"):
            in_rules = True
            for name in names:
                if key == "crawl-delay":
                    try:
                        groups[name].delay = float(value)
                    except ValueError:
                        pass
                elif value:
                    getattr(groups[name], key).append(value)
    return groups.get(token.lower()) or groups.get("*") or Rules()
