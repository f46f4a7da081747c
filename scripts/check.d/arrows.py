"""The arrows that the compiler cannot check.

Package.swift says which room may import which. Within a room the folders are strangers to each other: a backend does
not name another backend's types, a screen no other screen's. And some modules belong to one room, even though the
linker would let others have them."""
import re

from project import code, files, finding, finish, read, room

# Rooms whose folders do not use each other -> folders there that are no backend or screen but parts for all of them.
ROOMS_OF_STRANGERS = {"Backends": {"HTTP"}, "Screens": {"Frame", "Keys", "Lists"}}
# The one folder of a room that puts the others together: it may name them all, and none of them names it.
# (Files that lie directly in the room may too.)
WIRING = {"Screens/Club"}

# Module -> the rooms that may import it.
ONE_ROOM_ONLY = {
    "Glibc": {"POSIX"},
    "Musl": {"POSIX"},
    "Darwin": {"POSIX"},
    "CSQLite": {"Database"},
    "CNcurses": {"CursesTerminal"},
    "CImaging": {"Imaging"},
    "CExpat": {"XML"},
}

# Foundation costs 8 MiB and 4 ms at every start; these rooms do without it.
FOUNDATION = {"Foundation", "FoundationEssentials"}
WITHOUT_FOUNDATION = {
    "Basics", "JSON", "ManualPages", "POSIX", "XML", "Zip", "FileStores", "Backends", "Accounts", "Imaging", "Decoding",
    "Database", "Markdown", "Merge", "Transfers", "ClubServices", "TextUI", "QRCodes", "CursesTerminal", "Screens",
    "byteclub", "byteclub-serve",
}

IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:(?:public|package|internal|fileprivate|private)[ \t]+)?"
    r"import[ \t]+(?:(?:struct|class|enum|protocol|typealias|func|let|var)[ \t]+)?(\w+)",
    re.M,
)
# At the left edge only: what is nested (State, Action) is not reachable by its bare name from another folder.
TYPE = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)",
    re.M,
)
# A name that a folder declares itself, at any depth and as privately as it likes, means its own there.
OWN = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias|associatedtype|case)\s+(\w+)")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def line_of(text, position):
    return text.count("\n", 0, position) + 1


sources = {path: code(read(path)) for path in files("Sources/*.swift")}

# A room uses rooms of its own storey and of those to the right of it; nobody uses the server's.
STOREYS = ["App", "Club", "Pictures", "Stores", "Ground", "C"]
# TextUI needs only Basics and CWidth, QRCodes only TextUI and CQRCode.
AGAINST_THE_ORDER = {("Markdown", "TextUI"), ("byteclub-serve", "TextUI"), ("byteclub-serve", "QRCodes")}
storey_of = {room(path).replace("-", "_"): path.split("/")[1] for path in files("Sources/*") if room(path)}


def goes_up(path, module):
    mine, other = path.split("/")[1], storey_of.get(module)
    if other is None or mine == other or (room(path), module) in AGAINST_THE_ORDER:
        return False
    return other == "Server" or STOREYS.index(other) < (STOREYS.index(mine) if mine != "Server" else 1)


for path, text in sources.items():
    mine = room(path)
    for match in IMPORT.finditer(text):
        module = match.group(1)
        if goes_up(path, module):
            finding(path, line_of(text, match.start(1)), f"{module} is in a storey above that of {mine}")
        owners = ONE_ROOM_ONLY.get(module)
        if owners is not None and mine not in owners:
            finding(path, line_of(text, match.start(1)), f"only {', '.join(sorted(owners))} may import {module}")
        if module in FOUNDATION and mine in WITHOUT_FOUNDATION:
            finding(path, line_of(text, match.start(1)), f"{mine} does without {module} (POSIX or Synchronization will do)")

