"""Pictures of any number of bytes, for scripts/bench and scripts/soak."""
import base64
import os

# A whole JPEG of 16 x 8 pixels.
_SMALL = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8yb"
    "qmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAI"
    "ABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAXEAEAAwAAAAAAAAAAAAAAAAAAAwVh/8QAFQEBAQAAAAAAAAAAAAAAAAAAAg"
    "P/xAAYEQADAQEAAAAAAAAAAAAAAAAAAgMEUf/aAAwDAQACEQMRAD8Alir8VxV+AL1Ynls/T//Z")


def write(path, size, randbytes=os.urandom):
    """A picture of `size` bytes. What comes behind its end is no business of a decoder: phones append films there."""
    with open(path, "wb") as file:
        left = size - file.write(_SMALL[:size])
        while left > 0:
            left -= file.write(randbytes(min(left, 1 << 24)))
