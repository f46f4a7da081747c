import Foundation
import TestKit
import Testing

/// Notes in folders, by the commands of the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct FolderVerbTests {
  private func home() throws -> CommandLineHome {
    let home = try CommandLineHome()
    for (name, text) in [
      ("index.md", "top\n"), ("trips/oslo.md", "fjord\n"), ("trips/2026/bergen.md", "rain\n"),
      ("yard/todo.md", "one\n"),
      ("trips/todo.md", "two\n"), ("trips/map.bin", "x"), ("raw/only.bin", "x"), (".obsidian/app.md", "x"),
    ] {
      try home.write(text.utf8, to: "ByteClub/\(name)")
    }
    return home
  }

  @Test func `folders stand first with the number of their notes, hidden ones and those without notes do not`() throws {
    let home = try home()
    #expect(try home.run("note", "ls").text == "trips/  3\nyard/  1\nindex.md\n")
    #expect(try home.run("note", "ls", "TRIPS").text == "trips/2026/  1\ntrips/oslo.md\ntrips/todo.md\n")
    let all = "index.md\ntrips/2026/bergen.md\ntrips/oslo.md\ntrips/todo.md\nyard/todo.md\n"
    #expect(try home.run("note", "ls", "-r").text == all)
    #expect(try home.run("note", "ls", "-r", "-z").text == all.replacing("\n", with: "\0"))
    #expect(try home.run("note", "ls", "-z").text == "index.md\0")
    let long = try home.run("note", "ls", "--long").text.split(separator: "\n")
    #expect(long.count == 3 && long[0].hasPrefix("   3 notes  2") && long[0].hasSuffix("Z  trips/"))
    let json = try home.run("note", "ls", "--json").text
    #expect(json.contains(#"{"name":"trips","path":"trips","kind":"folder","notes":3,"modified":""#))
    #expect(json.contains(#"{"name":"index.md","path":"index.md","size":4"#))
    let missing = try home.run("note", "ls", "gone")
    #expect(missing.status == 4 && missing.said.contains("The club has no folder \"gone\"."))
  }

  @Test func `notes below more than sixty-four folders are not listed, which a list above them says`() throws {
    let home = try home()
    try home.write("x".utf8, to: "ByteClub/\(String(repeating: "d/", count: 65))a.md")
    let sentence = "1 folder lies below 64 others, and the notes in it are not listed.\n"
    #expect(try home.run("note", "ls").said == sentence)
    #expect(try home.run("note", "ls", "-r").said == sentence)
    #expect(try home.run("note", "ls", "trips").said.isEmpty)
    #expect(try home.run("note", "ls", "--json").said.isEmpty)
  }

  @Test func `a folder whose path is too long for the disk is named by an export, which goes on`() throws {
    let home = try home()
    let name = String(repeating: "q", count: 250)
    func chain(_ count: Int) -> String { Array(repeating: name, count: count).joined(separator: "/") }
    // No call takes the whole path: a part of it is moved into the other one.
    let (outer, inner) = ("\(home.path)/ByteClub/\(chain(8))", "\(home.path)/inner")
    for folder in [outer, "\(inner)/\(chain(12))"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try FileManager.default.moveItem(atPath: "\(inner)/\(name)", toPath: "\(outer)/\(name)")
    let export = try home.run("club", "export", "\(home.path)/copy")
    #expect(export.status != 0 && home.read("copy/index.md") == Array("top\n".utf8), "\(export.said)")
    #expect(export.said.contains("q\" is too long for this disk. Put it into fewer folders."), "\(export.said)")
    #expect(export.said.contains("qqq…qqq") && export.said.utf8.count < 1000, "\(export.said)")
    #expect(try !home.run("doctor").text.contains("WRONG Club"))
  }

  @Test func `a text for a path below thousands of folders is refused, and kept as a draft of its name`() throws {
    let home = try home()
    let put = try home.run("note", "put", String(repeating: "a/", count: 10_000) + "a", input: "x\n")
    #expect(put.status == 1 && put.said.contains("a/…"), "\(put.said.prefix(400))")
    #expect(put.said.contains("\" is too long for this disk. Put it into fewer folders."))
    #expect(put.said.utf8.count < 800, "\(put.said.prefix(1000))")
    let drafts = try home.run("draft", "ls").text
    #expect(drafts.contains("a.md") && !drafts.contains("a/a"), "\(drafts.prefix(400))")
  }

  @Test func `a rename to the same name says that it has that name`() throws {
    let home = try home()
    let same = try home.run("note", "mv", "trips/oslo.md", "trips/oslo.md")
    #expect(same.status == 0 && same.said == "\"trips/oslo.md\" has that name and place already.\n")
  }

  @Test func `a flat club is listed as it was, also with folders of other files`() throws {
    let home = try CommandLineHome()
    for name in ["b.md", "a.txt", "raw/x.bin", "photos/p.jpg"] { try home.write("x".utf8, to: "ByteClub/\(name)") }
    #expect(try home.run("note", "ls").text == "a.txt\nb.md\n")
    #expect(try home.run("note", "ls", "-z").text == "a.txt\0b.md\0")
  }

  @Test func `with the setting off, only the notes at the top are there`() throws {
    let home = try home()
    let off = ["BYTECLUB_NOTES_FOLDERS": "false"]
    #expect(try home.run("note", "ls", variables: off).text == "index.md\n")
    #expect(try home.run("note", "cat", "oslo", variables: off).status == 4)
    #expect(try home.run("note", "put", "trips/new", input: "x", variables: off).status == 1)
    #expect(try home.run("search", "fjord", variables: off).status == 4)
    let list = try home.run("note", "ls", "trips", variables: off)
    #expect(list.status == 1 && list.said.contains("folders of notes are off (notes.folders is false)"), "\(list.said)")
    #expect(!list.said.contains("note.md"))
  }

  @Test func `a note is found by its path, in another letter case, and by its name alone if that is unique`() throws {
    let home = try home()
    for name in ["trips/oslo.md", "trips/oslo", "Trips/OSLO", "/trips/oslo", "oslo", "Oslo.md"] {
      #expect(try home.run("note", "cat", name).text == "fjord\n", "\(name)")
    }
    #expect(try home.run("note", "cat", "2026/bergen").text == "rain\n")
    let several = try home.run("note", "cat", "todo")
    #expect(several.status == 1)
    #expect(several.said.contains("2 notes are named \"todo\": \"trips/todo.md\", \"yard/todo.md\"."))
    #expect(try home.run("note", "cat", "yard/todo").text == "one\n")
    for verb in ["history", "show"] { #expect(try home.run("note", verb, "oslo").status == 0, "\(verb)") }
    // A verb that takes a note away finds none by another letter case.
    #expect(try home.run("note", "rm", "OSLO").status == 4)
    #expect(try home.run("note", "cat", "trips/map.bin").status == 4)
    #expect(try home.run("note", "cat", "../secret").status == 1)
  }

  @Test func `put makes the folders of a new note, and replaces no note of that name elsewhere`() throws {
    let home = try home()
    let put = try home.run("note", "put", "Trips/2027/rome", input: "sun\n")
    #expect(put.status == 0 && put.said == "Saved \"trips/2027/rome.md\".\n")
    #expect(home.read("ByteClub/trips/2027/rome.md") == Array("sun\n".utf8))
    #expect(try home.run("note", "put", "TRIPS/oslo", input: "new\n").status == 0)
    #expect(home.read("ByteClub/trips/oslo.md") == Array("new\n".utf8))
    #expect(try home.run("note", "put", "oslo", input: "top\n").said == "Saved \"oslo.md\".\n")
    #expect(home.read("ByteClub/trips/oslo.md") == Array("new\n".utf8))
    #expect(try home.run("note", "append", "bergen", input: "wind\n").said == "Added to \"trips/2026/bergen.md\".\n")
    for name in [".hidden/x", "trips/.x", "photos/x", "trips//x", "trips/", "trips/x.bin"] {
      #expect(try home.run("note", "put", name, input: "x").status == 1, "\(name)")
    }
  }

  @Test func `notes move into folders and out, with their remarks; a folder is renamed with all that is in it`() throws
  {
    let home = try home()
    #expect(try home.run("talk", "add", "trips/oslo", "Cold?").status == 0)
    #expect(try home.run("note", "ls", "trips").text.contains("talk") == false)
    let moved = try home.run("note", "mv", "trips/oslo", "index", "new/")
    #expect(moved.said == "Moved \"trips/oslo\" to \"new/oslo.md\".\nMoved \"index\" to \"new/index.md\".\n")
    #expect(try home.run("talk", "ls", "new/oslo").text.contains("Cold?"))
    #expect(try home.run("talk", "ls").text == "new/oslo.md  1\n")
    #expect(try home.run("note", "mv", "new/index", "/").status == 0)
    #expect(try home.run("note", "mv", "new/oslo", "yard/Oslo day").status == 0)
    #expect(home.read("ByteClub/yard/Oslo day.md") == Array("fjord\n".utf8))
    let folder = try home.run("note", "mv", "trips/", "journeys/")
    #expect(folder.status == 0 && folder.said == "Moved \"trips/\" to \"journeys/\".\n")
    #expect(home.read("ByteClub/journeys/map.bin") == Array("x".utf8))
    #expect(try home.run("note", "mv", "journeys/", "yard/").said == "Moved \"journeys/\" to \"yard/journeys/\".\n")
    #expect(try home.run("note", "cat", "yard/journeys/2026/bergen").text == "rain\n")
    let into = try home.run("note", "mv", "yard/", "yard/journeys/")
    #expect(into.status == 1 && into.said.contains("cannot go into itself"))
    #expect(try home.run("note", "mv", "yard/journeys/todo", "yard/todo").status == 5)
    #expect(try home.run("note", "mv", "index").status == 2)
  }

  @Test func `links of other notes go with a folder that moves, if the member says so`() throws {
    let home = try home()
    try home.write("[[oslo]] [day](trips/oslo.md) [gone](trips/none.md)\n".utf8, to: "ByteClub/index.md")
    let moved = try home.run("note", "mv", "trips/", "journeys/", "--mend-links")
    #expect(moved.status == 0 && moved.said.contains("Mended links in 1 note."))
    let text = "[[oslo]] [day](journeys/oslo.md) [gone](trips/none.md)\n"
    #expect(home.read("ByteClub/index.md") == Array(text.utf8))
  }

  @Test func `a move whose links cannot all be mended failed in part, and the answer has the file`() throws {
    let home = try home()
    try home.write("[[oslo]]\n".utf8, to: "ByteClub/index.md")
    // Not UTF-8.
    let old = Array("caf".utf8) + [0xE9] + Array(" [[oslo]]\n".utf8)
    try home.write(old, to: "ByteClub/yard/old.md")
    let moved = try home.run("note", "mv", "trips/oslo", "bergen", "--mend-links", "--json")
    #expect(moved.status == 8, "\(moved.text)")
    #expect(moved.text.contains(#""ok":false"#) && moved.text.contains(#""path":"trips/bergen.md""#))
    #expect(moved.text.contains("yard/old.md") && moved.text.contains("not UTF-8"))
    #expect(home.read("ByteClub/trips/bergen.md") == Array("fjord\n".utf8))
    #expect(home.read("ByteClub/index.md") == Array("[[trips/bergen]]\n".utf8))
    #expect(home.read("ByteClub/yard/old.md") == old)
  }

  @Test func `links to a photo and to an album are mended, if the member says so`() throws {
    let home = try CommandLineHome()
    for name in ["pier.jpg", "oslo/a.jpg"] { try home.write(Pictures.jpeg, to: "ByteClub/photos/\(name)") }
    try home.write("![[pier.jpg]] ![a](photos/oslo/a.jpg)\n".utf8, to: "ByteClub/index.md")
    let photo = try home.run("photo", "mv", "pier.jpg", "quay.jpg", "--mend-links")
    #expect(photo.status == 0 && photo.said.contains("Mended links in 1 note."))
    #expect(try home.run("photo", "mv", "oslo/", "norway/", "--mend-links").status == 0)
    #expect(home.read("ByteClub/index.md") == Array("![[quay.jpg]] ![a](photos/norway/a.jpg)\n".utf8))
    #expect(try home.run("photo", "mv", "quay.jpg", "pier.jpg").status == 0)
    #expect(home.read("ByteClub/index.md") == Array("![[quay.jpg]] ![a](photos/norway/a.jpg)\n".utf8))
  }

  @Test func `mkdir makes folders, and rm takes a whole one only if the member agrees`() throws {
    let home = try home()
    #expect(
      try home.run("note", "mkdir", "plans/2027", "trips").said
        == "Made \"plans/2027/\".\n\"trips/\" is there already.\n")
    #expect(try home.run("note", "ls", "plans").text == "plans/2027/  0\n")
    #expect(try home.run("note", "rm", "trips/").status == 2)
    let bare = try home.run("note", "rm", "trips")
    #expect(bare.status == 4 && bare.said.contains("\"trips\" is a folder, and no note has that name."))
    let removed = try home.run("note", "rm", "trips/", "--yes", "--json")
    #expect(removed.status == 0 && removed.text.contains("\"path\":\"trips/2026/bergen.md\""))
    #expect(home.read("ByteClub/trips/map.bin") == nil && home.read("ByteClub/trips/oslo.md") == nil)
    #expect(try home.run("trash", "restore", "trips/oslo.md").status == 0)
    #expect(try home.run("note", "cat", "oslo").text == "fjord\n")
    #expect(try home.run("trash", "restore", "trips/").said == "Put 3 files of \"trips/\" back.\n")
    #expect(home.read("ByteClub/trips/map.bin") == Array("x".utf8))
    #expect(try home.run("trash", "restore", "trips/").status == 4)
    #expect(try home.run("trash", "restore", "trips/", "--as", "x").status == 2)
  }

  @Test func `albums are renamed and removed by the same words`() throws {
    let home = try CommandLineHome()
    for name in ["oslo/a.jpg", "oslo/2026/b.jpg", "c.jpg"] {
      try home.write(Pictures.jpeg, to: "ByteClub/photos/\(name)")
    }
    #expect(try home.run("photo", "mv", "oslo/", "norway/").said == "Moved \"oslo/\" to \"norway/\".\n")
    #expect(try home.run("photo", "ls").text == "c.jpg\nnorway/2026/b.jpg\nnorway/a.jpg\n")
    #expect(try home.run("photo", "rm", "norway/").status == 2)
    #expect(try home.run("photo", "rm", "norway/", "--yes").status == 0)
    #expect(try home.run("photo", "ls").text == "c.jpg\n")
  }

  @Test func `search, news, export and the checkup know the notes in folders`() throws {
    let home = try home()
    #expect(try home.run("search", "fjord").text == "trips/oslo.md:1: fjord\n")
    _ = try home.run("news")
    try home.write("new\n".utf8, to: "ByteClub/trips/2026/new.md")
    #expect(try home.run("news").text.contains("added trips/2026/new.md"))
    #expect(try home.run("club", "export", home.path + "/copy").status == 0)
    #expect(home.read("copy/trips/oslo.md") == Array("fjord\n".utf8))
    try home.write("x".utf8, to: "ByteClub/trips/OSLO.md")
    let checkup = try home.run("doctor").text
    #expect(checkup.contains("4 folders of notes, with 6 notes"))
    #expect(checkup.contains("\"trips/OSLO.md\" and \"trips/oslo.md\" differ in letter case"))
  }
}