for strangers, shared in ROOMS_OF_STRANGERS.items():
    inside = {}  # path -> folder, for files in a folder of the room
    owner = {}  # type -> the folder that declares it for all to see
    own = {}  # folder -> every type name that is declared in it
    for path, text in sources.items():
        parts = path.split("/")
        if room(path) != strangers or len(parts) < 5:
            continue
        inside[path] = parts[3]
        for match in TYPE.finditer(text):
            owner[match.group(1)] = parts[3]
        own.setdefault(parts[3], set()).update(match.group(1) for match in OWN.finditer(text))
    for path, folder in inside.items():
        if f"{strangers}/{folder}" in WIRING:
            continue
        for match in WORD.finditer(sources[path]):
            other = owner.get(match.group())
            if other is not None and other not in shared and match.group() not in own[folder]:
                finding(
                    path,
                    line_of(sources[path], match.start()),
                    f"{strangers}/{folder} names {match.group()} of {strangers}/{other}; folders of {strangers} do not use each other",
                )

# A kind of store is known by its folder of Backends and by the registry alone. Where these rooms write its name, the
# next kind would have to touch them.
WITHOUT_KINDS = {"byteclub", "Accounts", "ClubServices", "Screens", "Transfers"}
KIND = re.compile(r"\bstruct\s+\w+Kind\s*:\s*StoreKind\b")
KIND_NAME = re.compile(r'\blet\s+name\s*=\s*"([^"]+)"')

kinds = set()
for path, text in sources.items():
    if path.startswith("Sources/Stores/Backends/") and KIND.search(text):
        kinds.update(KIND_NAME.findall(read(path)))
if not kinds:
    finding("Sources/Stores/Backends/Registry.swift", 1, "no kind of store was found; is KIND in scripts/check.d/arrows.py right?")
named = re.compile("|".join(f'"{re.escape(name)}"' for name in sorted(kinds)) or "(?!)")
for path in sources:
    if room(path) in WITHOUT_KINDS:
        text = read(path)
        for match in named.finditer(text):
            message = f"{match.group()} names a kind of store; only its folder of Backends does, and the registry its type"
            finding(path, line_of(text, match.start()), message)

# One room knows Linux. Another system gets its own implementation of that room's header.
LINUX = re.compile(r'"/proc/|<linux/|\b(?:eventfd|inotify_init1?|epoll_\w+|openat2|renameat2|memfd_create|signalfd)\(')

for path in files("Sources/*.swift", "Sources/*.c", "Sources/*.h"):
    if room(path) != "CPlatform":
        text = read(path)
        for match in LINUX.finditer(text):
            # Comments may explain such a call.
            line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if "//" not in line:
                finding(path, line_of(text, match.start()), f"{match.group()} is Linux's; only CPlatform has such calls")

# NIO's headers declare the system's structures a second time. Which module the compiler then takes them for goes by the
# order in which it happens to read files, so that a member is found in one build and missing in the next.
SYSTEM_STRUCTURE = re.compile(
    r"\b(?:timespec|timeval|itimerspec|pollfd|iovec|msghdr|utsname|epoll_event|dirent|statfs|stat|sockaddr\w*|in6?_addr)"
    r"\((?!\w+,|path)|\.(?:tv_n?u?sec|st_\w+|sin6?_\w+|s_addr)\b"
)

for path, text in {**sources, **{path: code(read(path)) for path in files("Tests/*.swift")}}.items():
    if room(path) in {"StoreServer", "StoreServerTests"}:
        for match in SYSTEM_STRUCTURE.finditer(text):
            message = f"{match.group()} is declared by NIO's headers, too; CPlatform or TestKit has such calls"
            finding(path, line_of(text, match.start()), message)

# Screens name roles; the theme alone knows colours and attributes.
LOOK = re.compile(
    r"\bStyle\(|\bColor\b|\.palette\(|\.rgb\(|\.with\(\[?\.(?:bold|dim|reverse|underline)"
    r"|\bstyle:\s*\.(?:bold|dim|reverse)\b"
)

for path, text in sources.items():
    if path.startswith("Sources/App/Screens/"):
        for match in LOOK.finditer(text):
            message = f"{match.group()} is a look; a screen names a role, such as canvas[.accent]"
            finding(path, line_of(text, match.start()), message)

finish()
