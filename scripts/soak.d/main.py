"""Kills byteclub in the middle of transfers and looks at what is there. Started by scripts/soak."""
import argparse
import collections
import hashlib
import os
import random
import re
import shutil
import sys
import tempfile
import threading
import time

import picture
from club import Club, Ended, kill

MIB = 1 << 20
CHUNK = 8 * MIB  # transfers.chunkMebibytes, as it is without a config
# Under way between the two, in the kernel's buffers and in a request's head.
UNDER_WAY, HEAD = MIB, 8192
CHAOS = ("bandwidth=48MiB,503@/2/files/upload_session/append_v2=0.03,cutbody@/2/files/upload_session/append_v2=0.03,"
         "drop@/2/files/upload_session/append_v2=0.03,drop@/2/files/upload_session/finish=0.3,503@/2/files/download=0.1,"
         "cut@/2/files/download=0.3")
SERVERS_OWN = re.compile(r"\.byteclub-tmp-[0-9a-z]+")
PATIENCE = 300  # seconds; nothing takes so long


class Soak:
    words = {"up": "upload", "down": "download"}

    def __init__(self, chosen, where):
        self.random = random.Random(chosen.seed)
        self.size = chosen.size * MIB
        self.club = Club(where, chosen.binary, chosen.server, chosen.chaos, chosen.seed)
        self.kills = collections.Counter()
        self.violations = []
        self.files = collections.Counter()
        self.again = {"up": [], "down": []}
        self.takeovers = 0

    def violation(self, text):
        self.violations.append(text)
        print(f"DID NOT HOLD  {text}", file=sys.stderr, flush=True)

    def tell(self, text):
        print(text, file=sys.stderr, flush=True)

    # One file, killed until it is there

    def carry(self, direction, name, rounds):
        """Sends or fetches one file with at most so many kills."""
        club, moment = self.club, self.random
        source, sent = os.path.join(club.home, "in", name), os.path.join(club.root, "photos", name)
        goal = sent if direction == "up" else os.path.join(club.home, "out", name)
        order = ("photo", "put", source) if direction == "up" else ("photo", "get", name, "--to", f"{club.home}/out")
        before, (requests, faults) = getattr(club.proxy, direction), club.answered()
        kills, waiting = 0, None
        with Watcher(goal, self.size) as watcher:
            while True:
                if waiting:
                    process, waiting = waiting, None
                else:
                    left = self.unfinished()
                    if not left and self.is_done(direction, name):
                        # Killed when there was nothing left to do.
                        break
                    process = club.start(*(("transfer", "run") if left else order), "--progress", "none")
                if kills < rounds:
                    waiting = self.until_its_moment(process, direction, moment, before)
                    if kill(process):
                        kills += 1
                        self.whole_or_absent(goal, source, direction, f"{direction} {name}, kill {kills}")
                        if waiting:
                            self.takeovers += 1
                        continue
                    if waiting:
                        # Both saw the end.
                        process, waiting = waiting, None
                status = self.end(process)
                left = self.unfinished()
                if status == 0 and not left and os.path.exists(goal):
                    break
                if status != 0 and process.stderr_text:
                    self.violation(f"{direction} {name} ended with {status}: {process.stderr_text[-400:]}")
                    break
                if not left and kills >= rounds:
                    self.violation(f"{direction} {name}: nothing is left to do, and the file is not there")
                    break
        if watcher.torn:
            self.violation(f"{direction} {name} was under its final name with {watcher.torn} bytes")
        self.kills[direction] += kills
        self.files[direction] += 1
        now, (requests_now, faults_now) = getattr(club.proxy, direction), club.answered()
        self.afterwards(direction, name, source, goal, now - before, kills, requests_now - requests, faults_now - faults)

    def until_its_moment(self, process, direction, moment, before):
        """Waits for the moment of a kill. Returns a process that waits meanwhile, now and then."""
        proxy, dice = self.club.proxy, moment.random()
        part, delay, has_waiter = moment.random(), moment.random(), moment.random() < 0.2
        is_over = lambda: process.poll() is not None
        counted = getattr(proxy, direction)
        if dice < 0.12:
            # Anywhere in its beginning.
            time.sleep(delay * 0.5)
            return None
        if dice < 0.20:
            # About its end: all bytes have gone, and something is left to be said or checked.
            proxy.wait(direction, max(counted + 1, before + self.size), PATIENCE, is_over)
            time.sleep(delay * 0.3)
            return None
        waiter = None
        if has_waiter:
            proxy.wait(direction, counted + HEAD, PATIENCE, is_over)
            waiter = self.club.start("transfer", "wait", "--progress", "none")
        proxy.wait(direction, counted + int(part * self.size / 8), PATIENCE, is_over)
        return waiter

    def end(self, process):
        try:
            _, said = process.communicate(timeout=PATIENCE)
        except Exception as error:
            kill(process)
            raise Ended(f"A transfer did not end within {PATIENCE} s: {self.club.transfers()}") from error
        process.stderr_text = said.decode("utf-8", "replace")
        return process.returncode

    def unfinished(self):
        left = [row for row in self.club.transfers() if row["state"] not in ("done", "cancelled")]
        if len(left) > 1:
            self.violation(f"one transfer was ordered, and the journal has {len(left)}")
        return left

    def is_done(self, direction, name):
        return any(row["name"] == name and row["direction"] == self.words[direction] and row["state"] == "done"
                   for row in self.club.transfers())

    # What is there

    def whole_or_absent(self, goal, source, direction, what):
        if os.path.exists(goal) and digest(goal) != digest(source):
            self.violation(f"{what}: {os.path.getsize(goal)} bytes are under the final name")
        folder, name = os.path.split(goal)
        others = [found for found in os.listdir(folder) if found != name] if os.path.isdir(folder) else []
        part = re.compile(re.escape("." + name) + r"\.byteclub-part-[0-9a-f]{8}")
        # A server that is just finishing has its own.
        strange = [found for found in others if not (part if direction == "down" else SERVERS_OWN).fullmatch(found)]
        if strange or len(others) > 1:
            self.violation(f"{what}: also there: {', '.join(sorted(others))}")

    def afterwards(self, direction, name, source, goal, moved, kills, requests, faults):
        self.whole_or_absent(goal, source, direction, f"{direction} {name}")
        folder = os.path.dirname(goal)
        if os.listdir(folder) != [name]:
            self.violation(f"{direction} {name}: in the folder are {sorted(os.listdir(folder))}")
        unfinished = [os.path.join(place, found) for place, _, all_of in os.walk(self.club.where) for found in all_of
                      if os.path.getsize(os.path.join(place, found)) >= 65_536
                      and os.path.join(place, found) not in (source, goal, f"{self.club.root}/photos/{name}")
                      and not found.startswith(("outbox", "catalogue", "log")) and "sqlite" not in found
                      # The server's spare room for its database.
                      and found != "reserve"]
        if unfinished:
            self.violation(f"{direction} {name}: left behind: {', '.join(unfinished)}")
        again = max(0, moved - self.size - requests * HEAD)
        allowed = (kills + faults) * (CHUNK + UNDER_WAY)
        self.again[direction].append((again, kills, faults))
        if again > allowed:
            self.violation(f"{direction} {name}: {again} bytes went again for {kills} kills and {faults} faults")
        self.tell(f"{direction:4} {name}: whole after {kills} kills and {faults} faults,"
                  f" {again / MIB:.1f} MiB went again (at most {allowed / MIB:.0f})")

    def run(self, rounds):
        number = 0
        while min(self.kills["up"], self.kills["down"]) < rounds:
            number += 1
            name = f"pano-{number:03d}.jpg"
            source = os.path.join(self.club.home, "in", name)
            picture.write(source, self.size, self.random.randbytes)
            for direction in ("up", "down"):
                self.carry(direction, name, max(0, min(20, rounds - self.kills[direction])))
            if self.violations and len(self.violations) > 20:
                raise Ended("Too much did not hold.")
            for path in (source, f"{self.club.root}/photos/{name}", f"{self.club.home}/out/{name}"):
                if os.path.exists(path):
                    os.remove(path)


