"""Large panoramas: how soon one is seen, frames while one looks around, thumbnails, and memory."""
import base64
import os
import re
import shutil
import subprocess
import time

import report
from program import Program, Stalled
from timing import Command, beside, high_water, in_turn

ROOMS = ("Sources/Pictures", "Sources/App/Screens/PanoPhotos", "Sources/App/TextUI")
LARGE = (14_142, 7_071)  # 100 megapixels
USUAL = (5_660, 2_830)  # 16 megapixels
THUMBNAILS = 16  # as many as the grid shows at once
STEPS = 60
FRAME = (200, 60)
WINDOW = (160, 45)  # 1600 x 900 pixels
QUIET = 0.03
# Each cell of a picture in 24-bit colour sets its own.
CELL_OF_PICTURE = b"38;2;"
SEEN = 300

_PIL = """
import sys
from PIL import Image
for name in sys.argv[2:]:
    with Image.open(name) as picture:
        picture.draft("RGB", (320, 160))
        picture.thumbnail((320, 160))
        picture.save(sys.argv[1] + "/" + name.rsplit("/", 1)[1])
"""


def run(bench):
    large = panorama(bench, "large.jpg", LARGE)
    club = bench.place("club")
    os.makedirs(f"{club}/photos")
    os.link(large, f"{club}/photos/large.jpg")
    yield first_picture(bench, club, large)
    yield look_around(bench, club)
    yield thumbnails(bench)
    yield step_in_grid(bench)


def quick(bench):
    yield step_in_grid(bench)


def step_in_grid(bench):
    """What a step of the grid writes, over photos of soft noise."""
    club, photo = bench.place("grid"), panorama(bench, "small.jpg", (640, 320))
    os.makedirs(f"{club}/photos")
    for number in range(THUMBNAILS):
        shutil.copy(photo, f"{club}/photos/photo-{number:02d}.jpg")
    with app(bench, club, "grid") as program:
        program.press(b"2", 0.2)
        program.read_until_painted("photo-00.jpg")
        program.press(b"g", 0.5)
        program.settle()
        steps = [program.press(key, 0.2)[1:] for key in (b"\x1b[C", b"\x1b[D") * 5]
    times, sizes = zip(*steps)
    return report.table(
        f"pictures: a step in the grid of {THUMBNAILS} photos",
        "Right and left by turns, in half-blocks, from the key to the last byte of the answer. Goal: 2 kB.",
        ("", "p50 ms", "worst ms", "bytes p50", "most bytes"),
        [("byteclub", report.ms(report.median(times)), report.ms(max(times)), f"{report.median(sizes):,.0f}",
          f"{max(sizes):,}")])


def panorama(bench, name, size):
    """A baseline JPEG of soft noise, which costs a decoder as much as a photograph."""
    path = bench.place(name)
    bench.tell(f"making {name}, {size[0]} x {size[1]}")
    part = (size[0] + 3) // 4, (size[1] + 3) // 4
    steps = [["gaussnoise", "{0}-{1}.v", str(part[0]), str(part[1]), "--mean", "120", "--sigma", "60"] for _ in range(3)]
    for channel, step in enumerate(steps):
        vips(*[argument.format(path, channel) for argument in step])
    vips("bandjoin", " ".join(f"{path}-{channel}.v" for channel in range(3)), f"{path}-j.v")
    vips("gaussblur", f"{path}-j.v", f"{path}-b.v", "2")
    vips("cast", f"{path}-b.v", f"{path}-c.v", "uchar")
    vips("replicate", f"{path}-c.v", f"{path}-r.v", "4", "4")
    vips("extract_area", f"{path}-r.v", f"{path}[Q=85]", "0", "0", str(size[0]), str(size[1]))
    for rest in [f"{path}-{part}.v" for part in ("0", "1", "2", "j", "b", "c", "r")]:
        os.remove(rest)
    return path


def vips(*arguments):
    subprocess.run(["vips", *arguments], check=True, stdout=subprocess.DEVNULL)


def app(bench, club, name, size=(120, 40)):
    home = os.path.join(bench.homes, name)
    return Program([bench.binary, "--folder", club], home, {"COLORTERM": "truecolor"}, size=size)


def seen_after(program, place):
    """When a picture was on the screen: the time of the piece of output with its 300th cell."""
    count = 0
    for when, data in program.output[place:]:
        count += data.count(CELL_OF_PICTURE)
        if count >= SEEN:
            return when
    return None


