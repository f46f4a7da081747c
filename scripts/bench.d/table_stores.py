"""Clubs at WebDAV and S3 servers: the whole program beside rclone on the same Apache and the same Ceph."""
import json
import os
import shlex
import shutil
import subprocess

import report
from program import Program
from servers import Apache, Ceph
from timing import Command, beside, in_turn

ROOMS = ("Sources/Stores",)
TOGETHER = 16
LARGE, SMALL, SMALL_BYTES, LISTED = 1 << 30, 1000, 4096, 10_000
JOBS = ("large-up", "large-down", "small-up", "small-down", "list", "refresh")
MIB = 1 << 20
WHAT = {
    "large": "1 file of {mib} MiB",
    "small": "{small:,} files of 4 KiB",
}
GOALS = {
    "large": "no slower than rclone, memory under 60 MiB",
    "small-up": "a tenth of rclone's time, memory under 60 MiB",
    "small-down": "no slower than rclone, memory under 60 MiB",
}


def run(bench):
    for kind in (Apache, Ceph):
        wanted = [job for job in JOBS if not bench.rows or job in bench.rows or f"{job}@{kind.word}" in bench.rows]
        if not wanted:
            continue
        with kind(bench.place(kind.word)) as server:
            lab = Lab(bench, server)
            for job in wanted:
                way, _, direction = job.partition("-")
                if way in ("large", "small"):
                    yield moved(bench, lab, job, way, direction)
                else:
                    yield {"list": listed, "refresh": refreshed}[way](bench, lab)


