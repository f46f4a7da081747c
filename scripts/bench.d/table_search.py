"""A word in the notes of a folder, as a command, beside ripgrep."""
import os
import shutil

import folders
import report
from folders import COMMON, RARE, SEARCHED
from program import Program
from timing import Command, beside, in_turn

ROOMS = ("Sources/Club/ClubServices", "Sources/Club/Database", "Sources/App/byteclub")


def run(bench):
    notes, home = bench.place("prose"), bench.place("home-prose")
    os.makedirs(notes)
    bench.tell("search: texts to be searched")
    folders.prose(notes)
    rows = []
    for word in (RARE, COMMON):
        argv = [bench.binary, "--folder", notes, "search", word]
        environment = Program([], home).environment()
        fresh = Program([], f"{home}-fresh")

        def clear():
            shutil.rmtree(fresh.home)
            Program([], fresh.home)

        peer = Command("rg -i -F", ["rg", "-i", "-F", "-n", "--sort", "path", word, notes])
        taken = in_turn(bench, f"search: {word}", [
            Command("byteclub, first run", argv, fresh.environment(), clear),
            Command("byteclub, again", argv, environment), peer,
            Command("rg -i -F, unsorted", ["rg", "-i", "-F", "-n", word, notes])], bench.rounds)
        for label, some in taken.items():
            rows.append((f"{word}, {label}", report.ms(some.seconds), beside(some, taken[peer.label]), report.ms(some.cpu),
                         f"{some.peak / (1 << 20):.0f}"))
    yield report.table(
        f"search: a word in a folder of {SEARCHED:,} notes of 40 MB, as a command",
        f"ripgrep over the same notes, sorted as byteclub's answer is. Medians of {bench.rounds} rounds. Goal: its time, twice"
        " that in the first run.", ("word", "ms", "x rg", "CPU ms", "MiB"), rows)


quick = run
