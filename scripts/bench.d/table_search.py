"""A word in the notes of a folder, as a command, beside ripgrep."""
import shutil

import folders
import report
from folders import COMMON, RARE, SEARCHED
from program import Program
from table_copy import searched_in_app
from timing import Command, beside, in_turn

ROOMS = ("Sources/Club/ClubServices", "Sources/Club/Database", "Sources/App/byteclub")


def run(bench):
    notes, home = bench.prose(), bench.place("home-prose")
    rows = []
    for word, count in ((RARE, 5), (COMMON, 495)):
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
            rows.append((f"in {count} notes, {label}", report.ms(some.seconds), beside(some, taken[peer.label]), report.ms(some.cpu),
                         f"{some.peak / (1 << 20):.0f}"))
    yield report.table(
        f"search: a word in a folder of {SEARCHED:,} notes of 40 MB, as a command",
        f"ripgrep over the same notes, sorted as byteclub's answer is. Medians of {bench.rounds} rounds. Goal: its time, twice"
        " that in the first run.", ("word", "ms", "x rg", "CPU ms", "MiB"), rows)
    yield searched_in_app(bench, Program([bench.binary, "--folder", notes], bench.place("home-prose-app")), "search",
                          "20 ms for the first hit")


quick = run
