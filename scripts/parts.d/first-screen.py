"""Starts a full-screen program on a pseudo-terminal of 240 x 40, waits for words on its screen, presses keys, and waits
for its end:  first-screen.py [--status N] WORD... [--keys TEXT] -- PROGRAM ARGUMENT...

Exit status 0 if every word was written between other output and the program ended with status N (0 without it)."""
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios

from waiting import Hangs, Limit

# Control sequences, strings that a terminal does not show (titles, questions, pictures), and changes of character set. A
# program may move over blanks instead of writing them, so they do not count.
UNSEEN = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|\s", re.S)


def arguments(words):
    cut = words.index("--")
    options, program = words[:cut], words[cut + 1:]
    status, keys, wanted = 0, "", []
    while options:
        word = options.pop(0)
        if word == "--status":
            status = int(options.pop(0))
        elif word == "--keys":
            keys = options.pop(0)
        else:
            wanted.append(word)
    return status, keys.encode(), wanted, program


def main():
    status, keys, wanted, program = arguments(sys.argv[1:])
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(program[0], program)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 240, 0, 0))
    written, fault = b"", None

    def missing():
        seen = UNSEEN.sub(b"", written)
        return [word for word in wanted if "".join(word.split()).encode() not in seen]

    limit = Limit("its end")
    try:
        while True:
            limit.wait_to_read(terminal)
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                piece = b""
            if not piece:
                break
            written += piece
            if keys and not missing():
                os.write(terminal, keys)
                keys = b""
    except Hangs as hangs:
        fault = str(hangs)
        os.kill(child, signal.SIGTERM)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if fault or missing() or code != status:
        print(UNSEEN.sub(lambda found: b" " if found[0].isspace() else b"", written).decode(errors="replace")[-3000:])
        print(f"That is what it wrote. Missing on the screen: {missing()}; exit status {code}, not {status}" +
              (f"; {fault}." if fault else "."))
        sys.exit(1)


main()
