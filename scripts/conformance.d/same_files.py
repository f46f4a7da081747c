"""Compares the files of two folders by name and SHA-256:  same_files.py [--nfc] ONE OTHER. With --nfc the names of ONE are
compared in Unicode's NFC. Names that begin with .byteclub do not count."""
import hashlib
import os
import sys
import unicodedata


def files(folder):
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".byteclub")]
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


one, other = (files(folder) for folder in sys.argv[-2:])
if "--nfc" in sys.argv:
    one = {unicodedata.normalize("NFC", name): digest for name, digest in one.items()}
different = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
print(f"{len(one)} and {len(other)} files, {len(different)} differ: {different[:10]!r}")
sys.exit(bool(different) or not one)
