/// A search that is asked again.
struct RetryingSearch: StoreSearch {
  let base: any StoreSearch
  let retrying: Retrying

  var fewestCharacters: Int { base.fewestCharacters }

  func files(
    matching words: String, below folder: StorePath, limit: Int
  ) async throws(StoreError) -> [StoreMatch] {
    try await retrying { _ throws(StoreError) in
      try await base.files(matching: words, below: folder, limit: limit)
    }
  }
}
