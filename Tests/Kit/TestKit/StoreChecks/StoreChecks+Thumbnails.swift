import FileStores

extension StoreChecks {
  private static func writePicture(_ test: StoreUnderTest, _ path: String) async throws -> FileEntry {
    try await test.store.put(DataSource(SamplePicture.jpeg), at: StorePath(path), mode: .create)
  }

  static let thumbnails: [StoreCheck] = [
    StoreCheck("Small copies are JPEGs of the pictures' shape, in the order of the paths, each with its revision") {
      test in
      guard let thumbnails = test.store.capabilities.thumbnails else { return }
      let first = try await writePicture(test, "photos/A.jpg")
      let second = try await writePicture(test, "photos/ü 日本.JPG")
      for side in [32, 100] {
        let made = try await thumbnails.thumbnails(of: [second.path, first.path], side: side).map { try $0.get() }
        try expectEqual(made.map(\.entry.path), [second.path, first.path])
        try expectEqual(made.map(\.entry.revision), [second.revision, first.revision])
        for copy in made {
          let size = try unwrap(SamplePicture.size(of: copy.bytes), "no JPEG")
          try expect(size.width >= side && size.width <= 160, "\(size.width) pixels wide for \(side)")
          try expect(abs(size.width - 2 * size.height) <= 2, "\(size) has another shape")
        }
      }
      try expect(thumbnails.largestSide >= 100 && thumbnails.batchFiles > 0, "\(thumbnails)")
      try expect(try await thumbnails.thumbnails(of: [], side: 32).isEmpty, "copies of nothing")
    },
    StoreCheck("A file of which no small copy is made hinders no other") { test in
      guard let thumbnails = test.store.capabilities.thumbnails else { return }
      let picture = try await writePicture(test, "A.jpg")
      try await test.write("note.md")
      try await test.write("broken.jpg", "no picture at all")
      let paths = try ["nothing.jpg", "A.jpg", "note.md", "broken.jpg", "nowhere/A.jpg", "A.jpg"].map {
        try StorePath($0)
      }
      let kinds = try await thumbnails.thumbnails(of: paths, side: 64).map { result -> StoreError.Kind? in
        switch result {
        case .success(let copy): copy.entry.revision == picture.revision ? nil : .conflict
        case .failure(let error): error.message.hasSuffix(".") && error.path != nil ? error.kind : .badInput
        }
      }
      try expectEqual(kinds, [.notFound, nil, .unsupported, .unsupported, .notFound, nil])
    },
    StoreCheck("More small copies may be asked for than one question to the store may name") { test in
      guard let thumbnails = test.store.capabilities.thumbnails else { return }
      let picture = try await writePicture(test, "A.jpg")
      let paths = [StorePath](repeating: picture.path, count: thumbnails.batchFiles + 2)
      let made = try await thumbnails.thumbnails(of: paths, side: 32).map { try $0.get() }
      try expectEqual(made.map(\.entry.revision), paths.map { _ in picture.revision })
    },
  ]
}
