import Basics
import Database
import FileStores

/// Limits of old versions. The current version of a file is always kept and does not count.
public struct VersionLimits: Sendable {
  /// Files up to this size are kept when first seen, larger ones when a member replaces or deletes them.
  public var atOnceBytes: UInt64 = 1 << 20
  /// Files above this size are not kept when they are replaced or deleted.
  public var fileBytes: UInt64 = 256 << 20
  /// The most bytes of all old versions; beyond it the oldest are dropped.
  public var totalBytes: UInt64 = 2 << 30
  /// The most versions of one path; beyond it the oldest are dropped.
  public var count = 200
  /// Versions replaced longer ago are dropped, except the newest of each path, even of a deleted one.
  public var seconds: Int64 = 365 * 86_400
  /// Lets a member delete a file with all its versions.
  public var canBeErased = false

  public init() {}
}

public struct TrashLimits: Sendable {
  /// Older files are deleted.
  public var seconds: Int64 = 365 * 86_400
  /// The most files; the oldest are deleted.
  public var count = 100_000
  /// The oldest files beyond this total are deleted; nil for no limit.
  public var totalBytes: UInt64?

  public init() {}

  /// The files beyond the limits, of a trash given newest first.
  func surplus(of files: [TrashedFile], at now: Int64) -> [TrashedFile] {
    var bytes: UInt64 = 0
    var surplus: [TrashedFile] = []
    for (number, file) in files.enumerated() {
      bytes = bytes.addingReportingOverflow(file.size).partialValue
      if file.discarded.seconds < now - seconds || number >= count || totalBytes.map({ bytes > $0 }) ?? false {
        surplus.append(file)
      }
    }
    return surplus
  }
}

extension ServerNode {
  /// The folder in a club's folder into which byteclub's clients move the files that a member deletes.
  static let trashName = ".club-trash"

  var isInTrash: Bool { PathText.parts(display).contains { $0 == ServerNode.trashName } }
}

extension ClubFiles {
  /// Deletes trash beyond the limits; its files become old versions within their own limits.
  func forgetOldTrash(_ limits: TrashLimits) async throws {
    guard let trash = index.store.capabilities.trash else { return }
    for file in limits.surplus(of: try await trash.contents(), at: index.now()) {
      if let slot = try await index.find(display: "/\(ServerNode.trashName)/\(file.id)") {
        try await delete(slot, rev: nil)
      } else {
        try await trash.delete(file.id)
      }
    }
  }
}
