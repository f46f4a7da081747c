internal import FileStores
internal import XML

extension S3Uploads {
  /// Looks for uploads of this key (ListMultipartUploads) that have no part. Another member's that has just begun may be
  /// among them; its client then begins anew. The times of the list do not count: moto's are made up.
  func abandonLost(to path: StorePath) async throws(StoreError) {
    guard let key = store.place.key(path) else { return }
    for session in try await uploads(of: key, path) {
      let parts = try await store.steadily { () throws(StoreError) in
        try await ifThere { () throws(StoreError) in try await self.parts(session) } ?? []
      }
      if parts.isEmpty { try await store.steadily { () throws(StoreError) in try await abandon(session.word) } }
    }
  }

  private func uploads(
    of key: String, _ path: StorePath
  ) async throws(StoreError) -> [S3Session] {
    var found: [S3Session] = []
    var marker: (key: String, upload: String)?
    var bounds = PageBounds("the uploads to \"\(path)\"", about: path, store.place.name)
    while true {
      var query = [("uploads", ""), ("encoding-type", "url"), ("prefix", key)]
      if let marker { query += [("key-marker", marker.key), ("upload-id-marker", marker.upload)] }
      let call = S3Call(.get, nil, about: path, query: query)
      let root = try await store.client.root(call)
      for node in root.all("Upload") where S3Store.key(node["Key"], in: root) == key {
        guard let id = node["UploadId"]?.text, !id.isEmpty, id.utf8.count <= 1024 else {
          throw store.nonsense("a wrong list of uploads", call)
        }
        found.append(S3Session(path: path, upload: id, partBytes: piece.bytes))
      }
      guard root["IsTruncated"]?.text == "true" else { return found }
      guard let next = S3Store.key(root["NextKeyMarker"], in: root), let id = root["NextUploadIdMarker"]?.text else {
        throw store.nonsense("a page without the way to the next", call)
      }
      try bounds.add(root.all("Upload").count, next: next + "\n" + id)
      marker = (next, id)
    }
  }
}
