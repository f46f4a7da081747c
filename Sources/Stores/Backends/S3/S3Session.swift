internal import Basics
internal import FileStores

/// The facts about an upload, from which any process goes on.
struct S3Session: ChunkedSession {
  let path: StorePath
  let upload: String
  let partBytes: Int
  var exactBytes: Int? { partBytes }

  init(path: StorePath, upload: String, partBytes: Int) {
    (self.path, self.upload, self.partBytes) = (path, upload, partBytes)
  }

  /// nil for a session of another store.
  init?(_ session: UploadSession) {
    let parts = session.id.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Int(parts[0]), 1...(5 << 30) ~= bytes,
      let path = Base64.bytes(of: parts[1], .url).flatMap({ try? StorePath($0) }), !path.isRoot,
      let upload = Base64.bytes(of: parts[2], .url).flatMap({ String(validating: $0, as: UTF8.self) }), !upload.isEmpty
    else { return nil }
    self.init(path: path, upload: upload, partBytes: bytes)
  }

  var word: UploadSession {
    UploadSession("\(partBytes).\(Base64.text(of: path.bytes, .url)).\(Base64.text(of: Array(upload.utf8), .url))")
  }

  /// Marks a name that this upload has reserved.
  var mark: String { String(SHA256.hexadecimal(of: upload.utf8).prefix(32)) }
}
