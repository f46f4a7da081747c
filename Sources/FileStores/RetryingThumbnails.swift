/// Small copies that are asked for again, only those that failed for a while.
struct RetryingThumbnails: StoreThumbnails {
  let base: any StoreThumbnails
  let retrying: Retrying

  var batchFiles: Int { base.batchFiles }
  var questionsAtOnce: Int { base.questionsAtOnce }
  var largestSide: Int { base.largestSide }

  func thumbnails(
    of paths: [StorePath], side: Int
  ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
    try await retrying.each(paths) { (paths, _) throws(StoreError) in
      try await base.thumbnails(of: paths, side: side)
    }
  }
}
