import FileStores
import TestKit
import Testing

@testable import ClubServices

/// Changes of names that were made while no account was known.
@Suite struct StrayNamesTests {
  private static let nobody = "https://club\nnobody"
  private let world: CopyWorld

  init() throws { world = try CopyWorld() }

  /// Makes `a.md` b.md, then c.md, while no account is known and the server is away; afterwards the server answers again.
  private func renamed() async throws -> CopyWorld.Process {
    try await world.put("one", at: "a.md")
    let process = try world.start(account: nil, place: StrayNamesTests.nobody, strays: StrayNamesTests.nobody)
    _ = try await process.names()
    try await process.copy.keepTexts()
    world.server.isAway = true
    await process.copy.probe()
    _ = try await process.notes.rename(try StorePath("a.md"), to: "b")
    _ = try await process.notes.rename(try StorePath("b.md"), to: "c")
    await world.back(process)
    return process
  }

  private func member() async throws -> CopyWorld.Process {
    let process = try world.start(strays: StrayNamesTests.nobody)
    _ = try await process.names()
    return process
  }

  private func words(_ process: CopyWorld.Process) async throws -> [String] {
    try await process.notes.waiting().sorted { $0.title < $1.title }.map { text in
      #expect(text.kind == .draft && text.isNobodys)
      return "\(text.title) \(String(decoding: text.beginning, as: UTF8.self))"
    }
  }

  @Test func `are listed for every account, and never sent by themselves`() async throws {
    let nobody = try await renamed()
    let listed = [
      "b.md renamed from \"a.md\"; belongs to nobody yet", "c.md renamed from \"b.md\"; belongs to nobody yet",
    ]
    let ann = try await member()
    for process in [nobody, ann] {
      #expect(try await words(process) == listed)
      #expect(try await process.notes.hasToSend(before: Timestamp(seconds: 0)) == false)
      #expect(await process.notes.sendNames().isEmpty)
    }
    #expect(try await ann.names() == ["a.md"])
    #expect(try await world.text("a.md") == "one")
    #expect(WaitingText.nobodysWords(try await ann.notes.waiting()) == "2 changes of names belong to nobody yet")
    #expect(world.failures.all.isEmpty)
  }

  @Test func `are sent on demand, with those before them on the same paths`() async throws {
    _ = try await renamed()
    let ann = try await member()
    let last = try #require(try await ann.notes.waiting().first { $0.title == "c.md" })
    #expect(last.changeWords == "\"c.md\" renamed from \"b.md\"")
    #expect(try await ann.notes.sendStray(last).map(\.message) == [])
    #expect(try await world.text("c.md") == "one")
    #expect(try await world.text("a.md") == nil)
    #expect(try await ann.notes.waiting().isEmpty)
    #expect(try await ann.names() == ["c.md"])
    await #expect(throws: StoreError.self) { try await ann.notes.sendStray(last) }
  }

  @Test func `wait as the member's own when the server does not answer`() async throws {
    _ = try await renamed()
    let ann = try await member()
    world.server.isAway = true
    await ann.copy.probe()
    let first = try #require(try await ann.notes.waiting().first { $0.title == "b.md" })
    #expect(try await ann.notes.sendStray(first).isEmpty)
    #expect(try await ann.notes.waiting().map(\.kind) == [.toSend, .draft])
    #expect(try await ann.names() == ["b.md"])
    await world.back(ann)
    #expect(await ann.notes.sendNames().isEmpty)
    #expect(try await world.text("b.md") == "one")
  }

  @Test func `are discarded on demand, and later ones begin at the file's place`() async throws {
    _ = try await renamed()
    let ann = try await member()
    try await ann.notes.discard(try #require(try await ann.notes.waiting().first { $0.title == "b.md" }))
    #expect(try await words(ann) == ["c.md renamed from \"a.md\"; belongs to nobody yet"])
    try await ann.notes.discard(try #require(try await ann.notes.waiting().first))
    #expect(try await ann.notes.waiting().isEmpty)
    #expect(try await world.text("a.md") == "one")
  }

  @Test func `cannot be sent while no account is known`() async throws {
    let nobody = try await renamed()
    let text = try #require(try await nobody.notes.waiting().first)
    do {
      _ = try await nobody.notes.sendStray(text)
      Issue.record("it was sent")
    } catch {
      #expect(error.kind == .notSignedIn && error.message.contains("belongs to nobody yet"))
    }
    #expect(try await world.text("a.md") == "one")
  }
}
