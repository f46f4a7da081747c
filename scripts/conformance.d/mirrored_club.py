"""maestral, which keeps a folder the same as a club, beside another program that puts photos into the club's folder:
mirrored_club.py SERVER PORT WORK

SERVER is byteclub-serve, PORT a free one of localhost, WORK a folder with ca.pem, server.pem and server.key. The SDK takes
the hosts from the environment, and the certificates from REQUESTS_CA_BUNDLE. maestral takes an entry without a
`content_hash` for a file that is there already, and then a file that is not there for one that its member deleted. Each
check prints a line, "ok WORDS" or "FAILED WORDS: WHY"; the exit status is 1 if one failed.
"""

import hashlib
import json
import os
import subprocess
import sys

from waiting import Hangs, wait_for

SERVER, PORT, WORK = sys.argv[1:4]
CLUB, HOME = os.path.join(WORK, "maestral.club"), os.path.join(WORK, "maestral.home")
MIRROR = os.path.join(HOME, "Club")
# The server reads it for two seconds, and lists meanwhile what it has.
LARGE = 200_000_000

os.makedirs(MIRROR)
os.environ.update(HOME=HOME, **{f"XDG_{name}_HOME": f"{HOME}/{name}" for name in ("CONFIG", "DATA", "CACHE", "STATE")})
os.environ.update({f"DROPBOX_{name}_HOST": f"localhost:{PORT}" for name in ("API", "API_CONTENT", "API_NOTIFY", "WEB")})
os.environ["REQUESTS_CA_BUNDLE"] = os.path.join(WORK, "ca.pem")

# The hosts are taken when it is loaded.
from maestral.main import Maestral  # noqa: E402


class Failure(Exception):
    pass


def expect(is_so, why):
    if not is_so:
        raise Failure(why)