class Watcher:
    """Looks again and again at a name. `torn` is how large the file was when it was not whole."""

    def __init__(self, path, size):
        self._path, self._size, self._over = path, size, threading.Event()
        self.torn = 0

    def __enter__(self):
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _watch(self):
        while not self._over.wait(0.003):
            try:
                found = os.stat(self._path).st_size
            except OSError:
                continue
            if found != self._size:
                self.torn = found or -1


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main():
    parser = argparse.ArgumentParser(prog="scripts/soak", description="Kills byteclub in the middle of transfers.")
    parser.add_argument("--rounds", type=int, default=200, help="kills in each direction (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=256, help="MiB of each file (256)")
    parser.add_argument("--chaos", default=CHAOS, help="how the server misbehaves")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--server", help="byteclub-serve (beside the program)")
    parser.add_argument("--keep", action="store_true", help="leave everything where it is")
    chosen = parser.parse_args()
    chosen.binary = os.path.abspath(chosen.binary)
    chosen.server = os.path.abspath(chosen.server or os.path.join(os.path.dirname(chosen.binary), "byteclub-serve"))
    where = tempfile.mkdtemp(prefix="byteclub-soak-")
    soak = Soak(chosen, where)
    began = time.monotonic()
    try:
        soak.run(chosen.rounds)
    except (Ended, KeyboardInterrupt) as error:
        soak.violation(str(error) or "interrupted")
    finally:
        soak.club.close()
        if chosen.keep:
            print(f"Everything is in {where}.", file=sys.stderr)
        else:
            shutil.rmtree(where, ignore_errors=True)
    words = []
    for direction, word in (("up", "uploads"), ("down", "downloads")):
        again, kills, faults = (sum(column) for column in zip(*soak.again[direction])) if soak.again[direction] else (0, 0, 0)
        each = again / max(1, kills + faults) / MIB
        words.append(f"{soak.files[direction]} {word} of {chosen.size} MiB through {kills} kills and {faults} faults,"
                     f" {each:.1f} MiB sent again for each")
    print(f"{'; '.join(words)}; {soak.takeovers} times another process took over; seed {chosen.seed},"
          f" {time.monotonic() - began:.0f} s; {len(soak.violations)} violations", flush=True)
    sys.exit(1 if soak.violations else 0)


main()
