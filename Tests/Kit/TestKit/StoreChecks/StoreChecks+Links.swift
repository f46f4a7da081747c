import FileStores

extension StoreChecks {
  private static func sharing(_ test: StoreUnderTest) -> (any LinkSharing)? { test.store.capabilities.links }

  /// A second that a link can end at: whole, and far from now.
  private static let later = Timestamp(seconds: 4_000_000_000)

  static let links: [StoreCheck] = [
    StoreCheck("A file's link is made once, listed with its path, and opens nothing more when it is revoked") { test in
      guard let links = sharing(test) else { return }
      try await test.write("pier.md")
      try await test.write("photos/Pier.jpg")
      let first = try await links.link(to: StorePath("pier.md"), LinkTerms())
      try expect(first.url.hasPrefix("http") && first.url.utf8.allSatisfy { (0x21..<0x7F).contains($0) }, first.url)
      try expect(first.path.description == "pier.md" && first.expires == nil && !first.hasPassword, "\(first)")
      try expectEqual(try await links.link(to: StorePath("pier.md"), LinkTerms()), first)
      let second = try await links.link(to: StorePath("photos/Pier.jpg"), LinkTerms())
      try expect(second.url != first.url, "two files have one link")
      try expectEqual(Set(try await links.links(to: nil)), [first, second])
      try expectEqual(try await links.links(to: StorePath("photos/Pier.jpg")), [second])
      try expectEqual(Set(try await test.other.capabilities.links?.links(to: nil) ?? []), [first, second])
      try await links.revoke(first.url)
      try expectEqual(try await links.links(to: nil), [second])
      try await expectError(.notFound) { try await links.revoke(first.url) }
      let again = try await links.link(to: StorePath("pier.md"), LinkTerms())
      try expect(again.url != first.url, "a revoked link came back")
    },
    StoreCheck("A link has the settings of its terms; one with other settings is refused and stays") { test in
      guard let links = sharing(test) else { return }
      try await test.write("a.md")
      let path = try StorePath("a.md")
      let terms = LinkTerms(expires: later, password: "word")
      let link = try await links.link(to: path, terms)
      try expect(link.expires == later && link.hasPassword, "\(link)")
      for same in [terms, LinkTerms(expires: later), LinkTerms(password: "word"), LinkTerms()] {
        try expectEqual(try await links.link(to: path, same), link)
      }
      for other in [
        LinkTerms(expires: Timestamp(seconds: 4_000_000_001)), LinkTerms(expires: later, password: "other"),
      ] {
        try await expectError(.exists) { _ = try await links.link(to: path, other) }
      }
      try expectEqual(try await links.links(to: path), [link])
    },
    StoreCheck("A link follows a moved file, and goes with a deleted one") { test in
      guard let links = sharing(test) else { return }
      try await test.write("a.md")
      _ = try await links.link(to: StorePath("a.md"), LinkTerms())
      _ = try await test.store.move(StorePath("a.md"), to: StorePath("b.md"), ifRevision: nil)
      let moved = try await links.links(to: nil)
      try expect(moved.map(\.path.description) == ["b.md"], "\(moved)")
      try await test.store.delete(StorePath("b.md"), ifRevision: nil)
      try expectEqual(try await links.links(to: nil), [])
      try await expectError(.notFound) { _ = try await links.links(to: StorePath("b.md")) }
    },
    StoreCheck("What cannot be shared is refused: a missing file, a folder, an end in the past") { test in
      guard let links = sharing(test) else { return }
      try await test.write("folder/a.md")
      try await expectError(.notFound) { _ = try await links.link(to: StorePath("none.md"), LinkTerms()) }
      try await expectError(.unsupported) { _ = try await links.link(to: StorePath("folder"), LinkTerms()) }
      let past = LinkTerms(expires: Timestamp(seconds: 1_000_000_000))
      try await expectError(.badInput) { _ = try await links.link(to: StorePath("folder/a.md"), past) }
      try await expectError(.notFound) { try await links.revoke("https://club.example/s/word") }
      try expectEqual(try await links.links(to: nil), [])
    },
  ]
}
