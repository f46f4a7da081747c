import Database
import FileStores
import Testing

/// The server's index, by itself.
struct ServerIndexTests {
  private func node(_ number: Int) throws -> ServerNode {
    ServerNode(
      key: "/f/\(number)", id: "id:\(number)", display: "/f/\(number)", path: try StorePath("f/\(number)"),
      isFolder: false, storeRevision: Revision("r\(number)"))
  }

  @Test(arguments: [0, 1, 2, 249, 250, 251, 500, 777])
  func `many paths are asked for at once, and each is found that is there`(count: Int) throws {
    let index = try ServerIndexDatabase(path: ":memory:")
    try index.write { for number in 0..<count where number % 3 != 1 { try $0.save(node(number)) } }
    let gone = try node(0)
    if count > 0 { try index.write { try $0.remove(gone) } }
    let found = try index.read { try $0.nodes(at: (0..<count).map { try StorePath("f/\($0)") }) }
    let there = (0..<count).filter { $0 % 3 != 1 && $0 > 0 }
    #expect(Set(found.keys) == Set(try there.map { try StorePath("f/\($0)") }))
    for number in there { #expect(found[try StorePath("f/\(number)")]?.id == "id:\(number)") }
  }

  @Test func `a file without a checksum is in no listing and no feed, and counts as there`() throws {
    let index = try ServerIndexDatabase(path: ":memory:")
    var (bare, whole) = (try node(1), try node(2))
    whole.hash = ContentHash(of: [1])
    var gone = try node(3)
    gone.isDeleted = true
    let folder = ServerNode(key: "/f", id: "id:f", display: "/f", path: try StorePath("f"), isFolder: true)
    try index.write { writing in for each in [folder, bare, whole, gone] { try writing.save(each) } }
    func listed(_ reading: ServerIndexReading) throws -> [String] {
      try reading.listed(in: .subtree(""), after: "", limit: 9, deleted: true).map(\.key)
    }
    func changes(_ reading: ServerIndexReading) throws -> [String] {
      try reading.changes(in: .subtree(""), after: 0, limit: 9).map(\.key)
    }
    #expect(try index.read(listed) == ["/f", "/f/2", "/f/3"] && index.read(changes) == ["/f", "/f/2", "/f/3"])
    #expect(try index.read { try $0.nodes(in: .subtree(""), after: "", limit: 9) }.count == 3)
    bare.hash = ContentHash(of: [2])
    _ = try index.write { try $0.save(bare) }
    #expect(try index.read(listed) == ["/f", "/f/1", "/f/2", "/f/3"])
    #expect(try index.read(changes) == ["/f", "/f/2", "/f/3", "/f/1"])
  }

  @Test func `what an upload's blocks have is known by their numbers, and goes with it`() throws {
    let index = try ServerIndexDatabase(path: ":memory:")
    let upload = ServerUpload(id: "u1", member: "ann", isConcurrent: false, created: 1, isClosed: false)
    try index.write {
      try $0.save(upload)
      try $0.save(blocks: [[0], [1], [2]], from: 0, of: "u1")
      try $0.save(blocks: [[9]], from: 1, of: "u1")
      try $0.save(blocks: [[7]], from: 0, of: "u2")
    }
    #expect(try index.read { try $0.blocks(ofUpload: "u1", in: 1..<3) } == [1: [9], 2: [2]])
    try index.write { try $0.forget(upload) }
    #expect(try index.read { try $0.blocks(ofUpload: "u1", in: 0..<9) } == [:])
    #expect(try index.read { try $0.blocks(ofUpload: "u2", in: 0..<9) } == [0: [7]])
  }

  @Test func `two indexes never assign the same number, also when both are made in one second`() throws {
    let starts = try (0..<8).map { _ in
      try ServerIndexDatabase(path: ":memory:").write { try $0.nextNumber() }
    }.sorted()
    for (one, next) in zip(starts, starts.dropFirst()) { #expect(next - one > 1_000_000) }
    // Below the numbers that JSON's readers hold exactly.
    #expect(starts.allSatisfy { $0 > 0 && $0 < 1 << 47 })
  }

  @Test func `numbers go on after a restoration above those that the index may have assigned`() throws {
    let index = try ServerIndexDatabase(path: ":memory:")
    let before = try index.write { try $0.nextNumber() }
    let time = Timestamp.now().seconds + 1000
    try index.write { try $0.resumeAfterRestoration(at: time) }
    let after = try index.write { try $0.nextNumber() }
    #expect(after - before >= 1000 * 4096 && after - before < 1100 * 4096)
  }
}
