import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Links, tags and pictures of a rendered note.
@Suite struct NoteLinkTests {
  private func reading(_ text: String, notes: [String] = ["a.md", "b.md", "to do.md"]) -> Robot {
    let robot = Robot(notes: notes)
    robot.happen(.asked(Samples.path("a.md")))
    robot.happen(.opened(Samples.note("a.md", text), .read))
    robot.take()
    return robot
  }

  /// The text that is shown in reverse.
  private func focused(_ robot: Robot) -> String {
    var text = ""
    for y in 2..<robot.grid.size.height - 1 {
      let row = Array(robot.grid.text(ofRow: y))
      for x in row.indices where robot.grid[x, y].style.attributes.contains(.reverse) { text.append(row[x]) }
    }
    return text
  }

  @Test func `Tab and Shift-Tab go from link to link and from box to box, and scroll to them`() {
    let gap = String(repeating: "word\n\n", count: 40)
    let robot = reading("- [ ] box\n- one [[b]]\n\n\(gap)see ![pier](photos/p.jpg), #tag and <https://club.example>\n")
    var seen: [String] = []
    for _ in 0..<5 {
      robot.press("Tab")
      seen.append(focused(robot))
    }
    #expect(seen == ["☐ ", "b", "▣ pier", "#tag", "https://club.example"])
    #expect(robot.notice == nil)
    robot.press("Tab")
    #expect(robot.notice == "No link or check box below.")
    robot.press("Shift-Tab", "Shift-Tab", "Shift-Tab")
    #expect(focused(robot) == "b")
    #expect(robot.footer.contains("Enter follow"))
    robot.press("Shift-Tab", "Shift-Tab")
    #expect(robot.notice == "No link or check box above.")
    #expect(robot.footer.contains("Space toggle"))
  }

  @Test(arguments: [
    ("[[b]]", "b.md"), ("[[to do|list]]", "to do.md"), ("[list](to%20do.md)", "to do.md"), ("[b](./b.md)", "b.md"),
    ("[b](<b>)", "b.md"),
  ])
  func `Enter follows a link to a note, and Backspace comes back to the same place`(link: String, note: String) {
    let gap = String(repeating: "word\n\n", count: 40)
    let robot = reading("\(gap)here: \(link)\n\n\(gap)")
    robot.press("Tab")
    let before = robot.screen
    robot.press("Enter")
    #expect(robot.view == "opening" && robot.take() == ["run open \(note) to read [notes.open]"])
    robot.happen(.opened(Samples.note(note, "arrived"), .read))
    #expect(robot.screen.contains("arrived"))
    robot.press("Backspace")
    #expect(robot.screen == before && robot.take() == ["run open a.md to reread [notes.open]"])
    robot.press("Backspace")
    #expect(robot.notice == "No link led here. Esc leads back to the list." && robot.view == "reader")
  }

  @Test func `a note that others changed while a linked one was read is shown as it is now`() {
    let robot = reading("see [[b]]")
    robot.press("Tab", "Enter")
    robot.happen(.opened(Samples.note("b.md", "arrived"), .read))
    robot.press("Backspace")
    robot.happen(.opened(Samples.note("a.md", "new text, see [[b]]", revision: "r2"), .reread))
    #expect(robot.screen.contains("new text") && robot.notice == "\"a.md\" has changed. This is the new text.")
  }

  @Test func `terminals may open only the links that byteclub itself would open`() {
    let robot = reading(
      "[site](https://club.example/ä) <ann@club.example> [[b]] [b](b.md) #tag\n\n"
        + "[file](file:///etc/passwd) [js](javascript:alert(1)) [name](https://bank.example@evil.example/)\n")
    var linked: [String: String] = [:]
    let grid = robot.grid
    for y in 0..<grid.size.height {
      for x in 0..<grid.size.width {
        if let address = grid.links[grid[x, y].link] { linked[address, default: ""] += grid[x, y].text }
      }
    }
    #expect(linked == ["https://club.example/%C3%A4": "site", "mailto:ann@club.example": "ann@club.example"])
  }

