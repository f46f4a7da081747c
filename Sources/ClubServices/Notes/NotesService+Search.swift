public import FileStores

extension NotesService {
  /// Notes that the store finds for words, by its own index; none when it has no search, or finds these words too few.
  /// Only what the club lists is told.
  /// - Throws: what the store throws.
  public func found(by words: String, limit: Int = 200) async throws(StoreError) -> [StoreMatch] {
    try await club.found(by: words, below: .root, limit: limit) { NotesService.isNote($0) }
  }
}

extension Club {
  /// What the store finds below a folder and `isShown` lets through. A folder that is not there has nothing in it.
  func found(
    by words: String, below folder: StorePath, limit: Int, _ isShown: (FileEntry) -> Bool
  ) async throws(StoreError) -> [StoreMatch] {
    guard let search = store.search else { return [] }
    let letters = words.unicodeScalars.filter { !$0.properties.isWhitespace }.count
    guard letters > 0, words.unicodeScalars.count >= search.fewestCharacters else { return [] }
    do throws(StoreError) {
      return try await search.files(matching: words, below: folder, limit: limit).filter { isShown($0.entry) }
    } catch {
      // A server that has no such call, or takes no such words, finds nothing; the club is read all the same.
      if [.unsupported, .badInput, .notFound].contains(error.kind) { return [] }
      throw error
    }
  }
}
