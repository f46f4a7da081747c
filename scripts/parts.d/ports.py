"""Free ports of loopback, for servers of others that must be told theirs:  ports.py COUNT  prints so many.

They lie below those that the kernel gives to connections: one of these could be taken between here and its server's start."""
import contextlib
import random
import socket
import sys


def free(count=1):
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        first, last = map(int, file.read().split())
    # Where the kernel may give nearly all, one of those.
    lowest, end = (first - 12_000, first) if first > 14_000 else (first, last)
    with contextlib.ExitStack() as held:
        ports = []
        while len(ports) < count:
            port = random.randrange(lowest, end)
            probe = held.enter_context(socket.socket())
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                ports.append(port)
    return ports


if __name__ == "__main__":
    print(*free(int(sys.argv[1])))
