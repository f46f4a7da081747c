"""Reads Tests/flaky.md:  flaky.py FILE [TODAY]

Fails while a test stands there for more than two weeks, or three stand there, or a row begins with no date."""
import datetime
import re
import sys

LONGEST_DAYS = 14
MOST = 2


def findings(text, today):
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.split("\n") if line.startswith("|")]
    # The head, and the line below it.
    rows = [row for row in rows if row[0] != "since" and not re.fullmatch("[-:]+", row[0])]
    for date, *words in rows:
        name = words[0] if words else "a row without a name"
        try:
            days = (today - datetime.date.fromisoformat(date)).days
        except ValueError:
            yield f"{name}: \"{date}\" is no date like {today}"
            continue
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
