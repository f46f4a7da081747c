import FileStores

extension StoreChecks {
  /// Names that a file system may hold and that trouble clients.
  static let oddNames: [[UInt8]] =
    (1...31).map { [97, UInt8($0), 98] }
    + [
      " leading", "trailing ", "..leading", "trailing.", "...", "~tilde", "-rf", "--", "-", "*", "?", "a:b",
      "back\\slash",
      "quo\"te", "apo'strophe", "$(id)", "`id`", ";id", "a&b", "a|b", "<a>", "%2e%2e", "%00", "test%46.txt", "CON",
      "nul.txt", "Ünïcödé", "日本語", "👩‍👩‍👧‍👦.jpg", "\u{202E}txt.exe", "a\u{200B}b", "\u{FF3C}", "\u{A0}", ".hidden", "\u{7F}",
      "tab\tname", "new\nline", "\u{1B}[31mred", "\u{9B}31m", "\u{FEFF}bom", ".byteclu", "byteclub", "#hash",
    ].map { Array($0.utf8) } + [[0xFE], [0xBF, 97], [97, 0xC3], [0xED, 0xA0, 0x80]]

  static let names: [StoreCheck] = [
    StoreCheck("Names of every kind come back byte for byte, as files and as folders, or are badName") { test in
      for name in oddNames {
        do {
          let file = try StorePath.root.appending(name)
          _ = try await test.store.put(DataSource(name), at: file, mode: .create)
          try expect(try await test.store.readAll(file).bytes == name, "\(name) has another content")
          let inside = try StorePath("folders").appending(name).appending(name)
          _ = try await test.store.put(DataSource(name), at: inside, mode: .create)
          try expect(try await test.store.entry(at: inside).path == inside, "\(name)")
        } catch let error as StoreError {
          try expect(error.kind == .badName && !error.message.isEmpty, "\(name): \(error)")
          try expect(test.store.limits.unicodeNamesOnly || name.contains { $0 < 32 }, "\(name) refused: \(error)")
        }
      }
      for entry in try await test.list() where entry.kind == .file {
        let content = try await test.store.readAll(entry.path).bytes
        try expect(content == Array(entry.path.name), "\(entry.path.bytes) is listed under another name")
      }
    },
    StoreCheck("Names that begin with a combining mark, or lie behind one that takes the slash, are found in every way")
    { test in
      var written: Set<[UInt8]> = []
      for folder in ["", "folder/", "folder\u{600}/"] {
        for name in ["\u{301}mark.md", "\u{FE0F}x", "\u{200D}joined", "plain.md"] {
          do {
            try await test.write(folder + name, name)
            written.insert(Array((folder + name).utf8))
          } catch let error as StoreError {
            try expect(error.kind == .badName, "\(name): \(error)")
          }
        }
      }
      var seen: Set<[UInt8]> = []
      for folder in ["", "folder", "folder\u{600}"] {
        for entry in try await test.list(folder) where entry.kind == .file { seen.insert(entry.path.bytes) }
      }
      try expect(seen == written, "listed are \(seen.symmetricDifference(written))")
      for bytes in written {
        let path = try StorePath(bytes)
        let name = String(decoding: path.name, as: UTF8.self)
        try expect(try await test.store.readAll(path).bytes == Array(name.utf8), "\(path) has another content")
        let target = try path.parent.appending(Array(path.name) + [UInt8(ascii: "2")])
        try expect(
          try await test.store.move(path, to: target, ifRevision: nil).path == target, "\(path) went elsewhere")
        try await test.store.delete(target, ifRevision: nil)
        try await expectError(.notFound) { _ = try await test.store.entry(at: path) }
      }
    },
    StoreCheck("NFC and NFD twins are two files, or the second is refused") { test in
      try await test.write("caf\u{E9}", "composed")
      do {
        try await test.write("cafe\u{301}", "decomposed")
      } catch let error as StoreError {
        try expect(error.kind == .exists || error.kind == .badName, "\(error)")
        return
      }
      try expect(try await test.text("caf\u{E9}") == "composed", "merged")
      try expect(try await test.text("cafe\u{301}") == "decomposed", "merged")
      try expect(try await test.list().count == 2, "not two")
    },
    StoreCheck("Names that differ in case are two files where the store says so") { test in
      try await test.write("Note.md", "big")
      if test.store.limits.caseSensitive {
        try await test.write("note.md", "small")
        try expect(try await test.text("Note.md") == "big", "merged")
        try expect(try await test.list().count == 2, "not two")
      } else {
        try await expectError(.exists) { try await test.write("note.md", "small") }
      }
    },
    StoreCheck("A name of the longest length works; one more byte is badName, with a reason") { test in
      guard let longest = test.store.limits.nameBytes else { return }
      let name = String(repeating: "x", count: longest)
      try await test.write(name, "long")
      try await test.write(name, "long, again", mode: .overwrite)
      try expect(try await test.text(name) == "long, again", "other text")
      let error = try await expectError(.badName) { try await test.write(name + "x") }
      try expect(!error.message.isEmpty && !error.remedy.isEmpty, "\(error)")
      try await expectError(.badName) { try await test.store.createFolder(StorePath(name + "x")) }
      try await expectError(.badName) {
        _ = try await test.store.move(StorePath(name), to: StorePath(name + "x"), ifRevision: nil)
      }
    },
    StoreCheck("Looking for a name that is too long is notFound or badName") { test in
      try await expectError(.notFound, .badName) { _ = try await test.entry(String(repeating: "x", count: 5000)) }
    },
    StoreCheck("A path of many parts works or is badName") { test in
      let path = Array(repeating: "deep", count: 200).joined(separator: "/")
      try await test.write(path, "down here")
      try expect(try await test.text(path) == "down here", "other text")
      let long = Array(repeating: String(repeating: "y", count: 200), count: 30).joined(separator: "/")
      do { try await test.write(long, "x") } catch let error as StoreError {
        try expect(error.kind == .badName, "\(error)")
      }
    },
    StoreCheck("byteclub's own names are notFound when read and badName when written") { test in
      try await test.write("a")
      for path in [".byteclub", ".byteclub/trash", ".byteclub-tmp-x", "sub/.byteclub/x", ".byteclubs"] {
        let own = try StorePath(path)
        try await expectError(.notFound) { _ = try await test.store.entry(at: own) }
        try await expectError(.notFound) { _ = try await test.store.readAll(own) }
        try await expectError(.notFound) { _ = try await test.store.list(own, ListOptions(.names), after: nil) }
        try await expectError(.badName) { try await test.write(path, "x") }
        try await expectError(.badName) { try await test.write(path, "x", mode: .overwrite) }
        try await expectError(.badName) { try await test.store.createFolder(own) }
        try await expectError(.badName) { _ = try await test.store.move(StorePath("a"), to: own, ifRevision: nil) }
        try await expectError(.notFound) { _ = try await test.store.move(own, to: StorePath("b"), ifRevision: nil) }
        try await expectError(.notFound) { try await test.store.delete(own, ifRevision: nil) }
      }
    },
    StoreCheck("No path leads out of the root") { test in
      for path in ["..", "../etc/passwd", "a/../../etc", "/../x", "a/..", ".", "./a", "a//b", "a/", "a\0b"] {
        try await expectError(.badName) { _ = try StorePath(path) }
      }
      // A single leading slash stands for the root.
      try await expectError(.notFound) { _ = try await test.entry("/etc/passwd") }
    },
  ]
}