  @Test func `a link to a heading goes there, in this note and in another`() {
    let gap = String(repeating: "word\n\n", count: 40)
    let text = "[down](#the-far-end) and [[b#The far end]] and [x](#nowhere)\n\n\(gap)## The far *end*\n\n\(gap)"
    let robot = reading(text)
    robot.press("Tab", "Enter")
    #expect(robot.grid.text(ofRow: 2) == " The far end" && robot.take().isEmpty)
    robot.press("g", "Tab", "Enter")
    robot.happen(.opened(Samples.note("b.md", text), .read))
    #expect(robot.grid.text(ofRow: 2) == " The far end")
    robot.press("Backspace", "Tab", "Enter")
    #expect(robot.notice == "This note has no heading \"nowhere\".")
  }

  @Test(arguments: ["[[TO DO]]", "[x](To%20Do.md)", "[[To do#x]]"])
  func `a link in another letter case leads to the only note of that name`(link: String) {
    let robot = reading(link)
    robot.press("Tab", "Enter")
    #expect(robot.view == "opening" && robot.take() == ["run open to do.md to read [notes.open]"])
  }

  @Test(arguments: [(["A.md"], false), (["b.md"], true), ([], true)])
  func `a link in another letter case is to no note where two have that name`(others: [String], isLink: Bool) {
    let (target, path) = (Samples.path("a.md"), Samples.path("c.md"))
    func links(_ text: String) -> Int {
      let notes = [target, path] + others.map(Samples.path)
      return NoteBacklink.links(to: target, among: LinkPaths(notes), in: Array(text.utf8), of: path).count
    }
    #expect(links("[[a]]") == 1)
    #expect(links("[[A.MD]]") == (isLink ? 1 : 0))
  }

  @Test func `a link to a missing note is paler than others`() {
    let robot = reading("[[b]] [[nobody]] [x](B.md) [y](https://club.example)")
    let row = Array(robot.grid.text(ofRow: 2))
    #expect(String(row) == " b nobody x y")
    let styles = [1, 3, 10, 12].map { robot.grid[$0, 2].style }
    #expect(styles[0] == styles[2] && styles[0] == styles[3] && styles[0] != styles[1])
    #expect(styles[1].attributes.contains(.underline))
  }

  @Test func `a link to a missing note is as the others once the list has the note, and pale when it is gone`() {
    let robot = reading("[[b]] [[nobody]]")
    func isPale() -> Bool { robot.grid[1, 2].style != robot.grid[3, 2].style }
    #expect(isPale())
    func change(_ change: ChangeSet.Change) {
      robot.happen(.changed(ChangeSet(changes: [change], cursor: ChangeCursor("1"))))
    }
    change(.present(Samples.entry("Nobody.md")))
    #expect(!isPale())
    change(.absent(Samples.path("Nobody.md")))
    #expect(isPale())
  }

  @Test func `the list is asked once for each name that a link may mean`() {
    let names = AlikeNames()
    var asked = 0
    func item(_ name: String, _ found: Int?) -> Int? {
      names.item(of: name) {
        asked += 1
        return found
      }
    }
    for _ in 0..<3 {
      #expect(item("Nobody", nil) == nil)
      #expect(item("TO DO", 2) == 2)
    }
    #expect(asked == 2)
  }

  @Test func `Enter on the mark of a footnote goes to its text, and from there back`() {
    let gap = String(repeating: "word\n\n", count: 40)
    let robot = reading("one[^a]\n\n\(gap)[^a]: The text.\n")
    robot.press("Tab")
    #expect(focused(robot) == "[1]")
    robot.press("Enter")
    #expect(robot.screen.contains("[1] The text.") && !robot.screen.contains("one[1]"))
    #expect(focused(robot) == "[1] ")
    robot.press("Enter")
    #expect(robot.screen.contains("one[1]") && focused(robot) == "[1]")
  }

  @Test(arguments: ["[[ticket.pdf]]", "[a](maps/life.canvas)", "[[files/x.zip|the files]]"])
  func `a link to a file that is no note offers no note of its name`(text: String) {
    let robot = reading(text)
    robot.press("Tab", "Enter")
    #expect(robot.question == nil && robot.notice?.contains("is neither") == true && robot.take().isEmpty)
  }

