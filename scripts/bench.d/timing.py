"""How long commands take, one after the other, in turn."""
import os
import random
import select
import subprocess
import time
from typing import NamedTuple

import report
from contenders import interleaved
from program import Stalled


class Taken(NamedTuple):
    """Medians of the seconds of the clock and of the CPU, the largest peak of memory in bytes, the least seconds, and the
    seconds of each round."""
    seconds: float
    cpu: float
    peak: int
    best: float
    rounds: list


class Command:
    """Something to be run and timed. `before` is done first and does not count. What takes long may be run in some rounds
    only, one of `every`."""

    def __init__(self, label, argv, environment=None, before=None, every=1):
        self.label, self.argv, self.environment, self.before, self.every = label, argv, environment, before, every

    def run(self):
        """Seconds of the clock and seconds of CPU. Nobody looks at it meanwhile: whoever does takes time from one of few
        cores, and most from what has several threads."""
        began, process = self._start()
        said = process.stdout.read()
        usage = self._end(process, said)
        return time.perf_counter() - began, usage.ru_utime + usage.ru_stime

    def watch(self):
        """Peak of resident memory in bytes. What wait4 tells begins with the size of whoever started it, so it is looked at
        while it runs."""
        _, process = self._start()
        peak, said = 0, b""
        while True:
            if select.select([process.stdout], [], [], 0.01)[0]:
                data = os.read(process.stdout.fileno(), 1 << 16)
                if not data:
                    break
                said += data
            peak = max(peak, high_water(process.pid))
        self._end(process, said)
        return peak

    def _start(self):
        """When it began, and its process."""
        if self.before:
            self.before()
        began = time.perf_counter()
        return began, subprocess.Popen(self.argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, env=self.environment)

    def _end(self, process, said):
        """What wait4 says of it, when it ended well."""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        if process.returncode:
            raise Stalled(f"{self.label} ended with {process.returncode}: {said[-400:].decode('utf-8', 'replace')}")
        return usage


def high_water(pid):
    """The most that was resident so far, in bytes; 0 when it has ended."""
    return _memory(pid, "VmHWM")


def resident(pid):
    """What is resident now, in bytes; 0 when it has ended."""
    return _memory(pid, "VmRSS")


def _memory(pid, name):
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith(f"{name}:")), 0)
    except OSError:
        return 0


def in_turn(bench, what, commands, rounds):
    """Runs each command once a round. Before, each is run some times while its memory is looked at; these do not count for
    the time. Returns what was taken, by label."""
    peak = {command.label: 0 for command in commands}
    for number, command in interleaved(commands, max(2, rounds // 8)):
        if number % command.every:
            continue
        bench.tell(f"{what}: memory, {command.label}")
        peak[command.label] = max(peak[command.label], command.watch())
    runs = {command.label: [] for command in commands}
    for number, command in interleaved(commands, rounds):
        if number % command.every:
            continue
        bench.tell(f"{what}: round {number + 1} of {rounds}, {command.label}")
        runs[command.label].append(command.run())
    taken = {}
    for label, all in runs.items():
        seconds = [run[0] for run in all]
        taken[label] = Taken(report.median(seconds), report.median([run[1] for run in all]), peak[label], min(seconds), seconds)
    return taken


def beside(taken, peer):
    """How many times the peer's seconds something took, and between what that lies with a probability of 95 % as far as the
    rounds tell (bootstrap: the medians of rounds drawn from them with replacement)."""
    draw = random.Random(0)
    pairs = list(zip(taken.rounds, peer.rounds))
    drawn = sorted(report.median([a for a, _ in some]) / report.median([b for _, b in some])
                   for some in (draw.choices(pairs, k=len(pairs)) for _ in range(2000)))
    ratio = report.ratio(taken.seconds, peer.seconds)
    return f"{ratio} ({drawn[50]:.2f} to {drawn[-51]:.2f})"


def rows(results, peer, size):
    """A table's rows: seconds and the best of them, each beside the peer's, CPU seconds, peak memory, and MiB a second of
    `size` bytes."""
    other = results[peer]
    lines = []
    for label, taken in results.items():
        share = "1.00" if label == peer else beside(taken, other)
        lines.append([label, f"{taken.seconds:.3f}", share, f"{taken.best:.3f}", report.ratio(taken.best, other.best),
                      f"{taken.cpu:.2f}", f"{taken.peak / (1 << 20):.0f}", f"{size / taken.seconds / (1 << 20):.0f}"])
    return lines
