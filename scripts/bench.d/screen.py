"""What a terminal would show: as much of an xterm as nnn, mc, less and byteclub use.

A Screen is fed the bytes that a program wrote and answers two questions: the text of each row, and in which style the
text of a row is painted (which is how the row of the cursor differs from its neighbours). It runs after the clock has
stopped, never while something is measured."""
import re
import unicodedata

_TOKEN = re.compile(
    rb"\x1b\[(?P<csi>[0-9;:<=>?]*[ -/]*[@-~])"
    rb"|\x1b[\]P_^X](?:[^\x1b\x07]|\x1b[^\\])*(?:\x07|\x1b\\)"  # OSC, DCS, APC, PM, SOS: nothing to see
    rb"|\x1b[ -/]+[0-~]"  # character sets
    rb"|\x1b(?P<esc>[0-~])"
    rb"|(?P<control>[\x00-\x1f\x7f])"
    rb"|(?P<text>[^\x00-\x1f\x7f]+)"
)
# A sequence or a character whose end has not been read yet.
_UNFINISHED = re.compile(rb"\x1b(?:[\]P_^X](?:[^\x1b\x07]|\x1b(?!\\))*|\[[0-9;:<=>? -/]*|[ -/]*)$")


_PLAIN = (None, None, frozenset())
_SPACE = (" ", _PLAIN)


def _utf8_tail(data):
    """How many bytes at the end begin a character that is not complete."""
    for back in range(1, min(4, len(data) + 1)):
        byte = data[-back]
        if byte >= 0xC0:
            return back if back < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) else 0
        if byte < 0x80:
            return 0
    return 0