  @Test func `a link to a missing note offers to write it`() {
    let robot = reading("[[Nobody knows]]")
    robot.press("Tab", "Enter")
    #expect(robot.question == "The club has no note \"Nobody knows\". Write it?" && robot.view == "reader")
    robot.press("n")
    #expect(robot.view == "reader" && robot.take().isEmpty)
    robot.press("Enter", "y")
    #expect(robot.view == "form" && robot.screen.contains("Nobody knows"))
    robot.type("hello")
    robot.press("Ctrl-Q")
    #expect(robot.take().last?.hasPrefix("run create Nobody knows: ") == true)
    robot.happen(.saved(nil, .saved(Samples.entry("Nobody knows.md")), session: 1))
    #expect(robot.view == "reader" && robot.notice == "Saved \"Nobody knows.md\".")
    robot.press("Enter")
    #expect(robot.take().last == "run open Nobody knows.md to read [notes.open]")
  }

  @Test(arguments: ["https://club.example/a?b=c", "http://club.example", "mailto:ann@club.example"])
  func `an address of the web opens after a question that shows it`(address: String) {
    let robot = reading("[my bank](\(address))")
    robot.press("Tab", "Enter")
    #expect(robot.question == "Open \"\(address)\"?" && robot.take().isEmpty)
    robot.press("Esc")
    #expect(robot.take().isEmpty)
    robot.press("Enter", "y")
    #expect(robot.take() == ["run open \(address)"])
  }

