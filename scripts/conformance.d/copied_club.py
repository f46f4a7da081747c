"""Fills a folder with a club for `scripts/conformance copy`:  copied_club.py FOLDER. 1,000 notes and 100 photographs,
among them names that servers get wrong, an empty note, and a photograph of 20 MiB, which is larger than a part of an
upload. The same bytes each time."""
import os
import random
import sys
import unicodedata

ODD = ["a b.md", "plus+.md", "x=y.md", "50%.md", "%2F.md", "q?&;#.md", "it's.md", "[brackets].md", "~tilde.md", "a:b@c.md",
       unicodedata.normalize("NFC", "über.md"), unicodedata.normalize("NFD", "öde.md"), "🌊 wave.md", "日本語.md",
       "trailing space .md", "'quoted\".md", "comma,.md", "$dollar!.md", "<tag>.md", "a\u200bb.md"]

folder = sys.argv[1]
numbers = random.Random(20)
os.makedirs(os.path.join(folder, "photos", "2025 + trip", "é%20"))


def write(name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


write("empty.md", b"")
for name in ODD:
    write(name, f"The name of this note is {name}.\n".encode())
for number in range(1000 - 1 - len(ODD)):
    write(f"note {number:04d}.md", f"# Note {number}\n\n{'words ' * numbers.randrange(400)}\n".encode())
for number in range(99):
    place = ("", "2025 + trip/", "2025 + trip/é%20/")[number % 3]
    write(f"photos/{place}pano {number:03d}.jpg", b"\xff\xd8\xff\xe0" + numbers.randbytes(numbers.randrange(200_000)))
write("photos/large.jpg", b"\xff\xd8\xff\xe0" + numbers.randbytes(20 << 20))
