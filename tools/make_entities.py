#!/usr/bin/env python3
"""Writes src/html/entities.inc: the named character references of the HTML Standard (section 13.5).

Python's own table (html.entities.html5) holds the same facts. Usage: tools/make_entities.py > src/html/entities.inc
"""
import html.entities


def c_text(text):
    return "".join("\\x%02X" % byte for byte in text.encode("utf-8"))


def main():
    rows = ['E("%s", "%s")' % (name, c_text(value)) for name, value in sorted(html.entities.html5.items())]
    print("// Made by tools/make_entities.py from the HTML Standard's table; do not edit.")
    print("// Sorted by octets; a name without ';' is one that needs none.")
    line = ""
    for row in rows:
        if line and len(line) + 1 + len(row) > 118:
            print(line)
            line = ""
        line = (line + " " + row) if line else row
    print(line)


if __name__ == "__main__":
    main()
