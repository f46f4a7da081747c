public import FileStores

/// Photos that change their album. Folders need no making: a store makes those of a path.
extension PhotosService {
  /// The folder of a typed album, such as `oslo`, `oslo/` or `2026/oslo`; empty and `/` are the photos folder.
  /// - Throws: `badName` for a name that no list would show.
  public static func album(named typed: String, below folder: StorePath) throws(StoreError) -> StorePath {
    var name = typed[...]
    if name.hasPrefix("/") { name.removeFirst() }
    if name.hasSuffix("/") { name.removeLast() }
    guard !name.isEmpty else { return folder }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let fault = parts.count > Albums.mostDepth ? "has more than \(Albums.mostDepth) parts" : nil
    if let fault = fault ?? parts.lazy.compactMap({ albumFault(in: String($0)) }).first {
      throw StoreError(.badName, "The album \"\(typed)\" \(fault).", remedy: "Choose another name.")
    }
    return try StorePath(folder.bytes + (folder.isRoot ? [] : [UInt8(ascii: "/")]) + Array(name.utf8))
  }

  private static func albumFault(in part: String) -> String? {
    if part.isEmpty { return "has two slashes in a row" }
    return part.hasPrefix(".") ? "has a part that begins with a dot, and would be hidden" : NameText.fault(in: part)
  }

  /// As `album(named:below:)`; a name that differs from an album's in letter case or Unicode form alone means that one.
  /// - Throws: `badName`; errors of the listing, but not while the store is away.
  public func album(named typed: String) async throws(StoreError) -> StorePath {
    let album = try Self.album(named: typed, below: club.photosFolder)
    guard let name = album.relative(to: club.photosFolder), !name.isEmpty else { return album }
    do throws(StoreError) {
      return club.photosFolder.descending(Albums.meant(by: Array(name), among: try await albums())[...])
    } catch {
      guard error.isTemporary else { throw error }
      return album
    }
  }

  /// True if the club has this album. A name with a dot is a photo's; while the store is away, none is an album.
  public func isAlbum(_ name: String) async throws(StoreError) -> Bool {
    guard !name.contains(".") else { return false }
    do throws(StoreError) {
      return try await club.store.entry(at: try Self.album(named: name, below: club.photosFolder)).kind == .folder
    } catch {
      guard error.isTemporary || [.notFound, .badName, .badInput].contains(error.kind) else { throw error }
      return false
    }
  }

  /// The paths of all albums below the photos folder.
  /// - Throws: errors of the listing.
  public func albums() async throws(StoreError) -> [[UInt8]] {
    if !known.isListed { try await list { _ in } }
    let names = known.all.map { name(of: $0.path) }
    return Albums.all(of: names.count) { names[$0][...] }
  }

  /// Moves a photo into an album, or out of it, with all that follows it to a new name (`rename`). Its doors still lead to
  /// the same photos.
  /// - Parameter name: a new name; nil keeps it.
  /// - Throws: `notFound`; `exists`; `badName`; `badInput` if it is there already.
  public func move(
    _ path: StorePath, to album: StorePath, named name: String? = nil
  ) async throws(StoreError) -> FileEntry {
    var newName = Array(path.name)
    if let name { newName = Array(try checked(name, of: path).utf8) }
    let target = try album.appending(newName)
    guard target != path else {
      throw StoreError(
        .badInput, "\"\(path)\" is in that album already.", remedy: "Choose another album.", path: path)
    }
    if known.entry(at: album) != nil {
      throw StoreError(
        .exists, "\"\(album)\" is a photo, so it can be no album.", remedy: "Choose another name.", path: album)
    }
    return try await relocate(path, to: target)
  }
}
