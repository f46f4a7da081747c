public import FileStores

extension DropboxV1Store {
  /// A picture of a picture, made by the server.
  public enum ThumbnailSize: String, Sendable, CaseIterable {
    /// Within 32 × 32 pixels.
    case tiny = "xs"
    /// Within 64 × 64 pixels.
    case small = "s"
    /// Within 128 × 128 pixels.
    case medium = "m"
    /// Within 640 × 480 pixels.
    case large = "l"
    /// Within 1024 × 768 pixels.
    case huge = "xl"
  }

  /// Files and folders at any depth below `folder` whose names have all the words of `query` in them, as the server
  /// compares words: without regard to case. At most 1000.
  /// - Throws: `badInput` when the query has fewer than three characters; `notFound`.
  public func search(_ query: String, below folder: StorePath) async throws(StoreError) -> [FileEntry] {
    try checkCancelled("The search", folder)
    guard let place = self.folder.apiPath(folder) else { throw missing(folder) }
    guard query.unicodeScalars.count >= 3 else {
      throw StoreError(
        .badInput, "The server searches for three characters or more.", remedy: "Search for a longer word.",
        path: folder)
    }
    let call = DropboxV1Call(.search, at: place, about: folder, ["query": query, "file_limit": "1000"])
    guard let values = try await client.result(call).values else { throw client.fault.nonsense("no list", call) }
    var found: [FileEntry] = []
    for value in values {
      guard let metadata = DropboxV1Metadata(value) else { throw client.fault.nonsense("no metadata", call) }
      guard let path = path(of: metadata), !DropboxFolder.isOwn(path), let entry = metadata.entry(at: path) else {
        continue
      }
      found.append(entry)
    }
    return found
  }

  /// A small JPEG of a picture.
  /// - Throws: `notFound` when nothing is there or it is no picture; `unsupported` for a picture that the server cannot
  ///   read; `tooLarge` for an answer of more than 4 MiB.
  public func thumbnail(of path: StorePath, _ size: ThumbnailSize) async throws(StoreError) -> [UInt8] {
    try checkCancelled("The thumbnail", path)
    guard let place = folder.apiPath(path) else { throw missing(path) }
    let call = DropboxV1Call(.thumbnail, at: place, about: path, ["size": size.rawValue, "format": "jpeg"])
    var bytes: [UInt8] = []
    let refusal = try await client.download(call) { (_, _) throws(StoreError) in
    } _: { (chunk) throws(StoreError) in
      guard bytes.count + chunk.count <= 4 << 20 else {
        throw StoreError(.tooLarge, "The thumbnail of \"\(path)\" has more than 4 MiB.", path: path)
      }
      bytes += chunk
    }
    if let refusal { throw refusal.error }
    return bytes
  }

  /// Who is signed in: a name for people, and an address where the server tells one.
  /// - Throws: `notSignedIn` among others.
  public func account() async throws(StoreError) -> (name: String, email: String?) {
    let call = DropboxV1Call(.account, about: .root, [:])
    let json = try await client.result(call)
    guard let name = json["display_name"]?.text else { throw client.fault.nonsense("no name", call) }
    return (name, json["email"]?.text)
  }
}
