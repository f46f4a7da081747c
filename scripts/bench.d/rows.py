"""Where the cursor of a list is, seen from outside."""
import collections
import re

_NAME = re.compile(r"note-(\d{6})\.md")
_MARKED = re.compile(r"^\s*>\s*note-(\d{6})\.md")


def cursor(screen):
    """The number of the note that the cursor is on: the row marked with >, else the only row in a style of its own.
    0 when it is on no note (mc begins on "/..")."""
    styles = {}
    for row, text in enumerate(screen.lines()):
        marked = _MARKED.match(text)
        if marked:
            return int(marked.group(1))
        name = _NAME.search(text)
        if name:
            styles[int(name.group(1))] = screen.style(row, name.group())
    counts = collections.Counter(styles.values())
    alone = [number for number, style in styles.items() if counts[style] == 1]
    return alone[0] if len(alone) == 1 and len(styles) > 2 else 0
