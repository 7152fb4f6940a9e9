"""Sites that ask once for a pause, in each form of Retry-After, and are well again after it."""
import email.utils
import time

from core import Out, Request, no_robots, page, site

PAUSE = 5  # seconds: of the pauses that end while a test waits
# name: (Retry-After, None for no such line; whether the pause is over within a test)
FORMS: dict[str, tuple[object, bool]] = {
    "seconds": (lambda: str(PAUSE), True),
    "date": (lambda: email.utils.formatdate(time.time() + PAUSE + 1, usegmt=True), True),
    "past": (lambda: "Sun, 06 Nov 1994 08:49:37 GMT", True), "zero": (lambda: "0", True),
    "huge": (lambda: "9" * 40, False), "year": (lambda: "Fri, 31 Dec 9999 23:59:59 GMT", False),
    "negative": (lambda: "-5", False), "words": (lambda: "after lunch", False), "none": (lambda: "", False)}
_asked: set[str] = set()

for _name, (_value, _ends) in FORMS.items():
    @site(f"pause-{_name}.test", f"its second page answers 503 once, Retry-After: {_name}",
          outcome="complete" if _ends else "backed-off",
          config={"pace": ['floor = "200ms"', 'longest_wait = "30s"']}, max_requests=12)
    async def pause(req: Request, out: Out, name: str = _name, value: object = _value) -> None:
        if await no_robots(req, out):
            return
        if req.path == "/tired" and name not in _asked:
            _asked.add(name)
            text = value()  # type: ignore[operator]
            await out.send(503, "later", "text/plain", *([("Retry-After", text)] if text else []))
        else:
            await out.send(200, page(f"At {req.path}", links=["/tired"]))
