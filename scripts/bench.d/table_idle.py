"""What a program does while nobody does anything."""
import glob
import os
import re
import signal
import subprocess
import tempfile

import folders
import report
from contenders import interleaved
from program import SIZES, Stalled, on

ROOMS = ("Sources/App", "Sources/Club/ClubServices", "Sources/Club/Database", "Sources/Stores")
FILES = 10_000
SECONDS = 5
ROUNDS = 3
_CALL = re.compile(r"^\d+\s+\w+\(")


def run(bench):
    for size in SIZES:
        yield one(bench, size)


def one(bench, size):
    contenders = [bench.contenders.byteclub, bench.contenders.nnn, bench.contenders.mc]
    wakes, cpu, calls = ({contender.label: [] for contender in contenders} for _ in range(3))
    for number, contender in interleaved(contenders, ROUNDS):
        bench.tell(f"idle: round {number + 1} of {ROUNDS}, {contender.label}")
        with contender.start(bench.folder(FILES), bench.homes, size) as program:
            program.read_until_painted(folders.name(1))
            program.settle()
            switches, used = context_switches(program.pid), program.cpu()
            program.watch(SECONDS)
            wakes[contender.label].append(context_switches(program.pid) - switches)
            cpu[contender.label].append(program.cpu() - used)
            calls[contender.label].append(system_calls(program))
    lines = []
    for label in wakes:
        counted = [count for count in calls[label] if count is not None]
        lines.append((label, max(counted) if counted else "strace may not attach here", max(wakes[label]),
                      report.ms(max(cpu[label]))))
    return report.table(
        f"idle: {SECONDS} seconds without a key, {FILES:,} files{on(size)}",
        f"The most of {ROUNDS} rounds, after the program has come to rest; system calls by strace, the rest without it."
        " Goal: none.",
        ("", "system calls", "context switches", "CPU ms"), lines)


def context_switches(pid):
    """How often any thread was put on a processor: none when nothing woke it."""
    total = 0
    for path in glob.glob(f"/proc/{pid}/task/*/status"):
        with open(path, encoding="ascii", errors="replace") as file:
            total += sum(int(line.split()[1]) for line in file if "ctxt_switches:" in line)
    return total


def system_calls(program):
    """How many system calls all threads begin in the time; None where strace is not allowed to look."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        strace = subprocess.Popen(["strace", "-f", "-o", trace, "-p", str(program.pid)], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            if b"attached" not in strace.stderr.readline():
                return None
            program.watch(SECONDS)
        finally:
            if strace.poll() is None:
                strace.send_signal(signal.SIGINT)
            strace.wait()
            strace.stderr.close()
        if not os.path.exists(f"/proc/{program.pid}"):
            raise Stalled(f"{program.argv[0]} ended under strace.")
        with open(trace, encoding="utf-8", errors="replace") as file:
            # The call in which each thread was found sleeping, and sleeps on, is none that it made in this time.
            return sum(1 for line in file
                       if _CALL.match(line) and "resuming interrupted" not in line and "<detached" not in line)
