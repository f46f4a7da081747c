"""What a wall of photos takes while it runs on and on."""
import os
import shutil
import time

import report
import table_pictures as pictures
from program import Program
from table_gaze import sphere
from table_phones import PHOTO, heic
from timing import resident

ROOMS = (*pictures.ROOMS, "Sources/Club/ClubServices/PanoPhotos")
SECONDS, TURNS, LOOK = 3, 2, 3
SPHERES, SWEEPS, PHOTOS, HEICS = 10, 10, 20, 2
COUNT = SPHERES + SWEEPS + PHOTOS + HEICS


def run(bench):
    club = photos(bench)
    bench.tell("wall: looked at")
    argv = [bench.binary, "wall", "--folder", club, "--seconds", str(SECONDS)]
    seen = []
    with Program(argv, bench.place("home-wall"), {"COLORTERM": "truecolor"}) as program:
        program.read_until_quiet(0.5, at_least_one=True)
        began, cpu = time.perf_counter(), program.cpu()
        for _ in range(TURNS * COUNT * SECONDS // LOOK):
            program.watch(LOOK)
            program.output.clear()
            seen.append(sight(program.pid))
        used = (program.cpu() - cpu) / (time.perf_counter() - began)
    yield report.table(
        f"wall: {COUNT} photos, {TURNS} times each",
        f"`byteclub wall --seconds {SECONDS}` in 120x40 cells of half-blocks: {SPHERES} panoramas of 4,096 x 2,048 pixels that turn,"
        f" {SWEEPS} sweeps of 6,000 x 1,500 that pan, {PHOTOS} photos of 1,600 x 1,200 and {HEICS} HEICs of 12 megapixels. Looked"
        f" at each {LOOK} s; the program itself took {100 * used:.0f} % of a core.",
        ("", "first", "least", "most", "last"),
        [(what, *(f"{value:,}" for value in (values[0], min(values), max(values), values[-1])))
         for what, values in zip(("resident, MiB", "of its decoders, MiB", "descriptors", "threads"), zip(*seen))])


def photos(bench):
    club = bench.place("wall")
    os.makedirs(f"{club}/photos")
    kinds = (("sphere", SPHERES, (4096, 2048)), ("sweep", SWEEPS, (6000, 1500)), ("photo", PHOTOS, (1600, 1200)))
    for kind, count, size in kinds:
        pair = [pictures.panorama(bench, f"{kind}-{side}.jpg", size) for side in "ab"]
        for number in range(count):
            path = f"{club}/photos/{kind}-{number:02d}.jpg"
            if kind == "sphere":
                sphere(pair[number % 2], path)
            else:
                shutil.copy(pair[number % 2], path)
            # No two files are alike, so that none is shown from another's thumbnail.
            with open(path, "ab") as file:
                file.write(b"%d" % number)
    photo = heic(bench, pictures.panorama(bench, "heic.jpg", PHOTO), "wall", "-t", "320")
    for number in range(HEICS):
        shutil.copy(photo, f"{club}/photos/phone-{number}.heic")
    return club


def sight(pid):
    """Resident MiB of the program and of its decoders, its descriptors, and its threads."""
    memory = resident(pid) >> 20, sum(map(resident, pictures.children(pid))) >> 20
    return (*memory, len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task")))