  @Test(arguments: [
    "http:foo", "https:///x", "https://bank.example@club.example/", "mailto:", "file:///etc/passwd",
    "javascript:alert(1)", "/etc/passwd", "ftp://club.example", "data:text/html,x", "vscode:x",
  ])
  func `other addresses are refused`(address: String) {
    let robot = reading("[pier](\(address))")
    robot.press("Tab", "Enter")
    #expect(robot.question == nil && robot.take().isEmpty && robot.view == "reader")
    #expect(
      robot.notice
        == "byteclub opens links to http and https (without a user's name), to mailto and to files of the club. "
        + "This is \"\(address)\".")
  }

  @Test(arguments: [
    ("mailto:ann@club.example?subject=a&attach=/etc/passwd", "mailto:ann@club.example?subject=a"),
    ("mailto:ann@club.example?%61ttach=/etc/passwd", "mailto:ann@club.example"),
    (
      "mailto:ann@club.example?Attachment=x&cc=bob@club.example&body=b",
      "mailto:ann@club.example?cc=bob@club.example&body=b"
    ),
  ])
  func `a mail has no attachments`(address: String, opened: String) {
    let robot = reading("[ann](\(address))")
    robot.press("Tab", "Enter")
    #expect(robot.question == "Open \"\(opened)\"?")
    robot.press("y")
    #expect(robot.take() == ["run open \(opened)"])
  }

  @Test func `the question shows the whole of a long address`() {
    let address =
      "https://" + String(repeating: "part.", count: 20) + "club.example/" + String(repeating: "x", count: 60)
    let robot = reading("[my bank](\(address))")
    robot.resize(40, 12)
    robot.press("Tab", "Enter")
    let rows = (0..<12).map { robot.grid.text(ofRow: $0).dropFirst() }
    #expect(rows.joined().contains("Open \"\(address)\"?"))
    #expect(robot.footer.hasPrefix(" y open with"))
    let long = reading("[my bank](https://club.example/\(String(repeating: "x", count: 5000)))")
    long.resize(40, 12)
    long.press("Tab", "Enter")
    #expect(long.screen.contains("Open \"https://club.example/") && long.screen.contains("~\"?"))
    #expect(long.footer.hasPrefix(" y open with"))
  }

  @Test(arguments: [
    ("![[a#b.jpg]]", "a#b.jpg"), ("![[100%25.jpg]]", "100%25.jpg"), ("![x](a%23b.jpg)", "a#b.jpg"),
  ])
  func `a wiki picture names its file as it is`(link: String, path: String) {
    let robot = reading("see \(link)")
    robot.press("Tab", "Enter")
    #expect(robot.view == "viewer" && robot.take().contains { $0.hasPrefix("run view \(path)") })
  }

  @Test func `while the list of notes is still read, a link offers no new note`() {
    let robot = Robot()
    robot.happen(.asked(Samples.path("a.md")))
    robot.happen(.opened(Samples.note("a.md", "[[b]]"), .read))
    robot.press("Tab", "Enter")
    #expect(robot.question == nil && robot.view == "reader")
    #expect(robot.notice == "byteclub has not read the list of notes yet. Follow the link again in a moment.")
  }

  @Test func `a link to a heading goes there in a text that waits to be sent`() {
    let gap = String(repeating: "word\n\n", count: 40)
    let robot = reading("[[b#Far]] [[b#nowhere]]")
    let waiting = Samples.waiting("b.md", kind: .toSend)
    robot.happen(.waiting([waiting]))
    let text = Array("\(gap)# Far\n\n\(gap)".utf8)
    robot.press("Tab", "Enter")
    robot.happen(.readWaiting(waiting, text))
    #expect(robot.view == "reader" && robot.grid.text(ofRow: 2) == " Far")
    robot.press("Backspace", "Tab", "Enter")
    robot.happen(.readWaiting(waiting, text))
    #expect(robot.notice == "\"b.md\" has no heading \"nowhere\".")
  }

  @Test func `the way back through links has an end, and a size reaches a note when it is on top again`() {
    let robot = reading("see [[b]] " + String(repeating: "word ", count: 60))
    for step in 0..<40 {
      let (from, to) = step.isMultiple(of: 2) ? ("a", "b") : ("b", "a")
      robot.press("Tab", "Enter")
      robot.happen(.opened(Samples.note("\(to).md", "see [[\(from)]] " + String(repeating: "word ", count: 60)), .read))
    }
    #expect(robot.state.notes.views.count == 24)
    robot.resize(40, 12)
    robot.press("Backspace")
    #expect(robot.state.notes.reader?.size == robot.state.frame.viewSize)
  }

  @Test func `a path that leaves the club is refused`() {
    let robot = reading("![pier](../../secret.jpg)")
    robot.press("Tab", "Enter")
    #expect(robot.notice == "\"../../secret.jpg\" is not a path of the club." && robot.take().isEmpty)
  }

  @Test func `a tag filters the list by the notes that have it`() {
    let robot = reading("about #piers")
    robot.press("Tab", "Enter")
    #expect(robot.take().contains("run search tag:piers [notes.search]") && robot.view.isEmpty)
  }

  @Test func `Enter on a picture opens the viewer, and closing it leads back to the note`() {
    let robot = reading("![pier](photos/pier%20one.jpg)")
    robot.press("Tab")
    let before = (1..<24).map { robot.grid.text(ofRow: $0) }
    robot.press("Enter")
    #expect(robot.view == "viewer" && robot.state.tab == .photos)
    #expect(robot.take().contains { $0.hasPrefix("run view photos/pier one.jpg") })
    robot.press("Esc")
    #expect((1..<24).map { robot.grid.text(ofRow: $0) } == before)
    #expect(robot.state.tab == .notes && robot.view == "reader")
    // A photo that the member opens in its own tab stays there.
    robot.press("2")
    robot.happen(.photos(.listed(Samples.table(["pier.jpg"], folder: "photos"))))
    robot.press("Enter", "Esc")
    #expect(robot.state.tab == .photos && robot.view.isEmpty)
  }

  @Test func `a press on a link follows it`() {
    let robot = reading("see [[b]] or not")
    robot.mouse(.press, 9, 2)
    #expect(robot.take().isEmpty)
    robot.mouse(.press, 5, 2)
    #expect(robot.take() == ["run open b.md to read [notes.open]"])
  }

  @Test func `without a link in focus, Enter edits and Space goes a page down`() {
    let robot = reading("see [[b]]\n\n" + String(repeating: "word\n\n", count: 40))
    robot.press("Space")
    #expect(!robot.screen.contains("see b"))
    robot.press("Enter")
    #expect(robot.view == "editor")
  }

  @Test func `Ctrl-N and Ctrl-P open the neighbours in the list`() {
    let robot = reading("first")
    robot.press("Ctrl-P")
    #expect(robot.notice == "This is the first note of the list.")
    robot.press("Ctrl-N")
    #expect(robot.take().last == "run open b.md to read [notes.open]" && robot.chosen == "b.md")
    robot.happen(.opened(Samples.note("b.md", "second"), .read))
    robot.press("Ctrl-N")
    robot.happen(.opened(Samples.note("to do.md", "third"), .read))
    robot.press("Ctrl-N")
    #expect(robot.notice == "This is the last note of the list.")
    robot.press("Ctrl-P", "Esc", "Esc")
    #expect(robot.view.isEmpty && robot.chosen == "b.md")
  }

  @Test func `a note that the filter hides has no neighbours, and the selection stays`() {
    let robot = Robot(notes: ["a.md", "b.md", "to do.md"])
    robot.press("/")
    robot.type("to")
    robot.press("Enter")
    robot.happen(.asked(Samples.path("a.md")))
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.take()
    robot.press("Ctrl-N")
    #expect(robot.notice == "\"a.md\" is not in the list as it is now, so it has no neighbours.")
    #expect(robot.take().isEmpty && robot.view == "reader" && robot.chosen == "to do.md")
  }

  @Test func `a search closes the view of backlinks and stops reading for it`() {
    let robot = reading("text")
    robot.press("B")
    robot.take()
    robot.happen(.files(.sought("#piers")))
    #expect(robot.view.isEmpty && robot.take().contains { $0.contains("notes.backlinks") })
  }

  @Test func `H shows the history of the note that is read, and Esc comes back to it`() {
    let robot = reading("text")
    robot.press("H")
    #expect(robot.view == "history" && robot.take() == ["run history of a.md [notes.history]"])
    robot.press("Esc")
    #expect(robot.view == "reader")
  }

  @Test func `D asks, and moves the note that is read to the trash`() {
    let robot = reading("text")
    robot.press("D")
    #expect(robot.question == "Move \"a.md\" to the trash?")
    robot.press("n")
    #expect(robot.view == "reader" && robot.take().isEmpty)
    robot.press("D", "y")
    #expect(robot.view == "reader" && robot.take() == ["run trash a.md"])
    let error = StoreError(.notPermitted, "\"a.md\" is not yours.")
    robot.happen(.files(.trashed([], failed: [FileFailure(Samples.path("a.md"), error)])))
    #expect(robot.view == "reader" && robot.screen.contains("text"))
    robot.press("D", "y")
    robot.happen(.files(.trashed([Samples.trashed("a.md")])))
    #expect(robot.view.isEmpty && robot.rows == ["b.md", "to do.md"])
  }

  @Test func `R renames the note that is read, in the list, even where a filter hides it`() {
    let robot = Robot(notes: ["a.md", "b.md", "to do.md"])
    robot.press("/")
    robot.type("to")
    robot.press("Enter")
    robot.happen(.asked(Samples.path("a.md")))
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.press("R")
    #expect(robot.view == "rename" && robot.chosen == "a.md")
    robot.type("x")
    robot.press("Enter")
    #expect(robot.take().contains("run rename a.md to a.mdx"))
  }

  @Test func `B lists the links of other notes, and Enter opens one at its line`() {
    let robot = reading("text")
    robot.press("B")
    #expect(robot.view == "backlinks" && robot.take() == ["run backlinks of a.md [notes.backlinks]"])
    robot.happen(.backlinksSought(Samples.path("a.md"), unread: 800, of: 2000))
    #expect(robot.screen.contains("1,200 of 2,000 notes read") && robot.screen.contains("Loading."))
    robot.happen(.backlinksSought(Samples.path("b.md"), unread: 1, of: 2))
    #expect(robot.screen.contains("1,200 of 2,000 notes read"))
    let text =
      "# B\n\n" + String(repeating: "word\n\n", count: 40)
      + "see [[A]], [a](./a.md#x), [a](a) and [[a]]\n\nnot [c](c.md) ![[a]] #a\n"
    let path = Samples.path("b.md")
    let target = Samples.path("a.md")
    let links = NoteBacklink.links(to: target, among: LinkPaths([target, path]), in: Array(text.utf8), of: path)
    // An embedded note is a link to it, too.
    #expect(links.map(\.line) == [82, 84])
    robot.happen(.backlinksFound(Samples.path("a.md"), FoundBacklinks(links: links)))
    #expect(robot.screen.contains("83  see [[A]], [a](./a.md#x)"))
    robot.press("Enter")
    #expect(robot.take() == ["run open b.md to read [notes.open]"])
    robot.happen(.opened(Samples.note("b.md", text), .read))
    #expect(robot.screen.contains("see A, a, a and a"))
    robot.press("Esc", "Backspace")
    #expect(robot.view == "reader" && robot.screen.contains("a.md"))
    robot.press("B")
    robot.happen(.backlinksFound(Samples.path("a.md"), FoundBacklinks(links: [])))
    #expect(robot.screen.contains("No other note links here."))
    robot.press("Esc", "B")
    robot.happen(.backlinksFound(Samples.path("a.md"), FoundBacklinks(links: [], unread: 3)))
    #expect(robot.screen.contains("byteclub could not read 3 notes.\n"))
    #expect(robot.screen.contains("No link found in the other notes.") && !robot.screen.contains("No other note"))
    robot.press("Esc", "B")
    robot.happen(.backlinksFound(Samples.path("a.md"), FoundBacklinks(links: links, unread: 1, isCut: true)))
    #expect(robot.screen.contains("Only 2 links are listed. byteclub could not read 1 note."))
    #expect(robot.screen.contains(" > b.md") && robot.screen.contains("83  see"))
    robot.press("Esc")
    #expect(robot.view == "reader")
    robot.press("B")
    robot.happen(.failed(.backlinks(Samples.path("a.md")), StoreError(.offline, "The store is away.")))
    #expect(
      robot.notice == "byteclub could not look for links to \"a.md\". The store is away." && robot.view == "reader")
  }

  @Test(arguments: [
    (Scene.outline, "The outline of a note", "Enter", "go to the heading", "reader"),
    (.backlinks, "The links to a note", "Enter", "open the note at its link", "opening"),
  ])
  func `the help in the outline and in the backlinks begins with the keys that work there`(
    _ row: (scene: Scene, title: String, key: String, help: String, view: String)
  ) throws {
    let robot = row.scene.robot(Size(80, 40))
    robot.press("?")
    let lines = (0..<40).map { robot.grid.text(ofRow: $0).filter { !" >".contains($0) } }
    func line(_ text: String) throws -> Int {
      try #require(lines.firstIndex { $0.hasPrefix(text.filter { $0 != " " }) }, "\(text)")
    }
    let own = try line(row.title)
    #expect(try line(row.key + row.help) == own + 1)
    let moving = try line("Moving in a list")
    #expect(own < moving)
    #expect(try moving < line("Everywhere"))
    #expect(!robot.screen.contains("mark for actions"))
    robot.type(row.help)
    robot.press("Enter")
    #expect(robot.view == row.view && robot.notice == nil)
  }

  @Test(arguments: [Scene.outline, .backlinks])
  func `keys for files do nothing in the outline and in the backlinks, and say so`(scene: Scene) {
    let robot = scene.robot()
    robot.take()
    for key in ["s", "M", "o", "y", "Space"] {
      robot.press(key)
      #expect(robot.view == scene.rawValue && robot.take().isEmpty && robot.notice?.contains(key) == true, "\(key)")
    }
  }

  @Test func `the outline lists the headings, and Enter goes to one`() {
    let gap = String(repeating: "word\n\n", count: 40)
    let robot = reading("# One\n\n\(gap)## Two *parts*\n\n\(gap)# Three\n\n\(gap)")
    robot.press("O")
    #expect(robot.view == "outline" && robot.screen.contains(" > One") && robot.screen.contains("Two parts"))
    robot.press("j", "Enter")
    #expect(robot.view == "reader" && robot.grid.text(ofRow: 2) == " Two parts")
    robot.press("O")
    #expect(robot.screen.contains(" >   Two parts"))
    robot.press("Esc")
    #expect(robot.view == "reader" && robot.grid.text(ofRow: 2) == " Two parts")
    let plain = reading("no headings")
    plain.press("O")
    #expect(plain.view == "reader" && plain.notice == "This note has no headings.")
  }
}
