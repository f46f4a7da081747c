public import FileStores

/// Pages where a phone without an account leaves photos.
extension LinkService {
  /// Of a page that is asked for without an end, and without a limit.
  public static let dropEnd = LinkEnd.after(86_400)
  public static let dropBytes: UInt64 = 500 << 20

  /// A new page for photos. The folder is a path from the photos folder, or one in the club below it; empty for the
  /// photos folder itself. An empty name of the giver counts as none.
  /// - Throws: `unsupported` for a store without such pages; `badInput` for a page without an end, or one that has passed;
  ///   as `LinkSharing.dropPage`.
  public func dropPage(
    into folder: String = "", giver: String = "", end: LinkEnd = dropEnd, mostBytes: UInt64 = dropBytes
  ) async throws(StoreError) -> SharedLink {
    guard let pages = club.store.capabilities.links else {
      throw StoreError(
        .unsupported, "The place of this club, \(club.place), has no page where a phone leaves photos.",
        remedy: "Clubs behind byteclub serve --drop-pages have one.")
    }
    let (path, now) = (try self.folder(folder), now())
    guard let expires = end.time(from: now), expires > now else {
      throw StoreError(
        .badInput, "A page for photos needs an end that is still to come.", remedy: "Name one, such as 1d.", path: path)
    }
    let name = giver.split { $0.isWhitespace }.joined(separator: " ")
    let terms = DropTerms(giver: name.isEmpty ? nil : name, mostBytes: mostBytes)
    return try await pages.dropPage(into: path, terms, expires: expires)
  }

  private func folder(_ typed: String) throws(StoreError) -> StorePath {
    let name = typed.hasSuffix("/") ? String(typed.dropLast()) : typed
    guard !name.isEmpty else { return club.photosFolder }
    let path = try StorePath(name)
    if path == club.photosFolder || path.relative(to: club.photosFolder) != nil { return path }
    return try StorePath(club.photosFolder.bytes + [UInt8(ascii: "/")] + path.bytes)
  }
}

extension PhotosService {
  /// See `LinkService.dropPage`.
  public func dropPage(giver: String) async throws(StoreError) -> SharedLink {
    try await LinkService(club).dropPage(giver: giver)
  }
}
