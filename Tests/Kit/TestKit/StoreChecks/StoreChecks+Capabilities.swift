public import FileStores

extension StoreChecks {
  static let capabilities: [StoreCheck] = [
    StoreCheck("a store around this one has its capabilities, and no others") { test in
      let own = test.store.capabilities.names
      for wrapped: any FileStore in [
        RetryingStore(test.store), LoggingStore(test.store) { _ in }, FaultyStore(test.store, seed: 1, share: 0),
      ] {
        try expectEqual(wrapped.capabilities.names, own)
      }
    }
  ]

  /// Checks a wrapper: its stores have every capability of their base, pass on every call, and report the base's
  /// limits.
  ///
  /// The check covers new properties of `Capabilities` and new `StoreCallName`s: it fails, or does not compile, until
  /// `CapableStore` and the wrapper have them.
  public static func checkForwarding(
    of base: CapableStore = CapableStore(), through wrap: (any FileStore) -> any FileStore
  ) async throws {
    let store = wrap(base)
    try expectEqual(base.capabilities.names, Capabilities.allNames)
    try expectEqual(store.capabilities.names, Capabilities.allNames)
    try expectEqual(limits(store), limits(base))
    try expectEqual(store.capabilities.ready?.readAtHand(.root, ifRevision: Revision("1"), limit: 1), [12])
    for name in StoreCallName.allCases {
      _ = base.takeCalls()
      try await make(name, on: store)
      let calls = base.takeCalls()
      try expect(calls.contains(name) || name == .thumbnail || name == .batched, "\(name) does not reach the base")
    }
    try expectEqual(wrap(Bare()).capabilities.names, [])
  }

  private static func limits(_ store: any FileStore) -> [UInt64?] {
    let all = store.capabilities
    let numbers = [
      store.limits.nameBytes, all.uploads?.piece.bytes, all.uploads?.piece(of: UploadSession("s")).bytes,
      all.search?.fewestCharacters, all.thumbnails?.batchFiles,
      all.thumbnails?.questionsAtOnce, all.thumbnails?.largestSide, all.batches?.mostFiles, all.folders?.mostEntries,
    ]
    return numbers.map { $0.map(UInt64.init) } + [
      all.uploads?.keptFor.map { UInt64($0.components.seconds) }, all.uploads.map { $0.finishesElsewhere ? 1 : 0 },
      store.limits.fileBytes, store.limits.comparesBytes ? 1 : 0, store.limits.keepsTimes ? 1 : 0,
      all.revisions?.largestKept, all.batches?.mostBytes, all.folders?.mostBytes,
    ]
  }

  /// Makes the call of this name in all its forms.
  private static func make(_ name: StoreCallName, on store: any FileStore) async throws {
    let (all, path, source) = (store.capabilities, try StorePath("a"), DataSource([]))
    let (session, revision) = (UploadSession("s"), Revision("1"))
    switch name {
    case .list: _ = try await store.list(.root, ListOptions(.full), after: nil)
    case .entry: _ = try await store.entry(at: path)
    case .read: _ = try await store.read(path, ReadOptions()) { _ in }
    case .put: _ = try await store.put(source, at: path, mode: .create)
    case .move: _ = try await store.move(path, to: StorePath("b"), ifRevision: nil)
    case .delete: try await store.delete(path, ifRevision: nil)
    case .createFolder: try await store.createFolder(path)
    case .begin: _ = try await all.uploads?.begin(path, size: nil)
    case .append:
      _ = try await all.uploads?.append([], to: session, at: 0)
      _ = try await all.uploads?.append(source, count: 0, to: session, at: 0)
    case .offset: _ = try await all.uploads?.offset(of: session)
    case .finish: _ = try await all.uploads?.finish(session, size: 0, at: path, mode: .create)
    case .abandon: try await all.uploads?.abandon(session)
    case .abandonLost: try await all.uploads?.abandonLost(to: path)
    case .discard: _ = try await all.trash?.discard(path, ifRevision: nil)
    case .contents: _ = try await all.trash?.contents()
    case .readDiscarded: _ = try await all.trash?.read("t", limit: 1)
    case .restore: _ = try await all.trash?.restore("t", as: path)
    case .deleteDiscarded: try await all.trash?.delete("t")
    case .empty: _ = try await all.trash?.empty()
    case .start: _ = try await all.changes?.start()
    case .wait: _ = try await all.changes?.wait(since: ChangeCursor("c"))
    case .poll: _ = try await all.changes?.poll(since: ChangeCursor("c"))
    case .versions: _ = try await all.revisions?.versions(of: path, limit: 1)
    case .readVersion: _ = try await all.revisions?.read(revision, of: path) { _ in }
    case .restoreVersion: _ = try await all.revisions?.restore(revision, of: path, over: nil)
    case .search: _ = try await all.search?.files(matching: "words", below: .root, limit: 1)
    case .thumbnails, .thumbnail: _ = try await all.thumbnails?.thumbnails(of: [path], side: 1)
    case .batch, .batched: _ = try await all.batches?.put([BatchFile(source, at: path, mode: .create)])
    case .readFolder: try await all.folders?.read([], below: .root) { _ in }
    case .link: _ = try await all.links?.link(to: path, LinkTerms())
    case .dropPage: _ = try await all.links?.dropPage(into: path, DropTerms(), expires: nil)
    case .links: _ = try await all.links?.links(to: path)
    case .revokeLink: try await all.links?.revoke("https://club.example/s/word")
    case .show: try await all.presence?.show(nil)
    case .watch: try await all.presence?.watch { _ in }
    case .adopt: _ = try await all.adopting?.put(adopting: "/a", hash: ContentHash(of: []), at: path, mode: .create)
    }
  }

  private struct Bare: StoreAround {
    let base: any FileStore = CapableStore()
  }
}

extension Capabilities {
  /// The names of the present capabilities, in the order of the properties.
  public var names: [String] {
    Mirror(reflecting: self).children.compactMap { Mirror(reflecting: $0.value).children.isEmpty ? nil : $0.label }
  }

  /// The names of all possible capabilities.
  public static var allNames: [String] { Mirror(reflecting: Capabilities()).children.compactMap(\.label) }
}
