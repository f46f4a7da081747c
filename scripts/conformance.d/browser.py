"""Opens the pages of shared links, a drop page and the club in headless Chromium: browser.py ORIGIN TOKEN SPKI PICTURES

ORIGIN is a server that allows all three, TOKEN a member's, SPKI the hash of the server's key (so that the browser believes
its certificate), PICTURES a folder for screenshots. Each check prints a line, "ok WORDS" or "FAILED WORDS: WHY"; the
exit status is 1 if one failed.

The browser is driven by its own protocol (https://chromedevtools.github.io/devtools-protocol/) over a pipe.
"""
import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import urllib.request
import ssl
import zlib

from waiting import LONGEST, Limit

ORIGIN, TOKEN, SPKI, PICTURES = sys.argv[1:5]
NOTE = """# The pier at low tide

Ann saw it *first*, on a **Sunday** in `March`. [The tables](https://example.org/tides?a=1&b=2) say why.

![the pier](photos/pier.jpg) ![tracker](https://tracker.example/pixel.gif) [[Another note]] #walk

- [x] look
- [ ] swim

| place | depth | seen |
|---|--:|:-:|
| north | 2 m | yes |
| south, where the boats are and the ropes lie about | 4 m | no |

> Do not trust the ladder.

```
let depth = 2 // <b>metres</b>
```

<script>document.title = "pwned"; window.pwned = true; fetch("https://tracker.example/script")</script>
<img src="https://tracker.example/raw.gif" onerror="window.pwned = true">
<iframe src="https://tracker.example/frame"></iframe>
<form action="https://tracker.example/form"><input name="password"></form>
<style>body { display: none }</style>

[click](javascript:window.pwned=true) [data](data:text/html,<script>window.pwned=true</script>)
"""


class Failure(Exception):
    pass


