"""Words that are not in the tree: promises to do it later, ways around the compiler, and old words for common terms.

The files that talk to C may go around the compiler where they say why: `// reason: ...` on the line or the one before."""
import re

from project import code, files, finding, finish, read

LATER = re.compile(r"\b(TODO|FIXME|XXX)\b")
# "Told to wait" is plain; "the error is told" is not.
OLD = re.compile(r"\b(?:wish(?:es)?|handed|papers)\b|(?<!be )\btold(?= (?:apart|once|again|anew|as|by|with|at|in)\b|[.,;`]| and\b)")
AROUND_THE_COMPILER = {
    r"\btry!": "try!",
    r"\bas!": "as!",
    r"\bfatalError\(": "fatalError(",
    r"@unchecked\s+Sendable\b": "@unchecked Sendable",
    r"\bnonisolated\(unsafe\)": "nonisolated(unsafe)",
}
# A mistake that a type can refuse does not end the app, and prints nothing of a member's.
SCREENS = {
    r"\bpreconditionFailure\(": "preconditionFailure( could print what a member typed",
    r"\btab\s*==\s*\.\w+\s*\?": "Club/Tabs.swift tells tabs apart",
}
SWITCHED_OFF = re.compile(r"\.disabled\(")

# Where C values cross into Swift.
MAY_GIVE_A_REASON = ("Sources/App/CursesTerminal/", "Sources/Pictures/Imaging/", "Sources/Stores/Backends/HTTP/")
REASON = re.compile(r"//\s*reason:\s*\S")

for path in files("Sources/*.swift", "Tests/*.swift"):
    text = read(path)
    lines = text.split("\n")
    lines_of_code = code(text).split("\n")
    in_sources = path.startswith("Sources/")
    for index, line in enumerate(lines):
        number = index + 1
        said = line if in_sources else line.partition("//")[2]
        for match in LATER.finditer(said):
            finding(path, number, f"{match.group()}: do it now, or leave it out")
        for match in OLD.finditer(line if "func `" in line or "@Test(" in line else said):
            finding(path, number, f"{match.group()}: say reported, shown, sent, passed or documents")
        if SWITCHED_OFF.search(lines_of_code[index]):
            finding(path, number, ".disabled(: a test that does not run proves nothing")
        if not in_sources:
            continue
        for pattern, message in SCREENS.items() if path.startswith("Sources/App/Screens/") else ():
            if re.search(pattern, lines_of_code[index]):
                finding(path, number, message)
        if path.startswith("Sources/App/byteclub/Verbs/") and "session.store" in line and not path.endswith("/ClubCopyVerbs.swift"):
            finding(path, number, "session.store: a verb asks a service")
        has_reason = REASON.search(line) or (index > 0 and REASON.search(lines[index - 1]))
        for pattern, word in AROUND_THE_COMPILER.items():
            if not re.search(pattern, lines_of_code[index]):
                continue
            if not path.startswith(MAY_GIVE_A_REASON):
                finding(path, number, f"{word} is not used in this room")
            elif not has_reason:
                finding(path, number, f"{word} needs a comment '// reason: ...' here or on the line before")

finish()
