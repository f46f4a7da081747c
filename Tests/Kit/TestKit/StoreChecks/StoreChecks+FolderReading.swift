import FileStores

extension StoreChecks {
  /// The result of reading a folder at once, by path.
  private struct Read {
    var whole: [StorePath: [UInt8]] = [:]
    var dropped: [StorePath] = []
    private var bytes: [StorePath: [UInt8]] = [:]

    mutating func beginAgain() { (bytes, dropped) = ([:], []) }

    mutating func take(_ parts: [FolderPart]) {
      for part in parts {
        switch part {
        case .bytes(let file, let chunk): bytes[file.path, default: []] += chunk
        case .whole(let file): whole[file.path] = bytes[file.path] ?? []
        case .dropped(let file): dropped.append(file.path)
        }
      }
    }
  }

  /// After a failure the caller reads the missing files again.
  private static func read(
    _ files: [FileEntry], below folder: String, _ reading: any FolderReading
  ) async throws -> Read {
    var read = Read()
    var attempts = 0
    while true {
      let rest = files.filter { read.whole[$0.path] == nil }
      read.beginAgain()
      guard let error = await once(rest, below: try StorePath(folder), reading, &read) else { return read }
      attempts += 1
      guard error.isTemporary, attempts < 30 else { throw error }
    }
  }

  private static func once(
    _ files: [FileEntry], below folder: StorePath, _ reading: any FolderReading, _ read: inout Read
  ) async -> StoreError? {
    var found: [[FolderPart]] = []
    defer { for parts in found { read.take(parts) } }
    do throws(StoreError) {
      try await reading.read(files, below: folder) { parts throws(StoreError) in found.append(parts) }
      return nil
    } catch {
      return error
    }
  }

  private static func list(_ folder: String, _ test: StoreUnderTest) async throws -> [FileEntry] {
    var files: [FileEntry] = []
    var cursor: ListCursor?
    repeat {
      let page = try await test.store.list(StorePath(folder), ListOptions(.full, recursive: true), after: cursor)
      files += page.entries.filter { $0.kind == .file }
      cursor = page.next
    } while cursor != nil
    return files
  }

  static let folderReading: [StoreCheck] = [
    StoreCheck("A folder's files are read at once, each whole and none twice, and none beside it") { test in
      guard let reading = test.store.capabilities.folders else { return }
      var wanted: [StorePath: [UInt8]] = [:]
      for (index, name) in ["a", "sub/b", "sub/deep/c", "Größe ä.md", "empty", "sub/large"].enumerated() {
        let size = name == "large" || name == "sub/large" ? 1_300_000 : name == "empty" ? 0 : 100 * (index + 1)
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
        _ = try await test.store.put(DataSource(bytes), at: StorePath("folder/" + name), mode: .create)
        wanted[try StorePath("folder/" + name)] = bytes
      }
      try await test.write("beside", "not below the folder")
      let files = try await list("folder", test)
      try expectEqual(files.count, wanted.count)
      let read = try await StoreChecks.read(files, below: "folder", reading)
      try expect(read.whole == wanted, "\(read.whole.mapValues(\.count)), not \(wanted.mapValues(\.count))")
      try expectEqual(read.dropped, [])
      // Only requested files are delivered.
      let some = try await StoreChecks.read(files.filter { $0.path.name.count == 1 }, below: "folder", reading)
      try expectEqual(Set(some.whole.keys.map(\.description)), ["folder/a", "folder/sub/b", "folder/sub/deep/c"])
    },
    StoreCheck("Of a folder that is read at once, what has changed since it was listed is not told as whole") { test in
      guard let reading = test.store.capabilities.folders else { return }
      for name in ["same", "longer", "other", "gone"] { try await test.write("folder/" + name, "content of \(name)") }
      let files = try await list("folder", test)
      for (name, text) in [("longer", "much longer than before"), ("other", "content OF other")] {
        try await test.writeElsewhere("folder/" + name, text)
      }
      try await test.store.delete(StorePath("folder/gone"), ifRevision: nil)
      let read = try await StoreChecks.read(files, below: "folder", reading)
      try expectEqual(
        read.whole.map { "\($0.key): \(String(decoding: $0.value, as: UTF8.self))" },
        [
          "folder/same: content of same"
        ])
      try expectEqual(Set(read.dropped.map(\.description)), ["folder/longer", "folder/other"])
    },
    StoreCheck("Reading all of what is no folder, or not there, is refused as what it is") { test in
      guard let reading = test.store.capabilities.folders else { return }
      try await test.write("file", "x")
      try await expectError(.badInput) { _ = try await read([], below: "file", reading) }
      try await expectError(.notFound) { _ = try await read([], below: "nowhere", reading) }
      try await test.store.createFolder(StorePath("empty"))
      try expect(try await read([], below: "empty", reading).whole.isEmpty, "files of an empty folder")
    },
    StoreCheck("What the receiver of a folder's files throws ends the reading") { test in
      guard let reading = test.store.capabilities.folders else { return }
      for number in 0..<5 { try await test.write("folder/\(number)", "text") }
      let files = try await list("folder", test)
      try await expectError(.quota) {
        for _ in 0..<30 {
          do throws(StoreError) {
            try await reading.read(files, below: try StorePath("folder")) { _ throws(StoreError) in
              throw StoreError(.quota, "The disk is full.")
            }
          } catch {
            // The connection may break before the first byte.
            guard error.isTemporary else { throw error }
          }
        }
      }
    },
  ]
}
