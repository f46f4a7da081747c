internal import FileStores

/// The chunks of an upload are files with numbers for their names.
enum NextcloudChunk {
  /// With five digits: the server puts them together in the order of their names.
  static func name(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
  }

  /// The chunks in an upload's folder, in their order; nil if there is no such folder.
  static func all(
    at folder: WebDAVAddress, _ client: WebDAVClient, about path: StorePath
  ) async throws(StoreError) -> [UploadChunk]? {
    var chunks: [UploadChunk] = []
    let answer = try await client.at(folder).propfind(.root, isFolder: true, isDeep: true) {
      (resource) throws(StoreError) in
      // Beside them are `.file` and `.target`.
      guard let entry = resource?.entry, entry.kind == .file, entry.path.components.count == 1,
        let number = Int(String(decoding: entry.path.name, as: UTF8.self)), 1...NextcloudUploads.mostChunks ~= number
      else { return }
      chunks.append(UploadChunk(number: number, size: entry.size ?? 0))
    }
    return answer == nil ? nil : chunks.sorted { $0.number < $1.number }
  }
}
