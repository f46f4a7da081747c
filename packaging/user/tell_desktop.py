"""Tells the desktop of one batch of byteclub's news: the JSON document on standard input. For byteclub news --exec.

Names are text alone: they are no options, no words for a shell, and no markup.
"""
import json
import subprocess
import sys

MOST_LINES, MOST_SIGNS = 6, 80
WORDS = {"added": "added", "changed": "changed", "caption": "described", "walk": "saved the walk",
         "remark": "said something on", "door": "set a door in"}


def plain(text):
    """On one line, without signs that steer, and not too long."""
    text = "".join(sign if sign.isprintable() else " " for sign in str(text))
    return text if len(text) <= MOST_SIGNS else text[:MOST_SIGNS - 1] + "…"


def lines(items):
    groups = {}
    for item in items:
        groups.setdefault((item["member"] or "somebody", item["action"]), []).append(item["path"])
    for (member, action), paths in groups.items():
        what = plain(paths[0]) if len(paths) == 1 else f"{len(paths)} files, such as {plain(paths[0])}"
        yield f"{plain(member)} {WORDS.get(action, 'did something to')} {what}"


def main():
    batch = json.load(sys.stdin.buffer)
    told = list(lines(batch["items"]))
    if len(told) > MOST_LINES:
        told[MOST_LINES - 1:] = [f"and {len(told) - MOST_LINES + 1} more"]
    # notify-send takes a backslash in the body, and what follows it, for another sign, such as that of markup.
    body = "\n".join(told).replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    command = ["notify-send", "--app-name=byteclub", "--icon=byteclub", "--", plain(batch["club"]), body]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode
    except FileNotFoundError:
        print("notify-send is missing. On Debian: sudo apt install libnotify-bin", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
