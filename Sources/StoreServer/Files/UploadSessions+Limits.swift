import Database
import FileStores

/// How much of unfinished uploads is kept of one member.
public struct SessionLimits: Sendable {
  /// The most uploads under way; of more, those go that were left alone for the longest time.
  public var count = 2_000
  /// The most bytes of them together, in the same way.
  public var totalBytes: UInt64 = 64 << 30
  /// An upload that began so long ago goes.
  public var seconds: Int64 = 7 * 86_400
  /// An upload to which something was added since does not go for others.
  var idleSeconds: Int64 = 3600

  /// Makes limits: 2,000 uploads, 64 GiB and a week unless said otherwise.
  public init() {}
}

extension UploadSessions {
  /// Drops uploads of a member that were left alone, the oldest first, where with one more, or with more bytes, they are
  /// too many.
  /// - Parameter upload: stays.
  /// - Throws: 429 when they are too many all the same; `tooLarge` when their bytes are.
  func makeRoom(of member: String, adding bytes: UInt64, sparing upload: ServerUpload? = nil) async throws {
    let uploads = try await index.read { try $0.uploads(of: member) }
    var count = uploads.count + (upload == nil ? 1 : 0)
    // What an upload has is looked at only where that can be too much.
    guard count > limits.count || bytes > 0 else { return }
    let directory = room.uploads
    let known = await room.pool.run {
      uploads.map { (upload: $0, facts: directory.facts(of: $0.id) ?? (0, 0)) }
    }
    var total = known.reduce(bytes) { $0 + $1.facts.bytes }
    guard count > limits.count || total > limits.totalBytes else { return }
    let end = index.now() - limits.idleSeconds
    for (other, facts) in known.sorted(by: { $0.facts.changed < $1.facts.changed }) {
      guard count > limits.count || total > limits.totalBytes else { return }
      guard other.id != upload?.id, facts.changed <= end else { continue }
      try await remove(other)
      (count, total) = (count - 1, total - facts.bytes)
    }
    if count > limits.count { throw APIFailure.tooMany(retryAfter: 60) }
    if total > limits.totalBytes { throw Fault.tooLarge }
  }
}
