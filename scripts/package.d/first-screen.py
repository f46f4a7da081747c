"""Starts a full-screen program on a pseudo-terminal of 120 x 40, waits for words on its screen, presses keys, and waits
for its end:  first-screen.py [--status N] WORD... [--keys TEXT] -- PROGRAM ARGUMENT...

Exit status 0 if every word was written between other output and the program ended with status N (0 without it)."""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

PATIENCE_SECONDS = 60
# Control sequences, strings that a terminal does not show (titles, questions, pictures), and changes of character set.
ESCAPES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]", re.S)


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
            wanted.append(word.encode())
    return status, keys.encode(), wanted, program


def main():
    status, keys, wanted, program = arguments(sys.argv[1:])
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(program[0], program)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    written, end = b"", time.monotonic() + PATIENCE_SECONDS
    pressed = False
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 1)
        if ready:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                piece = b""
            if not piece:
                break
            written += piece
        text = ESCAPES.sub(b"", written)
        if not pressed and keys and all(word in text for word in wanted):
            os.write(terminal, keys)
            pressed = True
    else:
        os.kill(child, 15)
        print(f"It did not end within {PATIENCE_SECONDS} seconds.")
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    text = ESCAPES.sub(b"", written)
    missing = [word.decode() for word in wanted if word not in text]
    if missing or code != status:
        print(f"Missing on the screen: {missing}; exit status {code}, not {status}. It wrote:")
        print(text.decode(errors="replace")[-3000:])
        sys.exit(1)


main()
