"""Runs the tables that were asked for and prints them as Markdown. Started by scripts/bench."""
import argparse
import datetime
import os
import shlex
import shutil
import signal
import sys
import tempfile

import folders
import report
import table_find
import table_idle
import table_keys
import table_memory
import table_open
from contenders import Contenders
from program import Stalled

TABLES = {
    "open": table_open,
    "keys": table_keys,
    "idle": table_idle,
    "memory": table_memory,
    "find": table_find,
}


class Bench:
    """What every table gets: the contenders, how many rounds, and folders that are made once."""

    def __init__(self, contenders, rounds, where):
        self.contenders, self.rounds = contenders, rounds
        self.homes = os.path.join(where, "homes")
        os.mkdir(self.homes)
        self._where = where
        self._made = {}

    def folder(self, count):
        if count not in self._made:
            self.tell(f"making {count} files in {self._where}")
            self._made[count] = folders.make(os.path.join(self._where, f"club-{count}"), count)
        return self._made[count]

    @staticmethod
    def tell(text):
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    @staticmethod
    def tell_no_more():
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measures byteclub beside nnn and mc.")
    parser.add_argument("tables", nargs="*", metavar="table", help=f"which of {', '.join(TABLES)} (all)")
    parser.add_argument("--binary", required=True, help="the program to measure (the release build)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of the tables with medians (9)")
    chosen = parser.parse_args()
    for table in chosen.tables:
        if table not in TABLES:
            parser.error(f"there is no table '{table}': choose from {', '.join(TABLES)}")
    if chosen.rounds < 1:
        parser.error("--rounds must be at least 1")
    if not os.access(chosen.binary, os.X_OK):
        parser.error(f"{chosen.binary} is not a program")
    return chosen


def command():
    """What was typed: without the --binary that scripts/bench adds."""
    typed = os.environ.get("BENCH_ARGUMENTS", "").split("\n")
    return shlex.join(["scripts/bench", *filter(None, typed)])


def main():
    chosen = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    where = tempfile.mkdtemp(prefix="byteclub-bench-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    failed = False
    try:
        contenders = Contenders(os.path.abspath(chosen.binary))
        bench = Bench(contenders, chosen.rounds, where)
        print(f"{report.machine()}  \n{contenders.versions()}  \n`{command()}`,"
              f" {datetime.date.today().isoformat()}, on a 120x40 terminal that answers at once; files in"
              f" {'memory (tmpfs)' if where.startswith('/dev/shm') else where}.\n", flush=True)
        for name in chosen.tables or TABLES:
            try:
                for text in TABLES[name].run(bench):
                    bench.tell_no_more()
                    print(text, flush=True)
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
