"""Every byte that reaches a terminal goes through one door, which makes visible what could drive it.

Only the files of DOORS write to standard output or standard error. What members ask for byte by byte passes a door as it
is, by `exact`, in the files of EXACT alone, one for each case of `Output.Exact`."""
import re

from project import code, files, finding, finish, read

DOORS = {
    "Sources/App/byteclub/Output/Output.swift": "results and sentences of the commands",
    "Sources/Server/byteclub-serve/Reply.swift": "results and sentences of the server's commands",
    "Sources/Server/byteclub-serve/LogLines.swift": "the server's log",
    "Sources/C/CNcurses/CNcurses.c": "the cells of the full screen",
    "Sources/C/CNcurses/signals.c": "the terminal as it was, after any end",
}
EXACT = {
    "Sources/App/byteclub/Verbs/Notes/NoteVerbs.swift": {"noteCat"},
    "Sources/App/byteclub/Verbs/Photos/PhotoGet.swift": {"photoGet"},
    "Sources/App/byteclub/Verbs/Photos/PhotoView.swift": {"pictureFile"},
}
STREAM = r"(?:[12]\b(?!\.)|STD(?:OUT|ERR)_FILENO\b)"
PAST = re.compile(
    r"(?<!func )(?<!\.)\b(?:print|debugPrint|dump|puts|fputs|putchar|fwrite|perror|dprintf|v?f?printf)\("
    r"|\bFileHandle\.standard|\bstd(?:out|err)\b"
    rf"|\bp?writev?\(\s*{STREAM}"
    rf"|\bwrite\((?:[^()]|\([^()]*\))*\bto:\s*{STREAM}"
    rf"|\bowning:\s*{STREAM}|\b(?:results|notices|descriptor): Int32 = {STREAM}")

found = {path: set() for path in EXACT}
for path in files("Sources/*.swift", "Sources/*.c", "Sources/*.h"):
    text = code(read(path))
    for number, line in enumerate(text.split("\n"), 1):
        if path not in DOORS and PAST.search(line):
            finding(path, number, "output past the door: use Output (Sources/App/byteclub/Output)")
    for match in re.finditer(r"\.exact\((?:[^()]|\([^()]*\))*\.(\w+)\)", text):
        if match[1] not in EXACT.get(path, ()):
            finding(path, text.count("\n", 0, match.start()) + 1, "only commands that are named here print others' bytes")
        else:
            found[path].add(match[1])
for path, purposes in EXACT.items():
    for purpose in purposes - found[path]:
        finding(path, 1, f"{purpose} is an exception that nothing uses: take it out of scripts/check.d/door.py")
for path in DOORS:
    if path not in files("Sources/*"):
        finding(path, 1, "a door that is not there: take it out of scripts/check.d/door.py")
finish()
