"""What is written once, in the room Basics, does not come back elsewhere.

Each was in several rooms before, and they differed where nobody looked."""
import re

from project import files, finding, finish, read

ONCE = {
    r"719_?468": "a civil calendar: use CivilDate",
    r"(?i:0xCBF2)": "FNV-1a: use FNV1a",
    r"\bbase64Enco|Data\(base64|XYZabcdefghijklmnopqrstuvwxyz0123456789": "base64: use Base64",
    r"%2[05BF]\b.*replacing|(?i:addingPercentEncoding|removingPercentEncoding)|\"0123456789ABCDEF\"":
        "an encoding of addresses: use PercentEncoding",
    r"\bstrerror|\bcl_describe\b": "words for an error number: use SystemError, or StoreError.system",
    r"\bpread\(|\bpwrite\(|\bGlibc\.write\(": "a loop over a descriptor: use OpenFile",
    r"\bmkstemp\(|\bO_EXCL\b.*\.part\b": "a file replaced as a whole: use WholeFile",
    r"\bflock\(": "a lock: use FileLock",
    r"\bopendir\(|\breaddir\(": "the names in a folder: use Folders",
    r"\bJSONDecoder\b|\bJSONEncoder\b|\bJSONSerialization\b": "a second JSON: use the room JSON",
    r"\bmemmem\(|localizedStandardContains|\bstrcasestr\(|diacriticInsensitive": "a search: use TextFinder or SearchFold",
    r"\bgetcwd\(": "an absolute path: use Folders.absolute",
    r"\bpthread_create\b": "a thread: use DetachedThread (or BlockingPool)",
    r"\bco_hmac_|\^ 0x5C\b|\bHMAC<": "an authentication code: use HMAC",
}
MINE = "Sources/Ground/Basics/"

# The program that members run. A server sleeps as it likes.
CLIENT = {
    r"\bTask(?:<[^>]*>)?\.sleep\b|\bContinuousClock\(\)|\bSuspendingClock\b|\bnanosleep\b":
        "a sleep by libdispatch, which polls until exit: use TimerClock",
}
SERVERS = ("Sources/Server/StoreServer/", "Sources/Server/byteclub-serve/")

for path in files("Sources/*.swift"):
    if path.startswith(MINE):
        continue
    rules = ONCE if path.startswith(SERVERS) else ONCE | CLIENT
    for number, line in enumerate(read(path).split("\n"), 1):
        for pattern, what in rules.items():
            if re.search(pattern, line):
                finding(path, number, f"{what} of the room Basics")

finish()
