import Backends
import Basics
import Database
import FileStores
import Foundation
import POSIX
import Logging
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// The checksum of an upload grows with it, and its own file becomes the club's.
@Suite(.serialized) struct SessionHashTests {
  private static let block = 4 << 20

  /// Bytes in which no two blocks are the same.
  private static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    var all: [UInt8] = []
    all.reserveCapacity(count + 8)
    while all.count < count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      withUnsafeBytes(of: state) { all += $0 }
    }
    return Array(all.prefix(count))
  }

  @Test(
    "Each block is hashed when it is whole, whatever the pieces; the checksum is that of all",
    arguments: [
      [block], [2 * block, block, 5], [3 << 20, 3 << 20, 3 << 20], [block - 1, 1, 1], [1, 2 * block, block - 1],
      [5 << 20, 9 << 20, 100_000], [7], [block, 0, block],
    ])
  func grows(pieces: [Int]) async throws {
    try await withScene { scene in
      let all = Self.bytes(pieces.reduce(0, +))
      let upload = try await scene.uploads.start(member: "ann", isConcurrent: false, isClosed: false)
      var end = 0
      for piece in pieces {
        try await scene.append(upload, at: end, Array(all[end..<end + piece]))
        end += piece
        #expect(try await scene.known(upload).count == end / Self.block)
      }
      let hash = try await scene.uploads.finish(upload, size: UInt64(end), mustBeClosed: false) { try await $0.hash() }
      #expect(hash == ContentHash(of: all))
      #expect(try await scene.known(upload) == [:])
    }
  }

  @Test("Over a restart, the finish reads the last block alone")
  func restart() async throws {
    try await withTemporaryFolder { folder in
      let all = Self.bytes(2 * Self.block + 1000)
      let upload: ServerUpload
      do {
        let scene = try SessionScene(folder)
        upload = try await scene.uploads.start(member: "ann", isConcurrent: false, isClosed: false)
        try await scene.append(upload, at: 0, Array(all[..<(6 << 20)]))
        try await scene.append(upload, at: 6 << 20, Array(all[(6 << 20)...]))
      }
      let scene = try SessionScene(folder)
      let file = try LocalFile(path: scene.path(upload), creating: false)
      // What is spoilt in the first blocks is not noticed; the last one counts as it is.
      try file.write([all[5] &+ 1], at: 5)
      try file.write([all[Self.block + 5] &+ 1], at: UInt64(Self.block + 5))
      let first = try await scene.digests(upload)
      #expect(first.hash == ContentHash(of: all))
      try file.write([all[2 * Self.block] &+ 1], at: UInt64(2 * Self.block))
      #expect(try await scene.digests(upload).prefix == first.prefix)
      #expect(try await scene.digests(upload).hash != first.hash)
    }
  }

  @Test("Of an upload that an earlier version began, the blocks are read")
  func unknown() async throws {
    try await withScene { scene in
      let all = Self.bytes(2 * Self.block + 1)
      let upload = try await scene.uploads.start(member: "ann", isConcurrent: false, isClosed: false)
      try LocalFile(path: scene.path(upload), creating: false).write(all[...Self.block], at: 0)
      try await scene.append(upload, at: Self.block + 1, Array(all[(Self.block + 1)...]))
      #expect(try await Array(scene.known(upload).keys) == [1])
      let hash = try await scene.uploads.finish(upload, size: nil, mustBeClosed: false) { try await $0.hash() }
      #expect(hash == ContentHash(of: all))
    }
  }

  @Test("A piece that is not taken whole leaves no digest")
  func failed() async throws {
    try await withScene { scene in
      let all = Self.bytes(3 * Self.block)
      let upload = try await scene.uploads.start(member: "ann", isConcurrent: false, isClosed: false)
      try await scene.append(upload, at: 0, Array(all[..<Self.block]))
      let piece = try await scene.content(Array(all[Self.block...]))
      truncate(try #require(piece.takeablePath), off_t(Self.block + 5))
      await #expect(throws: StoreError.self) {
        try await scene.uploads.append(to: upload, at: UInt64(Self.block), close: false, piece)
      }
      #expect(try await Array(scene.known(upload).keys) == [0])
      try await scene.append(upload, at: Self.block, Array(all[Self.block...]))
      let hash = try await scene.uploads.finish(upload, size: nil, mustBeClosed: false) { try await $0.hash() }
      #expect(hash == ContentHash(of: all))
    }
  }

  @Test("A concurrent upload's blocks are hashed in any order; one that is sent twice counts as it is now")
  func concurrent() async throws {
    try await withScene { scene in
      var all = Self.bytes(2 * Self.block + 3)
      let upload = try await scene.uploads.start(member: "ann", isConcurrent: true, isClosed: false)
      try await scene.append(upload, at: Self.block, Array(all[Self.block..<2 * Self.block]))
      try await scene.append(upload, at: 0, Array(all[..<Self.block]))
      try await scene.append(upload, at: 0, Array(all[..<Self.block]))
      #expect(everything(below: scene.folder + "/own/uploads").count == 2)
      #expect(try await scene.known(upload).count == 2)
      let other = Self.bytes(Self.block, seed: 2)
      all.replaceSubrange(..<Self.block, with: other)
      try await scene.append(upload, at: 0, other)
      // As if a power cut had taken the index's newest rows.
      let old = Array(repeating: 0 as UInt8, count: 32)
      try await scene.index.write { try $0.save(blocks: [old], from: 0, of: upload.id) }
      try await scene.append(upload, at: 2 * Self.block, Array(all[(2 * Self.block)...]), close: true)
      let hash = try await scene.uploads.finish(upload, size: nil, mustBeClosed: true) { try await $0.hash() }
      #expect(hash == ContentHash(of: all))
      #expect(everything(below: scene.folder + "/own/uploads") == [])
    }
  }

  @Test("The club takes the upload's own file")
  func adopted() async throws {
    try await withScene { scene in
      let all = Self.bytes(Self.block + 9)
      let upload = try await scene.uploads.start(member: "ann", isConcurrent: false, isClosed: false)
      try await scene.append(upload, at: 0, all)
      let inode = SessionScene.inode(scene.path(upload))
      #expect(inode != nil)
      let node = try await scene.finish(upload, "/new/big")
      #expect(node.hash == ContentHash(of: all) && node.size == UInt64(all.count))
      #expect(SessionScene.inode(scene.folder + "/club/new/big") == inode)
      #expect(everything(below: scene.folder + "/own/uploads") == [])
      await #expect(throws: UploadSessions.Fault.notFound) { try await scene.uploads.find(upload.id, member: "ann") }
    }
  }

  @Test("An upload whose file the club took and did not keep is whole, and can be finished elsewhere")
  func broughtBack() async throws {
    try await withScene { scene in
      let all = Self.bytes(Self.block + 9)
      let upload = try await scene.uploads.start(member: "ann", isConcurrent: false, isClosed: false)
      try await scene.append(upload, at: 0, all)
      await #expect(throws: StoreError.self) {
        try await scene.uploads.finish(upload, size: nil, mustBeClosed: false) { content in
          // As when another program's file came first, under the name that it was to have.
          unlink(try #require(content.takeablePath))
          throw StoreError(.server, "The disk said no.")
        }
      }
      #expect(everything(below: scene.folder + "/own/incoming") == [])
      let node = try await scene.finish(upload, "/big")
      #expect(node.hash == ContentHash(of: all))
      #expect(try Data(contentsOf: URL(fileURLWithPath: scene.folder + "/club/big")) == Data(all))
    }
  }

  @Test("No piece is added to an upload that is being made a file, and nobody makes a second one of it")
  func late() async throws {
    try await withScene { scene in
      let upload = try await scene.uploads.start(member: "ann", isConcurrent: false, isClosed: false)
      try await scene.append(upload, at: 0, [1, 2, 3])
      let late = Mutex<[Task<Void, any Error>]>([])
      let node = try await scene.uploads.finish(upload, size: 3, mustBeClosed: false) { content in
        late.withLock {
          $0 = [
            Task { try await scene.append(upload, at: 3, [4]) }, Task { _ = try await scene.finish(upload, "/b") },
          ]
        }
        for _ in 0..<1000 { await Task.yield() }
        return try await scene.files.put(content, SessionScene.order("/a"))
      }
      #expect(node.size == 3)
      for task in late.withLock({ $0 }) {
        await #expect(throws: UploadSessions.Fault.notFound) { try await task.value }
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: scene.folder + "/club/a")) == Data([1, 2, 3]))
      #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder + "/club") == ["a"])
    }
  }

  private func withScene(_ body: (SessionScene) async throws -> Void) async throws {
    try await withTemporaryFolder { try await body(SessionScene($0)) }
  }
}

