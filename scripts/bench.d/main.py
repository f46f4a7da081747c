"""Runs the tables that were asked for and prints them as Markdown. Started by scripts/bench."""
import argparse
import datetime
import os
import shlex
import shutil
import signal
import sys
import tempfile

import beside_recorded
import folders
import report
import stale
import table_changes
import table_copy
import table_find
import table_folders
import table_gaze
import table_http
import table_idle
import table_keys
import table_links
import table_memory
import table_open
import table_phones
import table_pictures
import table_search
import table_serve
import table_small
import table_stores
import table_transfers
import table_wall
from contenders import Contenders
from program import Stalled

TABLES = {
    "open": table_open,
    "keys": table_keys,
    "idle": table_idle,
    "memory": table_memory,
    "find": table_find,
    "search": table_search,
    "folders": table_folders,
    "http": table_http,
    "small": table_small,
    "serve": table_serve,
    "changes": table_changes,
    "gaze": table_gaze,
    "links": table_links,
    "copy": table_copy,
    "transfers": table_transfers,
    "stores": table_stores,
    "pictures": table_pictures,
    "phones": table_phones,
    "wall": table_wall,
}
# Those that need the server and the probes.
NETWORK = {"http", "small", "serve", "changes", "gaze", "links", "copy", "transfers", "folders", "search"}


class Bench:
    """What every table gets: the programs, how many rounds, and folders and files that are made once."""

    def __init__(self, contenders, chosen, where):
        self.contenders, self.rounds = contenders, chosen.rounds
        self.binary, self.server = chosen.binary, chosen.server
        self.transport_probe, self.probe = chosen.transport_probe, chosen.probe
        self.scale, self.rows = chosen.scale, []
        self.homes = os.path.join(where, "homes")
        os.mkdir(self.homes)
        self._where = where
        self._made = {}
        self._places = 0

    def folder(self, count):
        if count not in self._made:
            self.tell(f"making {count} files in {self._where}")
            self._made[count] = folders.make(os.path.join(self._where, f"club-{count}"), count)
        return self._made[count]

    def prose(self):
        """Notes to be searched, which nobody may change."""
        if "prose" not in self._made:
            self.tell("making texts to be searched")
            self._made["prose"] = folders.prose(os.path.join(self._where, "prose"))
        return self._made["prose"]

    def place(self, name):
        """A path for something of that name, where nothing is yet."""
        self._places += 1
        return os.path.join(self._where, f"{self._places}-{name}")

    def file(self, name, size):
        """A file of random bytes."""
        path = os.path.join(self._where, name)
        if not os.path.exists(path):
            self.tell(f"making {name}")
            with open(path, "wb") as file:
                while size > 0:
                    size -= file.write(os.urandom(min(size, 1 << 24)))
        return path

    @staticmethod
    def tell(text):
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    @staticmethod
    def tell_no_more():
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measures byteclub beside its peers.")
    parser.add_argument("tables", nargs="*", metavar="table",
                        help=f"which of {', '.join(TABLES)} (all); stores:ROW for one of its rows, copy:far_away for one part of copy")
    parser.add_argument("--binary", required=True, help="the program to measure (the release build)")
    parser.add_argument("--server", help="byteclub-serve (beside the program)")
    parser.add_argument("--transport-probe", help="TransportProbe (beside the program)")
    parser.add_argument("--probe", help="NetworkProbe (beside the program)")
    parser.add_argument("--scale", type=int, default=1, help="divides the sizes of the table stores, for a try (1)")
    parser.add_argument("--rounds", type=int, help="rounds of the tables with medians (9, with --quick 3)")
    parser.add_argument("--quick", action="store_true", help="the rows that a member feels most, beside those of BENCHMARKS.md")
    chosen = parser.parse_args()
    chosen.rounds = chosen.rounds if chosen.rounds is not None else 3 if chosen.quick else 9
    if chosen.quick and not chosen.tables:
        chosen.tables = [name for name, table in TABLES.items() if hasattr(table, "quick")]
    for table in chosen.tables:
        if table.split(":")[0] not in TABLES:
            parser.error(f"there is no table '{table}': choose from {', '.join(TABLES)}")
        name, *rows = table.split(":")
        if name != "stores" and not all(callable(getattr(TABLES[name], row, None)) for row in rows):
            parser.error(f"'{table}' is no part of that table")
    if chosen.rounds < 1:
        parser.error("--rounds must be at least 1")
    chosen.binary = os.path.abspath(chosen.binary)
    beside = os.path.dirname(chosen.binary)
    chosen.server = os.path.abspath(chosen.server or os.path.join(beside, "byteclub-serve"))
    chosen.transport_probe = os.path.abspath(chosen.transport_probe or os.path.join(beside, "TransportProbe"))
    chosen.probe = os.path.abspath(chosen.probe or os.path.join(beside, "NetworkProbe"))
    needed = [chosen.binary]
    if NETWORK.intersection(table.split(":")[0] for table in chosen.tables or TABLES):
        needed += [chosen.server, chosen.transport_probe, chosen.probe]
    for program in needed:
        if not os.access(program, os.X_OK):
            parser.error(f"{program} is not a program")
    return chosen


def chosen_part(name, rows, quick):
    """What makes the tables: all of them, those of a quick run, or those of one function."""
    table = TABLES[name]
    if not rows or name == "stores":
        return getattr(table, "quick", table.run) if quick else table.run

    def parts(bench):
        for row in rows:
            made = getattr(table, row)(bench)
            yield from [made] if isinstance(made, str) else made
    return parts


def command():
    """What was typed: without the --binary that scripts/bench adds."""
    typed = os.environ.get("BENCH_ARGUMENTS", "").split("\n")
    return shlex.join(["scripts/bench", *filter(None, typed)])


def main():
    if sys.argv[1:] == ["--stale"]:
        sys.exit(stale.main(TABLES))
    chosen = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    where = tempfile.mkdtemp(prefix="byteclub-bench-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    failed = False
    try:
        contenders = Contenders(chosen.binary)
        bench = Bench(contenders, chosen, where)
        print(f"{report.machine()}  \n{contenders.versions()}  \n`{command()}`,"
              f" {datetime.date.today().isoformat()}, on a 120x40 terminal that answers at once; files in"
              f" {'memory (tmpfs)' if where.startswith('/dev/shm') else where}.\n", flush=True)
        for word in chosen.tables or TABLES:
            name, *bench.rows = word.split(":")
            try:
                for text in chosen_part(name, bench.rows, chosen.quick)(bench):
                    bench.tell_no_more()
                    print(beside_recorded.table(text) if chosen.quick else text, flush=True)
            except Stalled as reason:
                failed = True
                bench.tell_no_more()
                print(f"## {name}\n\nCould not be measured: {reason}\n", flush=True)
    except KeyboardInterrupt:
        bench.tell_no_more()
        sys.exit(130)
    finally:
        shutil.rmtree(where, ignore_errors=True)
    sys.exit(1 if failed else 0)


main()
