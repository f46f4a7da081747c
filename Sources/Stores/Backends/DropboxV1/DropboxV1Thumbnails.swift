internal import FileStores

struct DropboxV1Thumbnails: StoreThumbnails {
  let store: DropboxV1Store

  var batchFiles: Int { 1 }
  var questionsAtOnce: Int { store.client.connections }
  var largestSide: Int { 768 }

  private static let mostBytes = 4 << 20

  /// The API's sizes, by the shorter side of their boxes. A thumbnail's longer side is at least that, unless the
  /// picture is smaller.
  private static let sizes: [(side: Int, word: String)] = [(32, "xs"), (64, "s"), (128, "m"), (480, "l"), (768, "xl")]

  func thumbnails(
    of paths: [StorePath], side: Int
  ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
    try store.checkCancelled("The thumbnail", paths.first ?? .root)
    let size = DropboxV1Thumbnails.sizes.first { $0.side >= side }?.word ?? "xl"
    let results = await paths.results(atOnce: questionsAtOnce) { (path) throws(StoreError) in
      try await thumbnail(of: path, size)
    }
    try store.checkCancelled("The thumbnail", paths.first ?? .root)
    return results
  }

  private func thumbnail(of path: StorePath, _ size: String) async throws(StoreError) -> StoreThumbnail {
    try store.checkCancelled("The thumbnail", path)
    guard let place = store.folder.apiPath(path) else { throw store.missing(path) }
    let call = DropboxV1Call(.thumbnail, at: place, about: path, ["size": size, "format": "jpeg"])
    var bytes: [UInt8] = []
    var stated: FileEntry?
    let refusal = try await store.client.download(call) { (response, json) throws(StoreError) in
      guard let json else {
        // The page of a network's sign-in is no picture.
        if response.isPage { throw StoreError.foreignPage(path, store.client.server.name) }
        return
      }
      guard let metadata = DropboxV1Metadata(json), let entry = try store.entry(metadata, asked: path) else {
        throw store.client.nonsense("no metadata", call)
      }
      stated = entry
    } _: { (chunk) throws(StoreError) in
      guard bytes.count + chunk.count <= DropboxV1Thumbnails.mostBytes else {
        throw StoreError(
          .unsupported, "The small copy of \"\(path)\" has more than \(DropboxV1Thumbnails.mostBytes >> 20) MiB.",
          path: path)
      }
      bytes += chunk
    }
    if let refusal {
      guard refusal.isMissing || refusal.isUnknownRoute || refusal.status == 415 else { throw refusal.error }
      // 404 also means that the file is not a picture.
      if refusal.isMissing { _ = try await store.entry(at: path) }
      throw StoreError(
        .unsupported, "\(store.client.server.name) makes no small copy of \"\(path)\".", remedy: "Open the photo.",
        path: path)
    }
    if let stated { return StoreThumbnail(of: stated, bytes: bytes) }
    return StoreThumbnail(of: try await store.entry(at: path), bytes: bytes)
  }
}
