internal import FileStores
internal import JSON
internal import Zip

/// A folder as one archive: `files/download_zip` (https://www.dropbox.com/developers/documentation/http/documentation,
/// "/download_zip"), whose limits these are. It knows no ranges, and not the whole of an account.
struct DropboxFolderReading: FolderReading {
  let store: DropboxStore

  var mostEntries: Int { 10_000 }
  var mostBytes: UInt64 { 20_000_000_000 }

  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    try store.checkCancelled("The reading", folder)
    guard let place = store.folder.apiPath(folder) else { throw store.missing(folder) }
    guard let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      throw StoreError(.unsupported, "\(store.client.server.name) does not send the whole folder at once.")
    }
    var archive = ZippedFolder(files, below: folder, top: place.utf8[slash...].dropFirst())
    let call = DropboxCall(.downloadZip, .members(["path": .string(place)]), about: folder)
    let outcome = try await store.client.download(call) { (_, json) throws(StoreError) in
      guard json["metadata"] != nil else { throw store.client.fault.nonsense("an archive of no folder", call) }
    } _: { (chunk) throws(StoreError) in
      archive.add(chunk)
      if archive.isWaste {
        throw StoreError(
          .unsupported, "\"\(folder)\" holds much more than the requested files.",
          remedy: "Read them one by one.",
          path: folder)
      }
      while true {
        try store.checkCancelled("The reading", folder)
        let parts: [FolderPart]
        do throws(ZipFault) {
          parts = try archive.next()
        } catch {
          throw store.client.fault.nonsense("an archive that cannot be read (\(error))", call)
        }
        if parts.isEmpty { return }
        try await receive(parts)
      }
    }
    switch outcome {
    case .outside: throw store.client.fault.nonsense("bytes that byteclub did not request", call)
    case .refusal(let refusal):
      let error = refusal.error(folder, store.client.server)
      throw error.kind == .badName ? store.missing(folder) : error
    case .complete: break
    }
    if !archive.isOver {
      throw StoreError(.offline, "The download of \"\(folder)\" was interrupted.", remedy: "Try again.", path: folder)
    }
  }
}
