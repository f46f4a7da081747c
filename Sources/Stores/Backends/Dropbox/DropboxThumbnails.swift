internal import Basics
internal import FileStores
internal import JSON

/// Thumbnails made by the server: JPEG, PNG, TIFF, GIF, WebP, PPM and BMP up to 20 MB.
struct DropboxThumbnails: StoreThumbnails {
  let store: DropboxStore

  var batchFiles: Int { 25 }
  var largestSide: Int { 2400 }

  /// The API's sizes, by the shorter side of their boxes. A thumbnail's longer side is at least that, unless the
  /// picture is smaller.
  private static let sizes: [(side: Int, word: String)] = [
    (32, "w32h32"), (64, "w64h64"), (128, "w128h128"), (256, "w256h256"), (320, "w480h320"), (480, "w640h480"),
    (640, "w960h640"), (768, "w1024h768"), (1536, "w2048h1536"), (2400, "w3200h2400"),
  ]

  func thumbnails(
    of paths: [StorePath], side: Int
  ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
    var results: [Result<StoreThumbnail, StoreError>] = []
    let step = side > 768 ? 4 : batchFiles
    for start in stride(from: 0, to: paths.count, by: step) {
      results += try await ask(paths[start..<min(start + step, paths.count)], side: side)
    }
    return results
  }

  private func ask(
    _ paths: ArraySlice<StorePath>, side: Int
  ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
    try store.checkCancelled("The thumbnail", paths.first ?? .root)
    // Paths that the server cannot store are not requested.
    let places = paths.map { store.folder.apiPath($0) }
    let size = DropboxThumbnails.sizes.first { $0.side >= side } ?? (2400, "w3200h2400")
    let entries = places.compactMap { place in
      place.map { JSONValue.members(["path": .string($0), "format": "jpeg", "size": .string(size.word)]) }
    }
    var answers: [JSONValue] = []
    let call = DropboxCall(.thumbnails, .members(["entries": .array(entries)]), about: paths.first ?? .root)
    if !entries.isEmpty {
      let json = try await store.client.result(call)
      guard let values = json["entries"]?.elements, values.count == entries.count else {
        throw store.client.nonsense("the wrong number of pictures", call)
      }
      answers = values.reversed()
    }
    return zip(paths, places).map { path, place in
      guard place != nil, let answer = answers.popLast() else { return .failure(store.missing(path)) }
      do throws(StoreError) {
        return .success(try thumbnail(answer, path, call))
      } catch {
        return .failure(error.about(path))
      }
    }
  }

  private func thumbnail(
    _ json: JSONValue, _ path: StorePath, _ call: DropboxCall
  ) throws(StoreError) -> StoreThumbnail {
    guard json[".tag"]?.text == "success" else { throw try failure(json, path, call) }
    guard let bytes = json["thumbnail"]?.text.flatMap({ Base64.bytes(of: $0) }), !bytes.isEmpty else {
      throw store.client.nonsense("no picture", call)
    }
    return StoreThumbnail(of: try store.file(json["metadata"], call, at: path), bytes: bytes)
  }

  private func failure(
    _ json: JSONValue, _ path: StorePath, _ call: DropboxCall
  ) throws(StoreError) -> StoreError {
    let refusal = try store.client.failure(json, call)
    switch refusal.tags.last {
    case "unsupported_extension", "unsupported_image", "conversion_error", "encrypted_content", "not_file",
      "unsupported_content_type", "unsupported_file":
      return StoreError(
        .unsupported, "\(store.client.server.name) makes no small copy of \"\(path)\".", remedy: "Open the photo.",
        path: path)
    case "not_found", "not_folder": return store.missing(path)
    default: return refusal.error(path, store.client.server)
    }
  }
}
