import FileStores
import TestKit
import Testing

/// What a club must hold after operations that follow from a seed, one after the other.
struct ClubModel {
  /// What is there: texts by path.
  var files: [String: String] = [:]
  /// What is there when the operation under way succeeds.
  private(set) var wanted: [String: String] = [:]
  private var revisions: [String: Revision] = [:]
  private var state: UInt64
  private static let names = ["a.md", "B.md", "c d.md", "é.md", "sub/a.md", "sub/deep/e.md", "other/f.md"]

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// A number below `count`.
  mutating func dice(_ count: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33 % UInt64(count))
  }

  /// Does something, and expects what must come of it. What is temporary is thrown on.
  mutating func act(with store: any FileStore, step: Int) async throws {
    let name = ClubModel.names[dice(ClubModel.names.count)]
    let path = try StorePath(name)
    // Long enough that a cut has something to cut.
    let text = "step \(step) " + String(repeating: "x", count: dice(3) * 20_000)
    let source = DataSource(Array(text.utf8))
    let old = files[name]
    wanted = files
    switch dice(8) {
    case 0, 1:
      wanted[name] = old ?? text
      try await expecting(old == nil ? nil : [.exists]) { try await store.put(source, at: path, mode: .create) }
    case 2:
      wanted[name] = text
      try await expecting(nil) { try await store.put(source, at: path, mode: .overwrite) }
    case 3:
      guard old != nil, let revision = try await store.entry(at: path).revision else { return }
      wanted[name] = text
      try await expecting(nil) { try await store.put(source, at: path, mode: .replace(revision)) }
      revisions[name] = revision
    case 4:
      // One that was replaced or deleted since.
      guard let revision = revisions[name] else { return }
      try await expecting(old == nil ? [.notFound, .conflict] : [.conflict]) {
        try await store.put(source, at: path, mode: .replace(revision))
      }
    case 5:
      let target = ClubModel.names[dice(ClubModel.names.count)]
      guard target != name else { return }
      if let old, files[target] == nil { (wanted[name], wanted[target]) = (nil, old) }
      try await expecting(old == nil ? [.notFound] : files[target] == nil ? nil : [.exists]) {
        try await store.move(path, to: StorePath(target), ifRevision: nil)
      }
    case 6:
      wanted[name] = nil
      if dice(2) == 0, let trash = store.capabilities.trash {
        try await expecting(old == nil ? [.notFound] : nil) { try await trash.discard(path, ifRevision: nil) }
      } else {
        try await expecting(old == nil ? [.notFound] : nil) { try await store.delete(path, ifRevision: nil) }
      }
    default:
      try await expecting(old == nil ? [.notFound] : nil) {
        let text = String(decoding: try await store.readAll(path).bytes, as: UTF8.self)
        #expect(text == old)
      }
    }
    files = wanted
  }

  /// Runs an operation that succeeds, or fails with one of these kinds.
  private func expecting(_ kinds: Set<StoreError.Kind>?, _ body: () async throws -> some Any) async throws {
    do {
      _ = try await body()
      #expect(kinds == nil, "nothing was thrown, not \(kinds ?? [])")
    } catch let error as StoreError where !error.isTemporary {
      guard let kinds else { throw error }
      #expect(kinds.contains(error.kind), "\(error)")
    }
  }
}
