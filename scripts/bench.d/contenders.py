"""Who is measured: byteclub, and the programs that it is compared with."""
import itertools
import os
import re
import tempfile

import report
from program import COLUMNS, ROWS, Program


class Contender:
    """A program that lists a folder full screen.

    fresh: every start finds an empty home, as the first start of all does; otherwise the home is kept between starts,
    and what an earlier start has cached may help."""

    def __init__(self, label, argv, fresh=False):
        self.label, self._argv, self._fresh = label, argv, fresh

    def start(self, folder, homes, size=(COLUMNS, ROWS)):
        if self._fresh:
            home = tempfile.mkdtemp(dir=homes)
        else:
            home = os.path.join(homes, re.sub(r"\W+", "-", self.label))
            os.makedirs(home, exist_ok=True)
        return Program([part.format(folder=folder, empty=homes) for part in self._argv], home, size=size)


class Contenders:
    def __init__(self, binary):
        self.byteclub_first = Contender("byteclub, first start", [binary, "--folder", "{folder}"], fresh=True)
        self.byteclub = Contender("byteclub", [binary, "--folder", "{folder}"])
        self.nnn = Contender("nnn", ["nnn", "{folder}"])
        # Without its subshell, which would be a shell's start more; its second panel shows a folder that is almost empty.
        self.mc = Contender("mc -u", ["mc", "-u", "{folder}", "{empty}"])
        self._binary = binary

    def versions(self):
        found = [report.first_line([self._binary, "--version"]), report.first_line(["nnn", "-V"]),
                 report.first_line(["mc", "--version"])]
        names = ("byteclub", "nnn", "")
        return "Versions: " + ", ".join(
            f"{name} {version or '(says none)'}".strip() for name, version in zip(names, found)) + "."


def interleaved(contenders, rounds):
    """Each contender once a round, in an order that moves on by one every round, so that none is always the first."""
    for number in range(rounds):
        start = number % len(contenders)
        for contender in itertools.chain(contenders[start:], contenders[:start]):
            yield number, contender
