import FileStores

/// How much of the club's trash is kept.
public struct TrashLimits: Sendable {
  /// What was discarded so long ago goes.
  public var seconds: Int64 = 365 * 86_400
  /// The most files; the oldest go.
  public var count = 100_000
  /// When all files together are larger, the oldest go; nil for no limit.
  public var totalBytes: UInt64?

  /// Makes limits: a year and 100,000 files unless said otherwise.
  public init() {}

  /// What has to go.
  /// - Parameter files: the trash, newest first.
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

extension ClubFiles {
  /// Deletes what is too much in the trash; its files become old versions as far as those are kept.
  func forgetOldTrash(_ limits: TrashLimits) async throws {
    guard let trash = index.store.trash else { return }
    for file in limits.surplus(of: try await trash.contents(), at: index.now()) {
      if let slot = try await index.find(display: "/.club-trash/" + file.id) {
        try await delete(slot, rev: nil)
      } else {
        try await trash.delete(file.id)
      }
    }
  }
}
