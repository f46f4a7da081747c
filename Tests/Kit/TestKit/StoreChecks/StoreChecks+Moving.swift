import FileStores

extension StoreChecks {
  static let moving: [StoreCheck] = [
    StoreCheck("A moved file is at its new path alone, with its content; parents are made") { test in
      try await test.write("a", "text")
      let moved = try await test.store.move(StorePath("a"), to: StorePath("x/y/b"), ifRevision: nil)
      try expect(moved.path == (try StorePath("x/y/b")) && moved.size == 4, "\(moved)")
      try expect(try await test.entry("x/y/b").revision == moved.revision, "another revision")
      try expect(try await test.text("x/y/b") == "text", "other text")
      try expect(try await test.isThere("a") == false, "still there")
    },
    StoreCheck("A moved folder takes all that is in it along") { test in
      try await test.write("a/b/c", "1")
      try await test.write("a/d", "2")
      let moved = try await test.store.move(StorePath("a"), to: StorePath("z"), ifRevision: nil)
      try expect(moved.kind == .folder, "\(moved)")
      try expect(try await test.names(recursive: true) == ["z", "z/b", "z/b/c", "z/d"], "other tree")
      try expect(try await test.text("z/b/c") == "1", "other text")
    },
    StoreCheck("A moved folder takes hidden files along, makes parents, and comes back by a second move") { test in
      for path in ["a/.hidden/x", "a/.y", "a/b/c"] { try await test.write(path, path) }
      let moved = try await test.store.move(StorePath("a"), to: StorePath("new/z"), ifRevision: nil)
      try expect(moved.kind == .folder && moved.path == (try StorePath("new/z")), "\(moved)")
      for path in [".hidden/x", ".y", "b/c"] {
        try expectEqual(try await test.text("new/z/\(path)"), "a/\(path)")
      }
      try expect(try await test.isThere("a") == false, "still there")
      _ = try await test.store.move(StorePath("new/z"), to: StorePath("a"), ifRevision: nil)
      try expectEqual(try await test.text("a/.hidden/x"), "a/.hidden/x")
    },
    StoreCheck("A folder does not move onto a folder, empty or not, and nothing changes") { test in
      try await test.write("a/b", "1")
      try await test.write("full/c", "2")
      try await test.store.createFolder(StorePath("empty"))
      for target in ["full", "empty"] {
        try await expectError(.exists) {
          _ = try await test.store.move(StorePath("a"), to: StorePath(target), ifRevision: nil)
        }
      }
      try expectEqual(try await test.text("a/b"), "1")
      try expectEqual(try await test.text("full/c"), "2")
    },
    StoreCheck("A change of case alone is a move, both ways, for files and folders") { test in
      try await test.write("note.md", "text")
      try await test.write("sub/x")
      for (from, to) in [("note.md", "Note.MD"), ("Note.MD", "note.md"), ("sub", "SUB"), ("SUB", "sub")] {
        _ = try await test.store.move(StorePath(from), to: StorePath(to), ifRevision: nil)
        let names = try await test.names()
        try expect(names.contains(to), "no \(to) in \(names)")
        try expectEqual(try await test.names().count, 2)
      }
    },
    StoreCheck("Moving onto something is exists, and both stay") { test in
      try await test.write("a", "1")
      try await test.write("b", "2")
      try await test.write("sub/c", "3")
      for target in ["b", "sub"] {
        let error = try await expectError(.exists) {
          _ = try await test.store.move(StorePath("a"), to: StorePath(target), ifRevision: nil)
        }
        try expect(error.current != nil, "nothing told of what is there")
      }
      try await expectError(.exists) {
        _ = try await test.store.move(StorePath("sub"), to: StorePath("b"), ifRevision: nil)
      }
      try expectEqual(try await test.text("a"), "1")
      try expectEqual(try await test.text("b"), "2")
      try expectEqual(try await test.text("sub/c"), "3")
    },
    StoreCheck("Moving what is not there is notFound, and makes no folders") { test in
      try await expectError(.notFound) {
        _ = try await test.store.move(StorePath("a"), to: StorePath("x/y"), ifRevision: nil)
      }
      try expectEqual(try await test.names(), [])
    },
    StoreCheck("A move holds to its revision") { test in
      let old = try await test.write("a", "1")
      let new = try await test.writeElsewhere("a", "22")
      let error = try await expectError(.conflict) {
        _ = try await test.store.move(StorePath("a"), to: StorePath("b"), ifRevision: old.revision)
      }
      try expect(error.current?.revision == new.revision, "\(String(describing: error.current))")
      try expectEqual(try await test.names(), ["a"])
      _ = try await test.store.move(StorePath("a"), to: StorePath("b"), ifRevision: new.revision)
      try expectEqual(try await test.names(), ["b"])
    },
    StoreCheck("Moving to where it is changes nothing") { test in
      try await test.write("a", "1")
      _ = try await test.store.move(StorePath("a"), to: StorePath("a"), ifRevision: nil)
      try expect(try await test.text("a") == "1", "changed")
    },
    StoreCheck("A folder does not go into itself, and the root goes nowhere") { test in
      try await test.write("a/b", "1")
      try await expectError(.badInput) {
        _ = try await test.store.move(StorePath("a"), to: StorePath("a/c"), ifRevision: nil)
      }
      try await expectError(.badInput) { _ = try await test.store.move(.root, to: StorePath("c"), ifRevision: nil) }
      try expectEqual(try await test.names(recursive: true), ["a", "a/b"])
    },
  ]

  static let deleting: [StoreCheck] = [
    StoreCheck("A deleted file is gone") { test in
      try await test.write("a")
      try await test.store.delete(StorePath("a"), ifRevision: nil)
      try expect(try await test.isThere("a") == false, "still there")
      try expect(try await test.names().isEmpty, "still listed")
    },
    StoreCheck("A deleted folder is gone with all that was in it, and nothing else") { test in
      for path in ["a/b/c/d", "a/b/e", "a/f", "ab", "b/a"] { try await test.write(path) }
      try await test.store.delete(StorePath("a"), ifRevision: nil)
      try expectEqual(try await test.names(recursive: true), ["ab", "b", "b/a"])
    },
    StoreCheck("Deleting what is not there is notFound, the root badInput") { test in
      try await expectError(.notFound) { try await test.store.delete(StorePath("a"), ifRevision: nil) }
      try await test.write("a")
      try await expectError(.notFound) { try await test.store.delete(StorePath("a/b"), ifRevision: nil) }
      try await expectError(.badInput) { try await test.store.delete(.root, ifRevision: nil) }
    },
    StoreCheck("A delete holds to its revision") { test in
      let old = try await test.write("a", "1")
      let new = try await test.writeElsewhere("a", "22")
      let error = try await expectError(.conflict) {
        try await test.store.delete(StorePath("a"), ifRevision: old.revision)
      }
      try expect(error.current?.revision == new.revision, "\(String(describing: error.current))")
      try expect(try await test.text("a") == "22", "changed")
      try await test.store.delete(StorePath("a"), ifRevision: new.revision)
      try expect(try await test.isThere("a") == false, "still there")
    },
    StoreCheck("A name may be a file, then a folder, then a file") { test in
      try await test.write("a", "file")
      try await test.store.delete(StorePath("a"), ifRevision: nil)
      try await test.write("a/b", "inside")
      try expect(try await test.text("a/b") == "inside", "other text")
      try await test.store.delete(StorePath("a"), ifRevision: nil)
      try await test.write("a", "file again")
      try expect(try await test.text("a") == "file again", "other text")
    },
  ]
}