class Browser:
    def __init__(self, folder):
        self.number, self.events = 0, []
        self.downloads = os.path.join(folder, "downloads")
        os.mkdir(self.downloads)
        ours, theirs = os.pipe(), os.pipe()

        def begin():
            # The protocol is read from descriptor 3 and written to 4. Copies above them make room.
            read, write = os.dup(ours[0]), os.dup(theirs[1])
            read, write = os.dup(read), os.dup(write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [
                "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--remote-debugging-pipe", "--hide-scrollbars", "--user-data-dir=" + folder + "/profile",
                "--ignore-certificate-errors-spki-list=" + SPKI, "about:blank",
            ],
            preexec_fn=begin, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.out, self.into, self.left = ours[1], theirs[0], b""
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")["targetId"]
        self.session = None
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.ask(domain + ".enable")
        session, self.session = self.session, None
        self.ask("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads, eventsEnabled=True)
        self.session = session

    def end(self):
        self.process.kill()
        self.process.wait()

    def read(self, limit):
        """The next message."""
        while b"\0" not in self.left:
            limit.wait_to_read(self.into)
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise Failure("the browser has ended")
            self.left += piece
        message, self.left = self.left.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **arguments):
        self.number += 1
        order = {"id": self.number, "method": method, "params": arguments}
        if getattr(self, "session", None):
            order["sessionId"] = self.session
        os.write(self.out, json.dumps(order).encode() + b"\0")
        limit = Limit("the browser's answer to " + method)
        while True:
            message = self.read(limit)
            if message.get("id") == self.number:
                if "error" in message:
                    raise Failure(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def wait(self, method, where=lambda params: True):
        """The first event of this name, since the last `open` or `forget`."""
        seen, limit = 0, Limit("the browser's " + method)
        while True:
            for event in self.events[seen:]:
                if event.get("method") == method and where(event["params"]):
                    return event["params"]
            seen = len(self.events)
            self.events.append(self.read(limit))

    def open(self, url):
        self.events = []
        self.ask("Page.navigate", url=url)
        self.wait("Page.loadEventFired")

    def value(self, script):
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failure(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def window(self, width, height, dark=False):
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.ask(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def screenshot(self, name, width, height, dark=False):
        self.window(width, height, dark)
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        with open(os.path.join(PICTURES, name + ".png"), "wb") as file:
            file.write(base64.b64decode(data))

    def troubles(self):
        """Errors, violations of the policy, and requests to elsewhere, since the last `open`."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                # Each page lacks an icon, and a page that says 404 is a failed request to the browser.
                text, url = params["entry"]["text"], params["entry"].get("url", "")
                if not ("status of 40" in text and (url.endswith("/favicon.ico") or "/s/" in url)):
                    found.append(f"{text} ({url})")
            elif method == "Runtime.exceptionThrown" or method == "Runtime.consoleAPICalled":
                found.append(str(params))
            elif method == "Audits.issueAdded" and params["issue"]["code"] == "ContentSecurityPolicyIssue":
                found.append(str(params["issue"]["details"]))
            elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(ORIGIN + "/"):
                found.append("a request to " + params["request"]["url"])
        return found


def call(route, argument, content=None):
    headers = {"Authorization": "Bearer " + TOKEN}
    if content is None:
        headers["Content-Type"], body = "application/json", json.dumps(argument).encode()
    else:
        headers |= {"Content-Type": "application/octet-stream", "Dropbox-API-Arg": json.dumps(argument)}
        body = content
    request = urllib.request.Request(ORIGIN + "/2/" + route, body, headers)
    # The certificate is the browser's business.
    with urllib.request.urlopen(request, timeout=LONGEST, context=ssl._create_unverified_context()) as reply:
        return json.load(reply)


def shared(path, content, **settings):
    call("files/upload", {"path": path, "mode": "overwrite"}, content)
    argument = {"path": path}
    if settings:
        argument["settings"] = settings
    return call("sharing/create_shared_link_with_settings", argument)["url"]


def picture(width, height):
    """A PNG: a sky over water, with a mark at the left end."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            sky = y < height // 2
            rows += bytes((255, 80, 0)) if x < height // 8 else bytes(
                (90 + 100 * x // width, 150, 230) if sky else (20, 60 + 80 * x // width, 110))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes(rows), 6)) + chunk(b"IEND", b""))


failed = 0


def check(words, body):
    global failed
    try:
        body()
        print("ok " + words, flush=True)
    except Exception as error:
        failed += 1
        print(f"FAILED {words}: {error}", flush=True)


def expect(condition, words):
    if not condition:
        raise Failure(words)


def expect_quiet(browser):
    troubles = browser.troubles()
    expect(not troubles, "; ".join(troubles[:5]))


def note(browser):
    browser.window(1100, 1000)
    browser.open(shared("/The pier.md", NOTE.encode()))
    expect(browser.value("document.querySelector('h1').textContent") == "The pier at low tide", "the note is not rendered")
    expect(browser.value("document.title") == "The pier.md", "the title is " + str(browser.value("document.title")))
    expect(browser.value("typeof window.pwned") == "undefined", "a script of the note has run")
    expect(browser.value("document.scripts.length + document.images.length + document.forms.length") == 0,
           "the note has made elements of its own")
    expect(browser.value("document.querySelectorAll('iframe, style:not(head style), object, embed').length") == 0,
           "the note has made elements of its own")
    expect(browser.value("getComputedStyle(document.body).maxWidth !== '' && document.body.offsetHeight > 300"),
           "the style does not count")
    expect(browser.value("[...document.links].map(a => a.protocol).sort().join()") == "https:,https:",
           "links lead elsewhere: " + str(browser.value("[...document.links].map(a => a.href).join()")))
    expect(browser.value("[...document.links].filter(a => a.origin !== location.origin).every(a => "
                         "a.relList.contains('noreferrer') && a.relList.contains('noopener'))"), "a link tells its page")
    expect_quiet(browser)
    browser.screenshot("note", 1100, 1000)
    browser.screenshot("note-dark", 1100, 1000, dark=True)
    browser.screenshot("note-phone", 390, 844)
    expect(browser.value("document.documentElement.scrollWidth <= 390"), "the page is wider than a phone")


def photo(browser, name, width, height):
    browser.window(1100, 800)
    browser.open(shared(f"/photos/{name}.png", picture(width, height)))
    expect(browser.value("document.images.length === 1 && document.images[0].complete && document.images[0].naturalWidth > 0"),
           "the picture is not shown")
    expect_quiet(browser)
    browser.screenshot(name, 1100, 800)
    browser.screenshot(name + "-phone-dark", 390, 844, dark=True)
    wide = browser.value("(box => box ? [box.scrollWidth > box.clientWidth, "
                         "document.documentElement.scrollWidth <= innerWidth] : [])(document.querySelector('.wide'))")
    expect(wide == ([True, True] if width > 2 * height else []), f"the panorama does not scroll: {wide}")


def download(browser):
    content = b"<script>alert(1)</script>" + bytes(range(256)) * 100
    browser.window(1100, 800)
    browser.open(shared('/photos/A "b" <c> ünï.html', content))
    browser.events = []
    browser.value("document.querySelector('a.button').click()")
    began = browser.wait("Browser.downloadWillBegin")
    browser.wait("Browser.downloadProgress", lambda params: params["state"] == "completed")
    names = os.listdir(browser.downloads)
    expect(len(names) == 1 and names[0].endswith("ünï.html"), f"the file has the name {began['suggestedFilename']}: {names}")
    with open(os.path.join(browser.downloads, names[0]), "rb") as file:
        expect(file.read() == content, "the bytes differ")


def type_password(browser, word):
    browser.events = []
    browser.value(f"document.querySelector('input[type=password]').value = {json.dumps(word)}; "
                  "document.querySelector('button').click()")
    browser.wait("Page.loadEventFired")


def password(browser):
    url = shared("/secret.png", picture(600, 400), require_password=True, link_password="low tide")
    browser.window(1100, 800)
    browser.open(url)
    expect("secret" not in browser.value("document.documentElement.outerHTML"), "the question names the file")
    expect_quiet(browser)
    browser.screenshot("question", 1100, 800)
    type_password(browser, "high tide")
    expect("wrong" in browser.value("document.body.textContent"), "a wrong password is not refused")
    expect_quiet(browser)
    browser.screenshot("question-wrong-phone", 390, 844)
    type_password(browser, "low tide")
    expect(browser.value("document.images.length === 1 && document.images[0].naturalWidth === 600"), "the picture is not shown")
    expect_quiet(browser)
    expect(browser.value("document.cookie") == "", "scripts could read the cookie")
    browser.open(url)
    expect(browser.value("document.images.length") == 1, "the cookie is not sent")


def gone(browser):
    url = shared("/gone.md", b"gone")
    call("sharing/revoke_shared_link", {"url": url})
    browser.window(1100, 800)
    for address in (url, ORIGIN + "/s/guess"):
        browser.open(address)
        expect("nothing here" in browser.value("document.body.textContent"), "the page says something else")
        expect_quiet(browser)
    browser.screenshot("gone", 1100, 800)


def drop(browser, folder):
    """As on a phone: two pictures and something else are chosen and sent by the form."""
    url = call("byteclub/drop_page", {"path": "/dropped"})["url"]
    contents = {"one.png": picture(600, 400), "two.png": picture(300, 800), "notes.txt": b"no picture"}
    for name, content in contents.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    browser.window(390, 844)
    browser.open(url)
    expect(browser.value("document.documentElement.scrollWidth <= 390"), "the form is wider than a phone")
    expect(browser.value("document.querySelector('button').getBoundingClientRect().bottom <= 844"), "Send is not in sight")
    expect_quiet(browser)
    browser.screenshot("drop-phone", 390, 844)
    browser.screenshot("drop-phone-dark", 390, 844, dark=True)
    browser.ask("DOM.enable")
    root = browser.ask("DOM.getDocument")["root"]["nodeId"]
    field = browser.ask("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
    browser.ask("DOM.setFileInputFiles", nodeId=field, files=[os.path.join(folder, name) for name in contents])
    browser.events = []
    browser.value("document.querySelector('input[name=name]').value = 'Mia <b>'; "
                  "document.querySelector('input[name=caption]').value = 'At the pier'; "
                  "document.querySelector('button').click()")
    browser.wait("Page.loadEventFired")
    said = browser.value("document.body.textContent")
    expect("2 pictures have come" in said and "notes.txt: it is no JPEG" in said, said)
    expect(browser.value("document.documentElement.scrollWidth <= 390"), "the answer is wider than a phone")
    expect_quiet(browser)
    browser.screenshot("drop-answer-phone", 390, 844)
    there = {entry["name"]: entry for entry in call("files/list_folder", {"path": "/dropped"})["entries"]}
    expect(sorted(there) == ["one.png", "one.png.md", "two.png", "two.png.md"], str(sorted(there)))
    expect(all(there[name]["size"] == len(contents[name]) for name in ("one.png", "two.png")), "the sizes differ")
    author = call("users/get_account", {"account_id": there["one.png"]["sharing_info"]["modified_by"]})
    expect(author["name"]["display_name"] == "Mia <b> (a guest of ann)", str(author))


def home(browser):
    browser.window(1100, 800)
    browser.open(ORIGIN + "/")
    expect("byteclub join" in browser.value("document.body.textContent"), "the page does not say how to join")
    expect_quiet(browser)
    browser.screenshot("home", 1100, 800)


SIZES = (("phone", 390, 844), ("wide", 1280, 800))


def looked_at(browser, name):
    """A picture of the page in each size, light and dark; none is scrolled sideways."""
    # Decoding waits for the pictures to come, and fails for one that is missing.
    browser.window(*SIZES[1][1:])
    shown = browser.ask("Runtime.evaluate", awaitPromise=True, returnByValue=True,
                        expression="Promise.all([...document.images].map(i => (i.loading = 'eager', i.decode())))")
    expect("exceptionDetails" not in shown, f"a picture of {name} is missing")
    for size, width, height in SIZES:
        for dark in (False, True):
            browser.screenshot(f"club-{name}-{size}{'-dark' if dark else ''}", width, height, dark)
        expect(browser.value(f"document.documentElement.scrollWidth <= {width}"), f"{name} is wider than {width}")
    expect_quiet(browser)


def press(browser, key, code, text=""):
    arguments = {"key": key, "code": key, "windowsVirtualKeyCode": code}
    browser.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **arguments)
    browser.ask("Input.dispatchKeyEvent", type="keyUp", **arguments)


def go_to(browser, where):
    """Tab by tab to the element for which the expression `where` is true."""
    for _ in range(60):
        if browser.value(f"(e => {where})(document.activeElement)"):
            return
        press(browser, "Tab", 9)
    raise Failure("Tab does not lead to " + where)


def enter(browser):
    browser.events = []
    press(browser, "Enter", 13, "\r")
    browser.wait("Page.loadEventFired")


def club(browser):
    call("files/upload", {"path": "/Low tide.md", "mode": "overwrite"}, NOTE.encode())
    call("files/upload", {"path": "/photos/pano.png", "mode": "overwrite"}, picture(3000, 500))
    for number in range(7):
        call("files/upload", {"path": f"/photos/p{number}.png", "mode": "overwrite"}, picture(500 + 60 * number, 600))
    browser.open(ORIGIN + "/join")
    looked_at(browser, "join")
    go_to(browser, "e.name === 'code'")
    browser.ask("Input.insertText", text=call("byteclub/device_code", None)["code"])
    enter(browser)
    expect(browser.value("location.pathname") == "/club/", "the code did not open the club")
    expect(browser.value("document.cookie") == "", "scripts could read the cookie")
    looked_at(browser, "new")
    for tab in ("Notes", "Photos"):
        go_to(browser, f"e.textContent === '{tab}'")
        enter(browser)
        looked_at(browser, tab.lower())
    for name in ("pano", "p3"):
        browser.open(ORIGIN + f"/club/photos/photos/{name}.png")
        expect(browser.value("document.images[0].naturalWidth > 0"), "the picture is not shown")
        looked_at(browser, name)
    browser.open(ORIGIN + "/club/notes/")
    go_to(browser, "e.type === 'search'")
    browser.ask("Input.insertText", text="ladder")
    enter(browser)
    expect(browser.value("document.querySelectorAll('main li').length") >= 1, "the search finds nothing")
    go_to(browser, "e.textContent === 'Low tide.md'")
    enter(browser)
    for words, start in (("Seen it, too.", None), ("When was that?\n\nOn a Sunday?", "Answer")):
        if start:
            go_to(browser, f"e.textContent === '{start}'")
            enter(browser)
        go_to(browser, "e.name === 'text'")
        browser.ask("Input.insertText", text=words)
        press(browser, "Tab", 9)
        enter(browser)
    said = browser.value("[...document.querySelectorAll('.said')].map(e => e.textContent).join('|')")
    expect("Seen it, too.|When was that?" in said, f"the remarks are {said}")
    expect(browser.value("typeof window.pwned") == "undefined", "a script of the note has run")
    looked_at(browser, "note")
    go_to(browser, "e.textContent === 'Bring photos'")
    enter(browser)
    looked_at(browser, "bring")
    files = []
    for number in range(3):
        files.append(os.path.join(PICTURES, f"own{number}.png"))
        with open(files[-1], "wb") as file:
            file.write(picture(200 + number, 100))
    root = browser.ask("DOM.getDocument")["root"]["nodeId"]
    field = browser.ask("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
    browser.ask("DOM.setFileInputFiles", nodeId=field, files=files)
    go_to(browser, "e.textContent === 'Send'")
    enter(browser)
    expect("3 pictures have come" in browser.value("document.body.textContent"), "the pictures have not come")
    looked_at(browser, "brought")
    go_to(browser, "e.textContent === 'Leave'")
    enter(browser)
    browser.open(ORIGIN + "/club/")
    expect(browser.value("location.pathname") == "/join", "the session goes on")


def main():
    folder = tempfile.mkdtemp()
    browser = Browser(folder)
    try:
        check("a note is rendered, and nothing in it runs, loads or leads astray", lambda: note(browser))
        check("a photo is shown", lambda: photo(browser, "photo", 1200, 900))
        check("a panorama is wide and scrolls", lambda: photo(browser, "panorama", 3000, 500))
        check("the download has the right bytes and name", lambda: download(browser))
        check("the question for the password works without a script", lambda: password(browser))
        check("revoked and guessed links show the one page", lambda: gone(browser))
        check("a phone sends two pictures by a drop page", lambda: drop(browser, folder))
        check("a member joins, reads, answers and sends photos by keyboard", lambda: club(browser))
        check("the server's address says what it is", lambda: home(browser))
    finally:
        browser.end()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


main()
