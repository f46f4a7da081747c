import Basics
import Database
import FileStores

public struct SessionLimits: Sendable {
  /// The most uploads; beyond it the longest idle ones are dropped.
  public var count = 2_000
  /// The most bytes together; beyond it the longest idle uploads are dropped.
  public var totalBytes: UInt64 = 64 << 30
  /// Older uploads are dropped.
  public var seconds: Int64 = 7 * 86_400
  /// An upload that grew within this time is not dropped for others.
  var idleSeconds: Int64 = 3600

  public init() {}
}

extension UploadSessions {
  /// An upload that is larger than a whole quota can never become a file.
  func checkQuotas(of member: String, bytes: UInt64) async throws {
    let own = try await room.pool.run { () throws(StoreError) in try quotas.member(member) }
    for quota in [quotas.club, own].compactMap({ $0 }) where bytes > quota { throw Fault.overQuota }
  }

  /// Drops a member's idle uploads except `upload`, the longest idle first, until one more upload or the bytes fit.
  /// - Throws: 429 if the uploads are still too many; `tooLarge` if their bytes are.
  func makeRoom(of member: String, adding bytes: UInt64, sparing upload: ServerUpload? = nil) async throws {
    let uploads = try await index.read { try $0.uploads(of: member) }
    var count = uploads.count + (upload == nil ? 1 : 0)
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
