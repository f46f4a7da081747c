internal import FileStores

/// Links of a store with a local copy, by the names that the member sees. Links need the store itself.
struct CopiedLinks: LinkSharing {
  let base: any LinkSharing
  let copy: LocalCopy

  func link(to path: StorePath, _ terms: LinkTerms) async throws(StoreError) -> SharedLink {
    let place = try await place(of: path)
    return try await base.link(to: place, terms).moved(to: path)
  }

  func dropPage(
    into folder: StorePath, _ terms: DropTerms, expires: Timestamp?
  ) async throws(StoreError) -> SharedLink {
    try await base.dropPage(into: folder, terms, expires: expires)
  }

  func links(to path: StorePath?) async throws(StoreError) -> [SharedLink] {
    guard let path else { return try await base.links(to: nil) }
    let place = try await place(of: path)
    return try await base.links(to: place).map { $0.moved(to: path) }
  }

  func revoke(_ url: String) async throws(StoreError) { try await base.revoke(url) }

  /// The store's path of a file, whose new name may still wait to be sent.
  private func place(of path: StorePath) async throws(StoreError) -> StorePath {
    await copy.load()
    guard copy.isListed(path) else { return path }
    guard case .at(let place) = copy.origin(of: path) else {
      // A restored file can be shared when the store has it.
      throw copy.entry(at: path) == nil ? LocalCopyStore.missing(path) : try await copy.awayError(path)
    }
    return place
  }
}