class Lab:
    """One server, a home of byteclub and a config of rclone; both know one place at the server as their club."""

    def __init__(self, bench, server):
        self.server, self.binary, self.count, self.place = server, bench.binary, 0, None
        self.home = bench.place("home-stores")
        os.makedirs(f"{self.home}/config/byteclub", mode=0o700)
        self.config = bench.place("rclone.conf")
        self.environment = Program([], self.home, server.variables).environment()
        # rclone would take the keys and certificates of whoever runs the bench.
        self.peer = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "RCLONE_"))}
        self.rclone = ["rclone", "--config", self.config, "--transfers", str(TOGETHER), "--checkers", str(TOGETHER)]

    def fresh(self):
        """Makes an empty place, whose server byteclub has tested, as at a member's sign-in; what the last one has goes."""
        if self.place:
            subprocess.run([*self.rclone, "purge", "club:"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env=self.peer, check=False)
        self.count += 1
        self.place = f"place-{self.count}"
        self.server.make(self.place)
        with open(f"{self.home}/config/byteclub/config.json", "w", encoding="ascii") as file:
            json.dump({"club": "club", "clubs": {"club": self.server.club(self.place)},
                       "network": {"connectionsPerHost": TOGETHER}}, file)
        with open(self.config, "w", encoding="ascii") as file:
            file.write(f"{self.server.remote}\n[club]\ntype = alias\nremote = {self.server.path(self.place)}\n")
        subprocess.run([self.binary, "doctor"], env=self.environment, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)


def moved(bench, lab, job, way, direction):
    """Files up or down. rclone compares what it has sent only when it is asked to, so it is measured both ways."""
    source, down = bench.place("source"), bench.place("down")
    os.makedirs(source)
    if way == "large":
        count, size = 1, LARGE // bench.scale
        os.link(bench.file(f"large-{size}", size), f"{source}/large.bin")
    else:
        count, size = SMALL // bench.scale, SMALL_BYTES
        for number in range(count):
            with open(f"{source}/{number:04d}.bin", "wb") as file:
                file.write(os.urandom(size))
    up = direction == "up"
    copy = ["club:", down] if not up else [source, "club:"]
    before = lab.fresh if up else lambda: (shutil.rmtree(down, ignore_errors=True), os.makedirs(down))
    if not up:
        lab.fresh()
        subprocess.run([*lab.rclone, "copy", source, "club:"], env=lab.peer, check=True)
    ours = [bench.binary, "club", "copy", *(["club", down] if not up else [source, "club"]), "--progress", "none"]
    theirs = [*lab.rclone, "copy", *copy]
    check = shlex.join([*lab.rclone, "check", "--download", *copy])
    checked = ["sh", "-c", f"{shlex.join(theirs)} && exec {check}"]
    commands = [Command("byteclub club copy", ours, lab.environment, before), Command("rclone copy", theirs, lab.peer, before)]
    if up:
        commands.append(Command("rclone copy, then check --download", checked, lab.peer, before))
    requests = requests_of(lab, commands, count) if way == "small" else {}
    results = in_turn(bench, f"{job} {lab.server.name}", commands, max(3, bench.rounds // 3))
    if not up and sorted(os.listdir(down)) != sorted(os.listdir(source)):
        raise AssertionError("Not every file has arrived.")
    shutil.rmtree(source)
    shutil.rmtree(down, ignore_errors=True)
    what = WHAT[way].format(mib=size // MIB, small=count)
    peer = results["rclone copy"]
    return report.table(
        f"stores: {what} {direction}, {lab.server.name}",
        f"{TOGETHER} at once on both sides. {lab.server.compares}"
        f"{', and flushes each file that it has received' if not up else ''}. Goal: {GOALS.get(job) or GOALS[way]}.",
        ("", "s", "x rclone's time", "files a second", "MiB a second", "requests a file", "CPU s", "peak MiB"),
        [(label, f"{taken.seconds:.3f}", "1.00" if taken is peer else beside(taken, peer), f"{count / taken.seconds:,.1f}",
          f"{count * size / taken.seconds / MIB:,.1f}", requests.get(label, "-"), f"{taken.cpu:.2f}",
          f"{taken.peak / MIB:.0f}") for label, taken in results.items()])


def requests_of(lab, commands, count):
    """The requests of a run of each command, for each file."""
    counted = {}
    for command in commands:
        if command.before:
            command.before()
        quiet = Command(command.label, command.argv, command.environment)
        began = len(lab.server.requests())
        quiet.run()
        counted[command.label] = f"{(len(lab.server.requests()) - began) / count:.1f}"
    return counted


def listed(bench, lab):
    lab.fresh()
    count = LISTED // bench.scale
    lab.server.fill(lab.place, count)
    clear = lambda: shutil.rmtree(f"{lab.home}/cache", ignore_errors=True)
    results = in_turn(bench, f"list {lab.server.name}", [
        Command("byteclub note ls, the first time", [bench.binary, "note", "ls"], lab.environment, clear),
        Command("byteclub note ls, later", [bench.binary, "note", "ls"], lab.environment),
        Command("rclone lsf", [*lab.rclone, "lsf", "club:"], lab.peer),
        Command("rclone lsl, with times", [*lab.rclone, "lsl", "club:"], lab.peer),
    ], max(3, bench.rounds // 3))
    peer = results["rclone lsl, with times"]
    return report.table(
        f"stores: a list of {count:,} files, {lab.server.name}",
        "The first time byteclub also keeps the list on this machine. Goal: no slower than rclone, memory under 60 MiB.",
        ("", "s", "x rclone lsl's time", "CPU s", "peak MiB"),
        [(label, f"{taken.seconds:.3f}", "1.00" if taken is peer else beside(taken, peer), f"{taken.cpu:.2f}",
          f"{taken.peak / MIB:.0f}") for label, taken in results.items()])


def refreshed(bench, lab):
    """What a look for changes asks when there are none."""
    lines = []
    for count in (100, 1000):
        lab.fresh()
        lab.server.fill(lab.place, count // bench.scale)
        look = Command("", [bench.binary, "note", "ls"], lab.environment)
        look.run()
        began = len(lab.server.requests())
        look.run()
        asked = lab.server.requests()[began:]
        lines.append((f"{count // bench.scale:,} notes", len(asked), ", ".join(sorted(set(asked)))))
    return report.table(
        f"stores: requests of `note ls` with nothing changed, {lab.server.name}",
        "From the server's log, the second time, when byteclub has the list on this machine.",
        ("", "requests", "which"), lines)
