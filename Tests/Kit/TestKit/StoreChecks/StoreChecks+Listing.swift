import FileStores

extension StoreChecks {
  static let listing: [StoreCheck] = [
    StoreCheck("An empty root lists as nothing, with no further page") { test in
      let page = try await test.store.list(.root, ListOptions(.names), after: nil)
      try expect(page.entries.isEmpty && page.next == nil, "\(page)")
    },
    StoreCheck("An empty folder lists as nothing") { test in
      try await test.store.createFolder(StorePath("empty"))
      try expect(try await test.names("empty").isEmpty, "not empty")
    },
    StoreCheck("A folder that is not there is notFound, and the error names it") { test in
      let error = try await expectError(.notFound) { _ = try await test.list("nowhere") }
      try expect(error.path == (try StorePath("nowhere")), "path is \(String(describing: error.path))")
    },
    StoreCheck("Listing a file is badInput") { test in
      try await test.write("file")
      try await expectError(.badInput) { _ = try await test.list("file") }
    },
    StoreCheck("Names tell path and kind, and the rest where the page says that it is whole, as a full listing") {
      test in
      for number in 0..<9 { try await test.write("\(number).md", String(repeating: "x", count: number)) }
      try await test.write("sub/b.md")
      for isRecursive in [false, true] {
        let full = try await test.list("", .full, recursive: isRecursive).sorted { $0.path < $1.path }
        let pages = try await test.pages("", ListOptions(.names, recursive: isRecursive))
        for page in pages {
          let expected = page.entries.map { entry in
            page.isWhole ? full.first { $0.path == entry.path } : FileEntry(path: entry.path, kind: entry.kind)
          }
          try expect(page.entries.map { $0 } == expected, "\(page)")
        }
        let names = pages.flatMap(\.entries).sorted { $0.path < $1.path }
        try expect(names.map(\.path) == full.map(\.path) && names.map(\.kind) == full.map(\.kind), "\(names)")
      }
    },
    StoreCheck("A full listing is whole, and says what entry(at:) says") { test in
      try await test.write("a.md", "hello")
      try await test.store.createFolder(StorePath("sub"))
      let pages = try await test.pages("", ListOptions(.full))
      try expect(pages.allSatisfy(\.isWhole), "\(pages)")
      for entry in pages.flatMap(\.entries) {
        let asked = try await test.store.entry(at: entry.path)
        try expect(entry.size == asked.size && entry.revision == asked.revision, "\(entry) but \(asked)")
        try expect(entry.kind == asked.kind && entry.modified == asked.modified, "\(entry) but \(asked)")
      }
    },
    StoreCheck("A listing does not go into folders unless asked") { test in
      try await test.write("a/b/c.md")
      try expectEqual(try await test.names(), ["a"])
      try expectEqual(try await test.names("a"), ["a/b"])
    },
    StoreCheck("A recursive listing has folders and files of every level once") { test in
      for path in ["one.md", "a/two.md", "a/b/three.md", "a/b/c/four.md", "z/five.md"] { try await test.write(path) }
      let all = try await test.names(recursive: true)
      let expected = [
        "a", "a/b", "a/b/c", "a/b/c/four.md", "a/b/three.md", "a/two.md", "one.md", "z", "z/five.md",
      ]
      try expect(all == expected, "\(all)")
      try expect(try await test.names("a/b", recursive: true) == Array(expected[2...4]), "below a/b")
    },
    StoreCheck("A recursive listing has many folders, and deep ones, each with its file once") { test in
      for number in 0..<30 { try await test.write("many/f\(number)/a.md") }
      let deep = String(repeating: "d/", count: 70)
      try await test.write("\(deep)a.md")
      let names = try await test.names(recursive: true)
      try expect(names.count == 1 + 60 + 71 && Set(names).count == names.count, "\(names)")
      try expect(names.contains("\(deep)a.md") && names.contains("many/f29/a.md"), "\(names)")
    },
    StoreCheck("What a listing may leave out is left out as a whole or not at all, and nothing else is") { test in
      let kept = ["a.md", "photos.md", "photos2/b.md", "trips/c.md", "trips/photos/d.md", "x/y/e.md"]
      let leavable = ["photos/p.jpg", "photos/2026/q.jpg", ".dots/f.md", "trips/.dots/g.md", "x/y/z/h.md"]
      for path in kept + leavable { try await test.write(path) }
      for detail in [ListOptions.Detail.names, .full] {
        let options = ListOptions(
          detail, recursive: true, besides: [try StorePath("photos")], skipsHidden: true, mostDepth: 2)
        let names = try await test.pages("", options).flatMap(\.entries).map(\.path.description)
        let wanted = kept + ["photos", "photos2", "trips", "trips/photos", "x", "x/y", "x/y/z"]
        try expect(Set(names).count == names.count && Set(names).isSuperset(of: wanted), "\(names.sorted())")
        let extra = Set(names).subtracting(wanted + [".dots", "trips/.dots"])
        try expect(extra.isSubset(of: leavable + ["photos/2026"]), "\(names.sorted())")
        let photos = extra.count { $0.hasPrefix("photos/") }
        try expect(photos == 0 || photos == 3, "\(names.sorted())")
      }
    },
    StoreCheck("Pages together have every entry exactly once") { test in
      for number in 0..<60 { try await test.write("note \(number).md") }
      let pages = try await test.pages("", ListOptions(.names))
      let names = pages.flatMap(\.entries).map(\.path)
      try expect(names.count == 60 && Set(names).count == 60, "\(names.count) names, \(Set(names).count) different")
    },
    StoreCheck("Recursive pages together have every entry exactly once") { test in
      for number in 0..<40 { try await test.write("f\(number % 7)/note \(number).md") }
      let names = try await test.list(recursive: true).map(\.path)
      try expect(names.count == 47 && Set(names).count == 47, "\(names.count) names, \(Set(names).count) different")
    },
    StoreCheck("A cursor may be used once more and gives the same page") { test in
      for number in 0..<60 { try await test.write("note \(number).md") }
      let first = try await test.store.list(.root, ListOptions(.full), after: nil)
      guard let next = first.next else { return }
      let once = try await test.store.list(.root, ListOptions(.full), after: next)
      let again = try await test.store.list(.root, ListOptions(.full), after: next)
      try expect(once.entries.map(\.path) == again.entries.map(\.path), "another page")
      var seen = first.entries + again.entries
      var cursor = again.next
      while let at = cursor {
        let page = try await test.store.list(.root, ListOptions(.full), after: at)
        seen += page.entries
        cursor = page.next
      }
      try expect(seen.count == 60 && Set(seen.map(\.path)).count == 60, "\(seen.count) after repeating a page")
    },
    StoreCheck("A cursor that the store did not give is badInput") { test in
      try await expectError(.badInput) {
        _ = try await test.store.list(.root, ListOptions(.names), after: ListCursor("made up"))
      }
    },
    StoreCheck("Entries that stay are listed while others come and go") { test in
      for number in 0..<40 { try await test.write("stays \(number)") }
      for number in 0..<20 { try await test.write("goes \(number)") }
      var seen: [StorePath] = []
      var cursor: ListCursor?
      var round = 0
      repeat {
        let page = try await test.store.list(.root, ListOptions(.names), after: cursor)
        seen += page.entries.map(\.path)
        cursor = page.next
        if round < 20 { try await test.other.delete(StorePath("goes \(round)"), ifRevision: nil) }
        try await test.writeElsewhere("new \(round)", "x")
        round += 1
      } while cursor != nil
      let stays = seen.filter { $0.bytes.starts(with: "stays".utf8) }
      try expect(stays.count == 40 && Set(stays).count == 40, "\(stays.count) of 40")
    },
    StoreCheck("Hidden names are listed, byteclub's own are not") { test in
      try await test.write(".hidden")
      if let trash = test.store.capabilities.trash {
        try await test.write("gone")
        _ = try await trash.discard(StorePath("gone"), ifRevision: nil)
      }
      try expectEqual(try await test.names(), [".hidden"])
      try expect(try await test.names(recursive: true) == [".hidden"], "recursive")
      let options = ListOptions(.names, recursive: true, skipsHidden: true)
      let files = try await test.pages("", options).flatMap(\.entries).map(\.path.description)
      try expect(files == [".hidden"], "a hidden file is no hidden folder: \(files)")
    },
    StoreCheck("The root is a folder") { test in
      try expect(try await test.store.entry(at: .root).kind == .folder, "no folder")
    },
    StoreCheck("Making a folder twice is no error; its parents are made") { test in
      for _ in 0..<2 { try await test.store.createFolder(StorePath("a/b/c")) }
      try expect(try await test.entry("a/b/c").kind == .folder, "no folder")
    },
    StoreCheck("Making a folder where a file is, or below one, is exists") { test in
      try await test.write("a")
      try await expectError(.exists) { try await test.store.createFolder(StorePath("a")) }
      try await expectError(.exists) { try await test.store.createFolder(StorePath("a/b")) }
    },
  ]
}
