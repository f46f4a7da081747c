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

  @Test func `a checksum is kept of the version that it was found of, and of no other`() throws {
    let index = try ServerIndexDatabase(path: ":memory:")
    let hash = ContentHash(of: [1])
    var old = try node(1)
    _ = try index.write { try $0.save(old) }
    #expect(try index.node(key: old.key)?.hash == nil)
    try index.write { try $0.set(hash, of: old) }
    // Also where the row was remembered.
    #expect(try index.node(key: old.key)?.hash == hash)
    var new = old
    new.storeRevision = Revision("other")
    _ = try index.write { try $0.save(new) }
    try index.write { try $0.set(hash, of: old) }
    #expect(try index.node(key: old.key)?.hash == nil)
    old.storeRevision = new.storeRevision
    try index.write {
      try $0.remove(new)
      try $0.set(hash, of: old)
    }
    #expect(try index.read { try $0.node(key: old.key, deleted: true)?.hash } == nil)
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
}
