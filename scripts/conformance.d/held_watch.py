"""byteclub on a terminal, behind a proxy that holds answers back:  held_watch.py PROGRAM

The app says so, and where its owner finds the setting. What it shows is written out when it does not."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

# Seconds; the app gives up after 50.
MOST = 120
WANTED = ("a proxy between here and", "holds it back", "docs/server.md")


def main(program):
    process, terminal = pty.fork()
    if process == 0:
        os.execv(program, [program])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 240, 0, 0))
    shown, began = b"", time.monotonic()
    try:
        while time.monotonic() - began < MOST:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            piece = os.read(terminal, 1 << 16)
            # The question after the terminal's kind.
            if b"\x1b[c" in piece:
                os.write(terminal, b"\x1b[?62;22c")
            shown += piece
            # A terminal moves over blanks.
            plain = re.sub(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\s", b"", shown).decode("utf-8", "replace")
            if all(words.replace(" ", "") in plain for words in WANTED):
                return
        sys.exit(f"the app did not say so in {MOST} s: {plain[-2000:]}")
    finally:
        os.kill(process, signal.SIGTERM)
        os.waitpid(process, 0)


main(sys.argv[1])
