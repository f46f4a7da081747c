"""The folders that are listed: N files note-000001.md ..., without content but with sizes and ages that differ."""
import os

BEGIN = 1_700_000_000  # any fixed date: 2023-11-14


def name(number):
    return f"note-{number:06d}.md"


def make(folder, count):
    os.makedirs(folder)
    where = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # In an order that is not the alphabet's, as in a folder that has lived: 7919 is a prime that divides no count.
        for step in range(count):
            number = step * 7919 % count + 1
            file = os.open(name(number), os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644, dir_fd=where)
            os.ftruncate(file, number * 37 % 50_000)
            age = number * 6007 % 100_000_000
            os.utime(file, (BEGIN - age, BEGIN - age))
            os.close(file)
    finally:
        os.close(where)
    return folder
