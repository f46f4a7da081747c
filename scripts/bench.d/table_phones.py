"""Photos as phones make them: a HEIC on the screen, thumbnails from embedded ones, and scrolling a grid of many."""
import os
import shutil
import subprocess

import report
import table_pictures as pictures
from timing import Command, beside, in_turn

ROOMS = pictures.ROOMS
PHOTO = (4_032, 3_024)  # 12 megapixels
THUMBNAILS = 16
MANY = 10_000
STEPS = 300
FRAME = 1 / 60
QUIET = 0.004


def run(bench):
    jpeg = pictures.panorama(bench, "phone.jpg", PHOTO)
    photo = heic(bench, jpeg, "phone", "-t", "320")
    yield on_the_screen(bench, photo, heic(bench, jpeg, "plain"))
    yield thumbnails(bench, photo)
    yield scroll(bench)


def heic(bench, jpeg, name, *options):
    """Phones embed a picture of 320 pixels (-t 320)."""
    path = bench.place(f"{name}.heic")
    bench.tell(f"making {name}.heic")
    subprocess.run(["heif-enc", "-q", "50", *options, jpeg, "-o", path], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return path


def copies(bench, name, first, count):
    """A club of photos with different contents, so that none is shown from another's thumbnail."""
    club = bench.place(name)
    os.makedirs(f"{club}/photos")
    with open(first, "rb") as file:
        data = file.read()
    # HEIF's files are boxes to their end; a JPEG's end may be followed by anything.
    for number in range(count):
        with open(f"{club}/photos/{number:05d}{os.path.splitext(first)[1]}", "wb") as file:
            file.write(data + b"\0\0\0\x10free%08d" % number)
    return club


def on_the_screen(bench, photo, plain):
    club, out = bench.place("club"), bench.place("out.jpg")
    os.makedirs(f"{club}/photos")
    shutil.copy(photo, f"{club}/photos/phone.heic")
    rounds = max(3, bench.rounds // 3)
    first, sharp = [], []
    for number in range(rounds):
        bench.tell(f"phones: Enter, round {number + 1} of {rounds}")
        with pictures.app(bench, club, f"heic-{number}") as program:
            sent, seconds = pictures.open_photo(program, "phone.heic")
            program.settle(quiet=0.5)
            first.append(seconds)
            sharp.append(max(when for when, data in program.output if pictures.CELL_OF_PICTURE in data) - sent)
    views = [Command(f"byteclub photo view, {which}", [bench.binary, "photo", "view", "--size", "120x40", path])
             for which, path in (("from the embedded picture", photo), ("without one", plain))]
    other = Command("heif-convert, to a JPEG", ["heif-convert", "-q", "90", plain, out])
    taken = in_turn(bench, "phones", [*views, other], bench.rounds)
    peer = taken[other.label]
    rows = []
    for which, times in (("a first picture", first), ("the sharp one", sharp)):
        middle = report.median(times)
        rows.append((f"byteclub, Enter to {which}", report.ms(middle), report.ratio(middle, peer.seconds), "", ""))
    for label, one in taken.items():
        share = "1.00" if one is peer else beside(one, peer)
        rows.append((label, report.ms(one.seconds), share, report.ms(one.cpu), f"{one.peak / (1 << 20):.0f}"))
    return report.table(
        "phones: a HEIC of 12 megapixels in 120x40 cells",
        f"{os.path.getsize(photo) / 1e6:.1f} MB of soft noise, half-blocks. Medians of {rounds} rounds of the app and"
        f" {bench.rounds} of the programs. Goal: no slower than heif-convert.",
        ("", "ms", "x heif-convert", "CPU ms", "peak MiB"), rows)


def thumbnails(bench, photo):
    club = copies(bench, "heics", photo, THUMBNAILS)
    names = sorted(os.path.join(club, "photos", name) for name in os.listdir(f"{club}/photos"))
    rounds = max(3, bench.rounds // 3)
    made = []
    for number in range(rounds):
        bench.tell(f"phones: thumbnails, round {number + 1} of {rounds}")
        made.append(pictures.grid(bench, club, f"heic-{number}", THUMBNAILS))
    out = bench.place("out")
    os.mkdir(out)
    vips = Command("vipsthumbnail", ["taskset", "-c", "0", "vipsthumbnail", "--size", "320x240", "-o", f"{out}/%s.jpg", *names],
                   {**os.environ, "VIPS_CONCURRENCY": "1"})
    peer = in_turn(bench, "phones", [vips], rounds)[vips.label].seconds
    mine = report.median(made)
    return report.table(
        f"phones: thumbnails of {THUMBNAILS} HEICs of 12 megapixels on one core",
        "Each has an embedded picture of 320 pixels. The grid of an app with an empty cache, from the tab's key to the last"
        f" thumbnail on disk; vipsthumbnail makes files of 320 x 240. Medians of {rounds} rounds.",
        ("", "a second", "x vipsthumbnail"),
        [("byteclub's grid", f"{THUMBNAILS / mine:.1f}", report.ratio(peer, mine)),
         (vips.label, f"{THUMBNAILS / peer:.1f}", "1.00")])


def scroll(bench):
    """Down and down, first through photos that no thumbnail was made of, then the same way again."""
    bench.tell(f"making {MANY} photos")
    club = copies(bench, "many", pictures.panorama(bench, "small.jpg", (160, 120)), MANY)
    rows = []
    for label in ("while thumbnails are made", "with thumbnails on disk"):
        bench.tell(f"phones: scrolling {label}")
        with pictures.app(bench, club, "many") as program:
            program.press(b"2", 0.2)
            program.read_until_painted("00000.jpg")
            program.settle(quiet=0.3)
            before = program.cpu()
            steps = [program.press(b"j", QUIET) for _ in range(STEPS)]
            cpu = (program.cpu() - before) / STEPS
            program.settle(quiet=0.3)
        times, _, sizes = zip(*steps)
        late = sum(time > FRAME for time in times)
        rows.append((label, *(report.ms(report.percentile(times, percent)) for percent in (50, 90, 99)), report.ms(max(times)),
                     f"{late} of {STEPS}", report.ms(cpu), f"{report.median(sizes):,.0f}"))
    return report.table(
        f"phones: scrolling a grid of {MANY:,} photos",
        f"{STEPS} times a row down in 120x40 cells of half-blocks, each key when the answer to the one before is there. A frame's"
        " time is from the key to the first byte, which follows the drawing; its processor time has all threads. Goal: p99"
        f" within {FRAME * 1000:.1f} ms, which is 60 frames a second.",
        ("", "p50 ms", "p90 ms", "p99 ms", "worst ms", "later than a frame", "CPU ms a frame", "bytes p50"), rows)
