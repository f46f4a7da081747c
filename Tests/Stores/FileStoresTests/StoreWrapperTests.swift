import Backends
import FileStores
import TestKit
import Testing

/// A store around another passes on each capability: one that is left out would be nil, and nobody would miss it.
@Suite struct StoreWrapperTests {
  @Test("A wrapper has each capability of its base, and each forwards every call") func forwarding() async throws {
    let clock = ManualClock(advancesOnSleep: true)
    let wrappers: [(any FileStore) -> any FileStore] = [
      { Plain(base: $0) }, { RetryingStore($0, clock: clock) }, { LoggingStore($0) { _ in } },
      { FaultyStore($0, seed: 1, share: 0) }, { RetryingStore(LoggingStore($0) { _ in }, clock: clock) },
    ]
    for wrap in wrappers { try await StoreChecks.checkForwarding(through: wrap) }
  }

  @Test("The check finds a capability that is left out", arguments: Capabilities.allNames)
  func leftOut(name: String) async throws {
    let broken = await #expect(throws: BrokenPromise.self) {
      try await StoreChecks.checkForwarding { Forgetful(base: $0, name: name) }
    }
    #expect(broken?.description.contains("not [\"uploads\"") == true)
  }

  @Test("The check finds a capability whose calls do not reach the base") func deaf() async throws {
    for deaf in [Deaf.Ear.uploads, .trash] {
      let broken = await #expect(throws: BrokenPromise.self) {
        try await StoreChecks.checkForwarding { Deaf(base: $0, ear: deaf) }
      }
      #expect(broken?.description.contains("does not reach the base") == true)
    }
  }

  @Test("What failed for a while is asked for again, and nothing else") func onlyTheFailed() async throws {
    let copies = Copies()
    let store = Pictures(copies: copies)
    let thumbnails = try #require(
      RetryingStore(store, clock: ManualClock(advancesOnSleep: true), draw: { 0.5 }).capabilities.thumbnails)
    let paths = try ["good", "offline", "never", "notFound"].map { try StorePath($0) }
    let kinds = try await thumbnails.thumbnails(of: paths, side: 32).map { result -> StoreError.Kind? in
      if case .failure(let error) = result { error.kind } else { nil }
    }
    #expect(kinds == [nil, nil, .offline, .notFound])
    let asked = await copies.all
    #expect(asked.first == ["good", "offline", "never", "notFound"])
    #expect(asked.dropFirst().first == ["offline", "never"])
    #expect(asked.dropFirst(2).allSatisfy { $0 == ["never"] } && asked.count == RetryPolicy().attempts)
  }
}

private struct Plain: StoreWrapper {
  let base: any FileStore
}

private struct Forgetful: StoreWrapper {
  let base: any FileStore
  let name: String

  var capabilities: Capabilities {
    var all = wrapped(base.capabilities)
    switch name {
    case "uploads": all.uploads = nil
    case "trash": all.trash = nil
    case "changes": all.changes = nil
    case "revisions": all.revisions = nil
    case "search": all.search = nil
    case "thumbnails": all.thumbnails = nil
    case "batches": all.batches = nil
    case "folders": all.folders = nil
    case "links": all.links = nil
    case "adopting": all.adopting = nil
    case "ready": all.ready = nil
    case "presence": all.presence = nil
    default: break
    }
    return all
  }
}

/// Some of its capabilities are another store's.
private struct Deaf: StoreWrapper {
  enum Ear { case uploads, trash }
  let base: any FileStore
  let ear: Ear

  var capabilities: Capabilities {
    var all = wrapped(base.capabilities)
    guard !all.isEmpty else { return all }
    switch ear {
    case .uploads: all.uploads = CapableStore()
    case .trash: all.trash = CapableStore()
    }
    return all
  }
}

extension Capabilities {
  fileprivate var isEmpty: Bool { names.isEmpty }
}

private struct Pictures: StoreAround {
  let base: any FileStore = MemoryStore()
  let copies: Copies
  var capabilities: Capabilities { Capabilities(thumbnails: copies) }
}

/// Fails as the name of the file says; "offline" only the first time.
private actor Copies: StoreThumbnails {
  private(set) var all: [[String]] = []
  nonisolated var batchFiles: Int { 25 }
  nonisolated var largestSide: Int { 128 }

  func thumbnails(
    of paths: [StorePath], side: Int
  ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
    all.append(paths.map(\.description))
    let time = all.count
    return paths.map { path in
      switch path.description {
      case "offline" where time == 1, "never": .failure(StoreError(.offline, "The line broke.", path: path))
      case "notFound": .failure(StoreError(.notFound, "There is no such file.", path: path))
      default: .success(StoreThumbnail(of: FileEntry(path: path, kind: .file), bytes: []))
      }
    }
  }
}