def _width(character):
    if unicodedata.combining(character) or character in "\u200b\u200d\ufe0e\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Screen:
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cursor_keys_are_applications = False  # DECCKM: arrows are sent as ESC O A, not ESC [ A
        self._held = b""
        self._reset()

    def _reset(self):
        self._grid = [self._blank() for _ in range(self.rows)]
        self._x = self._y = 0
        self._saved = (0, 0)
        self._top, self._bottom = 0, self.rows - 1
        self._style = _PLAIN
        self._last = " "

    def _blank(self):
        return [_SPACE] * self.columns

    def text(self, row):
        return "".join(character for character, _ in self._grid[row])

    def lines(self):
        return [self.text(row).rstrip() for row in range(self.rows)]

    def shows(self, *texts):
        whole = "\n".join(self.lines())
        return all(text in whole for text in texts)

    def style(self, row, text):
        """The style of the first cell of a text in a row; None when the row does not have it."""
        column = self.text(row).find(text)
        return None if column < 0 else self._grid[row][column][1]

    def feed(self, data):
        data = self._held + data
        tail = _UNFINISHED.search(data)
        keep = len(data) - tail.start() if tail else _utf8_tail(data)
        self._held, data = (data[-keep:], data[:-keep]) if keep else (b"", data)
        for match in _TOKEN.finditer(data):
            kind = match.lastgroup
            if kind == "text":
                for character in match.group().decode("utf-8", "replace"):
                    self._put(character)
            elif kind == "control":
                self._control(match.group())
            elif kind == "csi":
                self._sequence(match.group("csi").decode("ascii"))
            elif kind == "esc":
                self._escape(match.group("esc"))

    def _put(self, character):
        width = _width(character)
        if width == 0:
            return
        if self._x + width > self.columns:
            self._x = 0
            self._line_feed()
        row = self._grid[self._y]
        row[self._x] = (character, self._style)
        if width == 2:
            row[self._x + 1] = ("", self._style)
        self._x += width
        self._last = character

    def _line_feed(self):
        if self._y == self._bottom:
            self._scroll_up(self._top, 1)
        elif self._y < self.rows - 1:
            self._y += 1

    def _scroll_up(self, top, count):
        for _ in range(min(count, self._bottom - top + 1)):
            del self._grid[top]
            self._grid.insert(self._bottom, self._blank())

    def _scroll_down(self, top, count):
        for _ in range(min(count, self._bottom - top + 1)):
            del self._grid[self._bottom]
            self._grid.insert(top, self._blank())

    def _control(self, byte):
        if byte == b"\r":
            self._x = 0
        elif byte in b"\n\v\f":
            self._line_feed()
        elif byte == b"\b":
            self._x = max(0, min(self._x, self.columns - 1) - 1)
        elif byte == b"\t":
            self._x = min(self.columns - 1, (self._x // 8 + 1) * 8)

    def _escape(self, byte):
        if byte == b"7":
            self._saved = (self._x, self._y)
        elif byte == b"8":
            self._x, self._y = self._saved
        elif byte == b"D":
            self._line_feed()
        elif byte == b"E":
            self._x = 0
            self._line_feed()
        elif byte == b"M":
            if self._y == self._top:
                self._scroll_down(self._top, 1)
            else:
                self._y = max(0, self._y - 1)
        elif byte == b"c":
            self._reset()

    def _sequence(self, sequence):
        final, body = sequence[-1], sequence[:-1]
        if body[:1] == "?":
            if final in "hl":
                modes = body[1:].split(";")
                if "1" in modes:
                    self.cursor_keys_are_applications = final == "h"
                if "1049" in modes:
                    self._grid = [self._blank() for _ in range(self.rows)]
            return
        if body[:1] in ("<", "=", ">") or body[-1:] in (" ", "!", '"', "$"):
            return
        numbers = [int(part) if part.isdigit() else 0 for part in body.replace(":", ";").split(";")]
        count = max(1, numbers[0])
        self._x = min(self._x, self.columns - 1) if final not in "mb" else self._x
        if final == "m":
            self._paint(numbers)
        elif final in "Hf":
            self._y = min(self.rows, count) - 1
            self._x = min(self.columns, max(1, numbers[1] if len(numbers) > 1 else 1)) - 1
        elif final == "A":
            self._y = max(0, self._y - count)
        elif final in "Be":
            self._y = min(self.rows - 1, self._y + count)
        elif final in "Ca":
            self._x = min(self.columns - 1, self._x + count)
        elif final == "D":
            self._x = max(0, self._x - count)
        elif final == "E":
            self._x, self._y = 0, min(self.rows - 1, self._y + count)
        elif final == "F":
            self._x, self._y = 0, max(0, self._y - count)
        elif final in "G`":
            self._x = min(self.columns, count) - 1
        elif final == "d":
            self._y = min(self.rows, count) - 1
        elif final == "J":
            self._erase_screen(numbers[0])
        elif final == "K":
            self._erase(self._y, *((self._x, self.columns), (0, self._x + 1), (0, self.columns))[min(2, numbers[0])])
        elif final == "X":
            self._erase(self._y, self._x, min(self.columns, self._x + count))
        elif final == "P":
            row = self._grid[self._y]
            del row[self._x : self._x + count]
            row.extend([_SPACE] * (self.columns - len(row)))
        elif final == "@":
            row = self._grid[self._y]
            row[self._x : self._x] = [_SPACE] * count
            del row[self.columns :]
        elif final == "L":
            self._scroll_down(self._y, count)
        elif final == "M":
            self._scroll_up(self._y, count)
        elif final == "S":
            self._scroll_up(self._top, count)
        elif final == "T":
            self._scroll_down(self._top, count)
        elif final == "b":
            for _ in range(count):
                self._put(self._last)
        elif final == "r":
            self._top = count - 1
            self._bottom = (numbers[1] if len(numbers) > 1 and numbers[1] else self.rows) - 1
            self._x = self._y = 0
        elif final == "s":
            self._saved = (self._x, self._y)
        elif final == "u":
            self._x, self._y = self._saved

    def _erase_screen(self, mode):
        if mode == 0:
            self._erase(self._y, self._x, self.columns)
            rows = range(self._y + 1, self.rows)
        elif mode == 1:
            self._erase(self._y, 0, self._x + 1)
            rows = range(self._y)
        else:
            rows = range(self.rows)
        for row in rows:
            self._grid[row] = self._blank()

    def _erase(self, row, begin, end):
        # The background stays, as xterm's does (bce): a selected row is one style from edge to edge.
        self._grid[row][begin:end] = [(" ", self._style)] * (end - begin)

    def _paint(self, numbers):
        """The style is (foreground, background, attributes that are on)."""
        foreground, background, attributes = self._style
        numbers = iter(numbers)
        for number in numbers:
            if number == 0:
                foreground, background, attributes = _PLAIN
            elif number in (38, 48):
                colour = self._colour(numbers)
                foreground, background = (colour, background) if number == 38 else (foreground, colour)
            elif 30 <= number <= 39 or 90 <= number <= 97:
                foreground = None if number == 39 else number
            elif 40 <= number <= 49 or 100 <= number <= 107:
                background = None if number == 49 else number
            elif 1 <= number <= 9:
                attributes = attributes | {number}
            elif 21 <= number <= 29:
                attributes = attributes - ({1, 2} if number == 22 else {number - 20})
        self._style = (foreground, background, attributes)

    @staticmethod
    def _colour(numbers):
        kind = next(numbers, None)
        return tuple(next(numbers, 0) for _ in range(3 if kind == 2 else 1))