extension BlockDigests {
  /// All but the last.
  fileprivate var prefix: ArraySlice<UInt8> { bytes.dropLast(BlockDigests.digestBytes) }
}

/// Upload sessions into a club in a folder.
private final class SessionScene: Sendable {
  let folder: String
  let database: ServerIndexDatabase
  let index: ClubIndex
  let room: ContentRoom
  let uploads: UploadSessions
  let files: ClubFiles

  init(_ folder: String) throws {
    self.folder = folder
    let pool = BlockingPool(threads: 4)
    let own = try PrivateDirectory(making: folder + "/own")
    database = try ServerIndexDatabase(path: own.path(of: "index.sqlite"))
    index = ClubIndex(
      store: try FolderStore(root: try PrivateDirectory(making: folder + "/club").path, pool: pool, hidesTrash: false),
      database: database, pool: pool, now: { 1_795_240_800 })
    room = try ContentRoom(below: own, pool: pool)
    uploads = UploadSessions(index: index, room: room)
    files = ClubFiles(index: index, room: room, versions: VersionLimits(), logger: Logger(label: "test"))
  }

  static func inode(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.systemFileNumber] as? Int
  }

  static func order(_ display: String) -> CommitOrder {
    CommitOrder(display: display, mode: .add, autorename: false, isStrict: false, clientModified: nil, author: .ada)
  }

  func path(_ upload: ServerUpload) -> String { room.uploads.path(of: upload.id) }

  /// Content as it comes from a client.
  func content(_ bytes: [UInt8]) async throws -> Content {
    let rest = Mutex(bytes[...])
    return try await room.receive(limit: .max) { () throws(StoreError) -> ByteChunk? in
      rest.withLock { rest in
        let chunk = rest.prefix(300_000)
        rest = rest.dropFirst(chunk.count)
        return chunk.isEmpty ? nil : chunk
      }
    }
  }

  func append(_ upload: ServerUpload, at offset: Int, _ bytes: [UInt8], close: Bool = false) async throws {
    try await uploads.append(to: upload, at: UInt64(offset), close: close, content(bytes))
  }

  func finish(_ upload: ServerUpload, _ display: String) async throws -> ServerNode {
    try await uploads.finish(upload, size: nil, mustBeClosed: false) { content in
      try await self.files.put(content, SessionScene.order(display))
    }
  }

  /// What the index knows of its blocks.
  func known(_ upload: ServerUpload) async throws -> [Int: [UInt8]] {
    try await index.read { try $0.blocks(ofUpload: upload.id, in: 0..<1000) }
  }

  /// What a finish would find.
  func digests(_ upload: ServerUpload) async throws -> BlockDigests {
    let file = try LocalFile(path: path(upload), creating: false)
    return try await uploads.blocks(of: upload, file, try file.size)
  }
}
