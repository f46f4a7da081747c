internal import FileStores
internal import JSON

extension DropboxStore {
  func removeOwn(_ path: StorePath) async throws(StoreError) {
    let call = DropboxCall(.delete, .members(["path": .string(self.folder.ownPath(path))]), about: .root)
    if case .refusal(let refusal) = try await client.answer(call), !refusal.has("not_found") {
      throw refusal.error(.root, client.server)
    }
  }

  func ownFiles(below folder: StorePath) async throws(StoreError) -> [(path: StorePath, size: UInt64)] {
    var call = DropboxCall(
      .listFolder, .members(["path": .string(self.folder.ownPath(folder)), "recursive": true]), about: .root)
    var found: [(path: StorePath, size: UInt64)] = []
    var bounds = PageBounds("the trash", about: .root, client.server.name)
    while true {
      let json: JSONValue
      switch try await client.answer(call) {
      case .result(let result): json = result
      case .refusal(let refusal):
        if refusal.has("not_found") || refusal.has("not_folder") { return [] }
        throw refusal.error(.root, client.server)
      }
      guard let values = json["entries"]?.elements, let cursor = json["cursor"]?.text else {
        throw client.nonsense("no page of a listing", call)
      }
      for value in values {
        guard let metadata = DropboxMetadata(value), metadata.kind != .deleted,
          let path = names.path(of: metadata), metadata.kind != .folder
        else { continue }
        found.append((path, metadata.size ?? 0))
      }
      guard json["has_more"]?.boolean == true else { return found }
      try bounds.add(values.count, next: cursor)
      call = DropboxCall(.listFolderContinue, .members(["cursor": .string(cursor)]), about: .root)
    }
  }
}
