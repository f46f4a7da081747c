internal import Basics
public import Backends
internal import Foundation
import Synchronization

/// A double of a Nextcloud server with the one member `ann`, not a Nextcloud: files in memory, at 127.0.0.1.
///
/// Written from the Nextcloud developer manual ("WebDAV basics", "Chunked file upload"), RFC 4918, RFC 4331, and a reading
/// of nextcloud/server (`ChunkingPlugin`, `ChunkingV2Plugin`, `UploadFolder`, `AssemblyStream`, the locks that
/// `FakeLockerPlugin` pretends) and of nextcloud/desktop (the `If` of its closing MOVE). As there, a condition is compared
/// before the body arrives, and a folder's ETag changes with everything below it. It checks no passwords.
public final class NextcloudDouble: Sendable {
  /// A way to misbehave.
  public enum Fault: Sendable, Hashable {
    /// The closing MOVE answers 504, then 423 as often as this, and the file is there in the end.
    case late(Int)
    /// The closing MOVE answers 500, and nothing has happened.
    case failed
    /// The connection breaks after the closing MOVE, whose file is there.
    case lostAnswer
    /// The next chunk's answer is lost; the chunk is there.
    case lostChunk
    /// The closing MOVE ignores its conditions.
    case noConditions
    /// There are no uploads in chunks.
    case noChunks
    /// A folder's ETag changes with its own entries only.
    case shallowTags
    /// The next file's first byte is kept as another one.
    case damagedFile
  }

  public struct Recorded: Sendable {
    public let method: String
    /// Percent-encoded.
    public let path: String
    public let headers: HTTPHeaders
    /// Of the body.
    public let bytes: Int
    public let status: Int
  }

  struct Node {
    /// nil for a folder.
    var bytes: [UInt8]?
    var tag: Int
    var seconds: Int64
    /// The checksum that came with the bytes, which is not computed.
    var checksum: String?

    var etag: String { "\"\(String(format: "%013x", tag))\"" }
  }

  struct State {
    /// By percent-encoded path, because strings take two normal forms of a name for one.
    var nodes: [String: Node] = [:]
    var tags = 0
    var faults: Set<Fault> = []
    var recorded: [Recorded] = []
    /// The number of answers 423 until a late file is there.
    var late: (left: Int, upload: String, target: String)?
    var room: UInt64?
    var clubs = 0
  }

  static let files = "/remote.php/dav/files/ann"
  static let uploads = "/remote.php/dav/uploads/ann"

  let state = Mutex(State())
  private let server = Mutex<RawServer?>(nil)

  public init() throws {
    state.withLock { state in
      for path in [NextcloudDouble.files, NextcloudDouble.uploads] { state.make(path, nil) }
    }
    let double = self
    let raw = try RawServer { connection in
      while let head = connection.head() {
        guard let answer = double.answer(head, connection) else { return connection.reset() }
        guard connection.send(answer) else { return }
        if answer.closes { return }
      }
    }
    server.withLock { $0 = raw }
  }

  public func stop() { server.withLock { $0 }?.stop() }

  public var origin: String { server.withLock { $0 }?.url ?? "" }

  /// The address of a folder that no other test has used.
  public func newClub() -> String {
    let path = state.withLock { state in
      state.clubs += 1
      let path = NextcloudDouble.files + "/club-\(state.clubs)"
      state.make(path, nil)
      return path
    }
    return origin + path
  }

  public func misbehave(_ faults: Fault...) { state.withLock { $0.faults = Set(faults) } }

  /// The free bytes that writes may still take; nil for no limit.
  public func leave(room: UInt64?) { state.withLock { $0.room = room } }

  /// Removes all unfinished uploads, as the server does after a day.
  public func forgetUploads() {
    state.withLock { state in
      for path in state.below(NextcloudDouble.uploads) { state.remove(path) }
    }
  }

  /// The names in the uploads of the member.
  public var openUploads: [String] { state.withLock { $0.below(NextcloudDouble.uploads) } }

  /// The names below a club, byteclub's own, too.
  public func names(in club: String) -> [String] {
    let path = String(club.dropFirst(origin.count))
    let names = state.withLock { state in
      state.nodes.keys.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.count + 1)) }.sorted()
    }
    return names.map { PercentEncoding.decoded($0, plusIsSpace: false) ?? $0 }
  }

  /// All requests since the last call, in the order of their answers.
  public func takeRecorded() -> [Recorded] {
    state.withLock { state in
      defer { state.recorded = [] }
      return state.recorded
    }
  }

  /// nil breaks the connection.
  private func answer(_ head: RawRequest, _ connection: RawConnection) -> RawAnswer? {
    let path = NextcloudDouble.path(head.target)
    // As at sabre/dav, before the body arrives.
    let refused = state.withLock { $0.refusal(head, path) }
    if head.headers["Expect"] != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
    let body = connection.body(of: head)
    // A broken body leaves nothing.
    if let length = head.headers["Content-Length"].flatMap({ Int($0) }), body.count < length { return nil }
    return state.withLock { state in
      let reply = refused ?? state.perform(head, path, body)
      state.recorded.append(
        Recorded(method: head.method, path: path, headers: head.headers, bytes: body.count, status: reply.status))
      return reply.isLost ? nil : RawAnswer(reply.status, headers: reply.headers, body: reply.body)
    }
  }

  struct Reply {
    let status: Int
    var headers: HTTPHeaders = [:]
    var body: [UInt8] = []
    var isLost = false

    init(_ status: Int) { self.status = status }
  }

  /// The path of an address in one way of writing, percent-encoded, without a slash at its end.
  static func path(_ target: String) -> String {
    let plain = PercentEncoding.decoded(target, plusIsSpace: false) ?? target
    let path = PercentEncoding.encoded(plain, keepingSlashes: true)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
