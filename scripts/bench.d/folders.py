"""The folders that are listed: N files note-000001.md ..., without content but with sizes and ages that differ; and folders of
prose, which are searched."""
import itertools
import os
import random

BEGIN = 1_700_000_000  # any fixed date: 2023-11-14
SEARCHED, BYTES = 10_000, 4096  # 40 MB
RARE, COMMON = "xyzzy", "zyxgate"  # in 5 notes and in 495


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


def tree(folder, count, folders):
    """Notes with the same names, as many in each folder; a folder at the top has 49 others. Returns the names at the top."""
    tops, each = [f"folder-{number:03d}" for number in range(1, folders // 50 + 1)], count // folders
    parts = ["", *(f"part-{part:02d}" for part in range(1, 50))]
    places = [os.path.join(folder, top, part) for top in tops for part in parts]
    for number, place in enumerate(places):
        os.makedirs(place)
        for note in range(number * each + 1, (number + 1) * each + 1):
            with open(os.path.join(place, name(note)), "wb") as file:
                file.truncate(note * 37 % 50_000)
            os.utime(file.name, (BEGIN - note * 6007 % 100_000_000,) * 2)
    return tops


def prose(folder):
    """Notes whose words repeat as those of prose do."""
    os.makedirs(folder, exist_ok=True)
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnoprstuvw", k=draw.randint(2, 9))) for _ in range(8000)]
    weights = list(itertools.accumulate(1 / (place + 3) for place in range(len(words))))
    for number in range(1, SEARCHED + 1):
        lines, size = [], 0
        while size < BYTES:
            line = " ".join(draw.choices(words, cum_weights=weights, k=12)) + "\n"
            lines.append(line)
            size += len(line)
        if number % 2000 == 7:
            lines[20] = f"A {RARE} was here.\n"
        if number > 100 and number % 20 == 3:
            lines[30] = f"From the {COMMON} one sees far.\n"
        with open(os.path.join(folder, name(number)), "w", encoding="ascii") as file:
            file.write("".join(lines))
    return folder