def photo(path, size):
    """Puts a file into the club as another program does: whole, by a rename."""
    place = os.path.join(CLUB, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    beside = os.path.join(WORK, "beside.part")
    with open(beside, "wb") as file:
        file.write(os.urandom(size))
    os.rename(beside, place)


def photos(folder, sizes):
    for size in sizes:
        photo(f"{folder}{size}.jpg", size)


def sizes(root):
    """The paths below a folder, and the size of each. maestral's own files begin with a dot."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (os.path.join(folder, name) for name in names if not name.startswith(".")):
            if os.path.exists(path):
                found[os.path.relpath(path, root)] = os.path.getsize(path)
    return found


def content(root):
    """The paths below a folder, and the checksum of each."""
    found = {}
    for path in sizes(root):
        with open(os.path.join(root, path), "rb") as file:
            found[path] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


class Traffic:
    """What maestral asks the server for."""

    def __init__(self, session):
        self.deletions = []
        self.incomplete = []
        session.hooks["response"].append(self.note)

    def note(self, response, **_):
        route = response.request.url.partition("/2/files/")[2]
        if route.startswith("delete"):
            self.deletions.append(json.loads(response.request.body).get("path", route))
        if route in ("list_folder", "list_folder/continue") and response.ok:
            self.incomplete += [
                entry["path_display"]
                for entry in response.json()["entries"]
                if entry[".tag"] == "file" and "content_hash" not in entry
            ]


class Member:
    def __init__(self, token):
        self.token = token
        self.engine = Maestral("byteclub")
        self.traffic = Traffic(self.engine.client._session)

    def link(self):
        expect(self.engine.link(access_token=self.token) == 0, "the token is refused")
        self.engine.create_dropbox_directory(MIRROR)
        self.start()

    def start(self):
        self.engine.start_sync()
        wait_for("the first look of maestral", lambda: self.engine.manager.startup_completed.is_set())

    def restart(self):
        self.engine.stop_sync()
        wait_for("the end of maestral's work", lambda: not self.engine.running)
        self.start()

    def expect_same(self, wanted, deleted=()):
        """Waits until the folder is the same as the club, and expects the club to be as it was."""
        # Checksums would take the processor from maestral.
        wait_for(f"the {len(wanted)} files come", lambda: sizes(MIRROR) == sizes(CLUB) and not self.engine.sync.busy())
        missing = sorted(set(wanted) - set(sizes(CLUB)))
        expect(not missing, f"{len(missing)} of {len(wanted)} files are gone from the club: {missing[:3]}")
        expect(content(CLUB) == wanted, "the club's files are others")
        expect(content(MIRROR) == wanted, "the member's files are others")
        expect(sorted(self.traffic.deletions) == sorted(deleted), f"deleted: {self.traffic.deletions}")
        expect(not self.traffic.incomplete, f"listed without a checksum: {self.traffic.incomplete[:3]}")
        errors = self.engine.sync_errors + self.engine.fatal_errors
        expect(not errors, f"maestral reports {errors[:1]}")


def start_server():
    with open(os.path.join(WORK, "maestral.log"), "w") as log:
        running = subprocess.Popen(
            [SERVER, "--root", CLUB, "--listen", f"127.0.0.1:{PORT}", "--tls-cert", f"{WORK}/server.pem",
             "--tls-key", f"{WORK}/server.key"], stdout=subprocess.PIPE, stderr=log, text=True)
    while "127.0.0.1" not in (line := running.stdout.readline()):
        expect(line, "the server ends")
    return running


def linking(member, wanted):
    member.link()
    member.expect_same(wanted)
    member.restart()
    member.expect_same(wanted)


def arriving(member):
    photos("new ", (1_500_000, 5_000_000, 30_000_000))
    wanted = content(CLUB)
    member.expect_same(wanted)
    member.restart()
    member.expect_same(wanted)


def restarting(member):
    member.engine.stop_sync()
    wait_for("the end of maestral's work", lambda: not member.engine.running)
    photos("photos/late ", (1_500_000, 5_000_000, 30_000_000))
    wanted = content(CLUB)
    member.start()
    member.expect_same(wanted)


def replacing(member):
    photo("photos/700000.jpg", 5_000_000)
    photo("3500000.jpg", 1_500_000)
    wanted = content(CLUB)
    member.expect_same(wanted)
    member.restart()
    member.expect_same(wanted)


def deleting(member):
    os.remove(os.path.join(MIRROR, "panorama.jpg"))
    wait_for("the deletion goes to the club", lambda: not os.path.exists(os.path.join(CLUB, "panorama.jpg")))
    wanted = content(CLUB)
    member.expect_same(wanted, ["/panorama.jpg"])
    member.restart()
    member.expect_same(wanted, ["/panorama.jpg"])


failed = 0
hangs = False


def check(words, body):
    global failed, hangs
    try:
        if hangs:
            raise Failure("not tried, because the one before hangs")
        body()
        print("ok", words, flush=True)
    except (Failure, Hangs) as failure:
        failed += 1
        hangs = hangs or isinstance(failure, Hangs)
        print(f"FAILED {words}: {failure}", flush=True)


def main():
    usual = (700_000, 1_400_000, 2_100_000, 2_800_000, 3_500_000)
    photos("", usual)
    photos("photos/", usual)
    photo("panorama.jpg", LARGE)
    wanted = content(CLUB)
    token = subprocess.run([SERVER, "member", "add", "ann", "--root", CLUB], check=True, capture_output=True, text=True)
    member = Member(token.stdout.strip())
    server = start_server()
    try:
        check("a member who links a club that the server has not listed yet", lambda: linking(member, wanted))
        check("photos that come to the club meanwhile", lambda: arriving(member))
        check("photos that come just before the next start", lambda: restarting(member))
        check("photos that others take the place of", lambda: replacing(member))
        check("a deletion of a large one", lambda: deleting(member))
    finally:
        if member.engine.running:
            member.engine.stop_sync()
        server.terminate()
        server.wait()
    # maestral's own threads wait for the server yet.
    os._exit(1 if failed else 0)


main()
