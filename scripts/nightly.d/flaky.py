"""Reads Tests/flaky.md:  flaky.py FILE [TODAY]

Fails while a test stands there for more than two weeks, or three tests stand there."""
import datetime
import re
import sys

LONGEST_DAYS = 14
MOST = 2


def findings(text, today):
    rows = re.findall(r"^\| *(\d{4}-\d\d-\d\d) *\| *(.+?) *\| *(.+?) *\|$", text, re.M)
    for date, name, _ in rows:
        days = (today - datetime.date.fromisoformat(date)).days
        if days > LONGEST_DAYS:
            yield f"{name}: it is {days} days old, mend it"
    if len(rows) > MOST:
        yield f"{len(rows)} tests, {MOST} is the most"


if __name__ == "__main__":
    today = datetime.date.fromisoformat(sys.argv[2]) if sys.argv[2:] else datetime.date.today()
    with open(sys.argv[1], encoding="utf-8") as file:
        found = list(findings(file.read(), today))
    for finding in found:
        print(f"{sys.argv[1]}: {finding}")
    sys.exit(1 if found else 0)
