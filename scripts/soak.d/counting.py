"""A proxy that counts the bytes of both directions, and tells when there were so many."""
import contextlib
import socket
import threading

PIECE = 1 << 16


class CountingProxy:
    """Leads every connection to one port of this machine. Little is under way in it: what it has counted has been handed
    to the other side, but for a few hundred KiB in the kernel."""

    def __init__(self, target):
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        self._changed = threading.Condition()
        self.up = self.down = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def wait(self, direction, count, at_most, until=lambda: False):
        """Returns when so many bytes have gone that way in all, or `until` is true (looked at now and then)."""
        with self._changed:
            for _ in range(int(at_most / 0.02)):
                if getattr(self, direction) >= count or until():
                    return
                self._changed.wait(0.02)

    def close(self):
        self._listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    near.close()
                    continue
                for end in (near, far):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 17)
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for source, goal, direction in ((near, far, "up"), (far, near, "down")):
                    threading.Thread(target=self._carry, args=(source, goal, direction), daemon=True).start()

    def _carry(self, source, goal, direction):
        buffer = memoryview(bytearray(PIECE))
        with contextlib.suppress(OSError):
            while count := source.recv_into(buffer):
                with self._changed:
                    setattr(self, direction, getattr(self, direction) + count)
                    self._changed.notify_all()
                goal.sendall(buffer[:count])
        # One end is gone: so is the other, and the thread of the other direction wakes.
        for end in (source, goal):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
