import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Counts the calls of each kind, and gives each version an author.
private final class CountedStore: StoreAround {
  let base: any FileStore
  private let counts = Mutex<[String: Int]>([:])
  /// The error of asking for versions.
  let failure = Mutex<StoreError?>(nil)

  init(_ base: any FileStore) { self.base = base }

  var capabilities: Capabilities { wrapped(base.capabilities) }

  /// The calls since the last question.
  func take() -> [String: Int] {
    counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
  }

  func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    counts.withLock { $0["\(call.name)", default: 0] += 1 }
    if "\(call.name)" == "versions", let error = failure.withLock({ $0 }) { throw error }
    let answer = try await body()
    guard let versions = answer as? [FileEntry] else { return answer }
    let written = versions.map {
      FileEntry(
        path: $0.path, kind: $0.kind, size: $0.size, modified: $0.modified, revision: $0.revision, member: "eve")
    }
    return written as? Answer ?? answer
  }
}

@Suite struct TalkTextsTests {
  private let world: NotesWorld
  private let store: CountedStore
  private let walk: StorePath

  init() throws {
    world = try NotesWorld()
    store = CountedStore(world.memory)
    walk = try StorePath("walk.md")
  }

  private static func remarks(_ texts: String...) -> String {
    "# Remarks on walk.md\n\n"
      + texts.enumerated().map { "- **ann** 2026-11-26 18:04Z aaaaaaa\($0): \($1)\n" }.joined()
  }

  private func texts(_ service: NotesService) async throws -> [String] {
    try await service.talk(about: walk).remarks.map(\.text)
  }

  @Test func `a talk file is read once for each revision, by whichever view asks`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put(Self.remarks("one"), at: "walk.md.talk.md")
    let service = try world.service(store: store)
    try await service.details { _ in }
    #expect(await service.remarkFacts()?[walk]?.count == 1)
    #expect(store.take()["read"] == 1, "the listing reads it")
    #expect(try await texts(service) == ["one"] && store.take() == ["entry": 1])
    _ = try await service.happenings()
    #expect(store.take()["read"] == nil, "the news has the revision from its listing")
    try await world.put(Self.remarks("one", "two"), at: "walk.md.talk.md")
    #expect(try await texts(service) == ["one", "two"] && store.take()["read"] == 1)
    #expect(try await texts(service) == ["one", "two"] && store.take()["read"] == nil)
  }

  @Test func `a talk file that is gone has no remarks, and one that comes again is read`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put(Self.remarks("one"), at: "walk.md.talk.md")
    let service = try world.service(store: store)
    #expect(try await texts(service) == ["one"])
    try await store.base.delete(try Talk.path(of: walk), ifRevision: nil)
    #expect(try await texts(service).isEmpty)
    try await world.put(Self.remarks("other"), at: "walk.md.talk.md")
    #expect(try await texts(service) == ["other"])
  }

  @Test func `the authors of the lines are found out once for each revision`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put(Self.remarks("one"), at: "walk.md.talk.md")
    let service = try world.service(store: store)
    _ = try await texts(service)
    #expect(try await service.checkedTalk(about: walk)?.remarks.map(\.bringer) == ["eve"])
    #expect(store.take()["versions"] == 1)
    #expect(try await service.checkedTalk(about: walk)?.remarks.map(\.bringer) == ["eve"])
    #expect(store.take().keys.allSatisfy { $0 == "entry" }, "neither versions nor texts")
    try await world.put(Self.remarks("one", "two"), at: "walk.md.talk.md")
    _ = try await texts(service)
    #expect(try await service.checkedTalk(about: walk)?.remarks.map(\.bringer) == ["eve", "eve"])
    #expect(store.take()["versions"] == 1)
  }

  @Test func `a failure to compare names is said, and the remarks are there`() async throws {
    try await world.put("a", at: "walk.md")
    try await world.put(Self.remarks("one"), at: "walk.md.talk.md")
    let service = try world.service(store: store)
    store.failure.withLock { $0 = StoreError(.offline, "The server does not answer.") }
    let checked = try #require(try await service.checkedTalk(about: walk))
    #expect(checked.uncompared == "Names are not compared: The server does not answer.")
    #expect(checked.remarks.map(\.text) == ["one"] && checked.remarks.map(\.bringer) == [nil])
    var note = try await service.open(walk)
    note.remarks = await service.remarks(on: note)
    #expect(await service.checkedRemarks(on: note)?.talk.uncompared == checked.uncompared)
    store.failure.withLock { $0 = nil }
    #expect(try await service.checkedTalk(about: walk)?.uncompared == nil)
    #expect(try await service.checkedTalk(about: walk)?.remarks.map(\.bringer) == ["eve"])
  }

  /// A file with one letter of Latin-1 in the line itself reads as Latin-1; one with a NUL is no text.
  @Test(arguments: [[0xFF, 0x00], [0xE9]] as [[UInt8]])
  func `bytes that are not UTF-8 do not hide who brought a remark`(strange: [UInt8]) async throws {
    try await world.put("a", at: "walk.md")
    let bytes = Array(Self.remarks("one").utf8.dropLast()) + strange + [0x0A]
    _ = try await store.base.put(DataSource(bytes), at: try Talk.path(of: walk), mode: .create)
    let service = try world.service(store: store)
    #expect(try await service.checkedTalk(about: walk)?.remarks.map(\.bringer) == ["eve"])
  }

  @Test func `the texts that were used last stay within the bounds`() throws {
    let texts = TalkTexts(mostBytes: 100, mostFiles: 3)
    let revision = Revision("1")
    let paths = try (0..<5).map { try StorePath("\($0).md.talk.md") }
    for path in paths.prefix(3) { texts.keep([UInt8](repeating: 0x61, count: 10), of: path, revision) }
    #expect(texts.bytes(of: paths[0], revision)?.count == 10)
    texts.keep([0x61], of: paths[3], revision)
    #expect(paths.map { texts.has($0) } == [true, false, true, true, false], "the one used longest ago went")
    texts.keep([UInt8](repeating: 0x61, count: 95), of: paths[4], revision)
    #expect(paths.map { texts.has($0) } == [false, false, false, true, true])
    texts.keep([UInt8](repeating: 0x61, count: 101), of: paths[0], revision)
    #expect(paths.map { texts.has($0) } == [false, false, false, true, true], "a text beyond the bound is not kept")
  }

  @Test func `authors count as the text does, and belong to their revision alone`() throws {
    let texts = TalkTexts(mostBytes: 30, mostFiles: 9)
    let (path, other) = (try StorePath("a.md.talk.md"), try StorePath("b.md.talk.md"))
    texts.keep([1, 2], of: path, Revision("1"))
    texts.keep(["- x": ["eve"]], of: path, Revision("2"))
    #expect(texts.authors(of: path, Revision("1")) == nil && texts.authors(of: path, Revision("2")) == nil)
    texts.keep(["- x": ["eve"]], of: path, Revision("1"))
    #expect(texts.authors(of: path, Revision("1")) == ["- x": ["eve"]])
    texts.keep([3], of: path, Revision("2"))
    #expect(texts.bytes(of: path, Revision("1")) == nil && texts.authors(of: path, Revision("2")) == nil)
    texts.keep([UInt8](repeating: 0x61, count: 15), of: other, Revision("1"))
    texts.keep(["- y": ["eve"]], of: other, Revision("1"))
    #expect(!texts.has(path) && texts.has(other))
  }
}