def open_photo(program, name):
    """Opens the only photo. Returns when Enter was sent, and the seconds from then to the first picture of any quality."""
    program.press(b"2", 0.2)
    program.read_until_painted(name)
    program.settle(quiet=0.3)
    place = len(program.output)
    sent = time.perf_counter()
    os.write(program.terminal, b"\r")
    deadline = sent + 30
    while time.perf_counter() < deadline:
        program.watch(0.02)
        seen = seen_after(program, place)
        if seen is not None:
            return sent, seen - sent
    raise Stalled("byteclub did not show the photo.")


def first_picture(bench, club, large):
    rounds = max(3, bench.rounds // 3)
    enter, peaks = [], []
    for number in range(rounds):
        bench.tell(f"pictures: Enter, round {number + 1} of {rounds}")
        with app(bench, club, f"enter-{number}") as program:
            enter.append(open_photo(program, "large.jpg")[1])
            program.settle(quiet=0.5)
            peaks.append((program.peak_memory(), max(map(high_water, children(program.pid)), default=0)))
    commands = [
        Command("byteclub photo view", [bench.binary, "photo", "view", "--size", "120x40", large]),
        Command("chafa", ["chafa", "--format", "symbols", "--symbols", "vhalf", "--size", "120x40", large]),
        Command("timg", ["timg", "-ph", "-g120x40", large]),
    ]
    taken = in_turn(bench, "pictures", commands, rounds)
    peer = taken["chafa"]
    rows = [("byteclub, Enter to a first picture", report.ms(report.median(enter)),
             report.ratio(report.median(enter), peer.seconds), "")]
    for label, one in taken.items():
        share = "1.00" if label == "chafa" else beside(one, peer)
        rows.append((label, report.ms(one.seconds), share, f"{one.peak / (1 << 20):.0f}"))
    rows.append(("byteclub's app, after it has shown the photo", "", "", f"{max(own for own, _ in peaks) / (1 << 20):.0f}"))
    rows.append(("its worker", "", "", f"{max(worker for _, worker in peaks) / (1 << 20):.0f}"))
    return report.table(
        "pictures: a panorama of 100 megapixels in 120x40 cells",
        f"Half-blocks. Medians of {rounds} rounds; peaks are the largest. Goals: half of the time of chafa and timg; 120 MB"
        " for the app and 250 MB for the worker.", ("", "ms", "x chafa", "peak MiB"), rows)


def children(pid):
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
            found += [int(number) for number in file.read().split()]
    return found


def look_around(bench, club):
    """Turns by one key after the other; the frame of each is awaited."""
    blocks = turn(bench, club, FRAME)
    pipe = turn(bench, club, WINDOW, kitty(shares=False))
    shared = turn(bench, club, WINDOW, kitty(shares=True))
    still = bench.place("still.png")
    subprocess.run(["vips", "thumbnail", f"{club}/photos/large.jpg", still, str(FRAME[0] * 2)], check=True)
    geometry = f"{FRAME[0]}x{FRAME[1]}"
    chafa = Command("chafa", ["chafa", "--format", "symbols", "--symbols", "vhalf", "--size", geometry, still])
    peer = in_turn(bench, "pictures", [chafa], max(5, bench.rounds))["chafa"]
    return report.table(
        "pictures: look-around",
        f"Half-blocks in {geometry} cells; kitty with 1600 x 900 pixels. {STEPS} keys, one after the other. A frame's time is"
        " from the key to the first byte, which follows the drawing; its processor time has all threads and the finer frame"
        " at rest. chafa draws a small copy of the picture once, with its start. Goals: 60 frames a second in half-blocks,"
        " ten times chafa; in kitty 30 with shared memory, 15 without.",
        ("", "ms a frame", "frames a second", "CPU ms a frame", "bytes a frame"),
        [("half-blocks", *blocks), ("chafa", report.ms(peer.seconds), f"{1 / peer.seconds:.0f}", report.ms(peer.cpu), ""),
         ("kitty", *pipe), ("kitty, shared memory", *shared)])


def kitty(shares):
    """The answers of a kitty with cells of 10 x 20 pixels, on this machine or elsewhere."""
    memory = b"\x1b_Gi=32;OK\x1b\\" if shares else b"\x1b_Gi=32;EBADF\x1b\\"
    answer = b"\x1b_Gi=31;OK\x1b\\" + memory + b"\x1bP>|kitty(0.35.2)\x1b\\\x1b[6;20;10t\x1b[?62;c"
    return [(re.compile(rb"\x1b\[0?c"), answer)]


class SharedMemory:
    """Removes pictures from shared memory as soon as they are named, as kitty does."""

    def __init__(self):
        self._rest = b""

    def read(self, data):
        data = self._rest + data
        for name in re.findall(rb"a=t,t=s,[^;]*;([A-Za-z0-9+/=]+)\x1b", data):
            os.unlink("/dev/shm" + base64.b64decode(name).decode())
        # A sequence may be cut. The longest has some 150 bytes; those that are whole were read.
        last = data.rfind(b"\x1b_Ga=t,t=s,")
        self._rest = data[last:] if last >= 0 and b"\x1b\\" not in data[last:] else b""


def turn(bench, club, size, answers=None):
    """Medians of a frame, as text: its time, frames a second, processor time and bytes."""
    bench.tell("pictures: look around")
    home = bench.place("turn")
    argv = [bench.binary, "--folder", club]
    arguments = {"answers": answers, "look": SharedMemory().read} if answers else {}
    with Program(argv, home, {"COLORTERM": "truecolor"}, size=size, **arguments) as program:
        program.press(b"2", 0.2)
        program.read_until_painted("large.jpg")
        program.settle(quiet=0.3)
        program.press(b"\r", 0.5)
        program.settle(quiet=0.5)
        times, sizes, before = [], [], program.cpu()
        for _ in range(STEPS):
            first, _, count = program.press(b"l", QUIET)
            times.append(first)
            sizes.append(count)
        cpu = (program.cpu() - before) / STEPS
    middle = report.median(times)
    return report.ms(middle), f"{1 / middle:.0f}", report.ms(cpu), f"{report.median(sizes):,.0f}"


def thumbnails(bench):
    """Of different contents, so that none is made from another's."""
    club = bench.place("thumbnails")
    os.makedirs(f"{club}/photos")
    first = panorama(bench, "usual.jpg", USUAL)
    for number in range(THUMBNAILS):
        path = f"{club}/photos/{number:02d}.jpg"
        shutil.copy(first, path)
        with open(path, "ab") as file:
            file.write(b"%d" % number)
    names = sorted(os.path.join(club, "photos", name) for name in os.listdir(f"{club}/photos"))
    rounds = max(3, bench.rounds // 3)
    made = []
    for number in range(rounds):
        bench.tell(f"pictures: thumbnails, round {number + 1} of {rounds}")
        made.append(grid(bench, club, number, THUMBNAILS))
    out = bench.place("out")
    os.mkdir(out)
    environment = {**os.environ, "VIPS_CONCURRENCY": "1"}
    commands = [
        Command("vipsthumbnail", ["taskset", "-c", "0", "vipsthumbnail", "--size", "320x160", "-o", f"{out}/%s.jpg", *names],
                environment),
        Command("PIL, with draft", ["taskset", "-c", "0", "/usr/bin/python3", "-c", _PIL, out, *names]),
    ]
    taken = in_turn(bench, "pictures", commands, rounds)
    peer = taken["vipsthumbnail"].seconds
    mine = report.median(made)
    rows = [("byteclub's grid", f"{THUMBNAILS / mine:.1f}", report.ratio(peer, mine))]
    rows += [(label, f"{THUMBNAILS / one.seconds:.1f}", report.ratio(peer, one.seconds)) for label, one in taken.items()]
    return report.table(
        f"pictures: thumbnails of {THUMBNAILS} panoramas of 16 megapixels on one core",
        f"The grid of an app with an empty cache, from the tab's key to the last thumbnail on disk; the others make files of"
        f" 320 x 160. Medians of {rounds} rounds. Goal: 1.5 x vipsthumbnail.",
        ("", "a second", "x vipsthumbnail"), rows)


def grid(bench, club, name, count):
    """The seconds from the tab's key until so many thumbnails are on disk."""
    home = os.path.join(bench.homes, f"grid-{name}")
    argv = ["taskset", "-c", "0", bench.binary, "--folder", club]
    with Program(argv, home, {"COLORTERM": "truecolor"}, size=FRAME) as program:
        program.read_until_painted("Notes")
        program.settle(quiet=0.3)
        sent = time.perf_counter()
        os.write(program.terminal, b"2")
        deadline = sent + 60
        while time.perf_counter() < deadline:
            program.watch(0.005)
            if kept(home) >= count:
                return time.perf_counter() - sent
    raise Stalled(f"byteclub made {kept(home)} of {count} thumbnails.")


def kept(home):
    """Thumbnails on disk."""
    return sum(len(names) for folder, _, names in os.walk(f"{home}/cache") if "thumbnails" in folder)
