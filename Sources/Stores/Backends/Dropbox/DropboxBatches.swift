internal import FileStores
internal import JSON

/// Writes many small files: several upload sessions run in parallel, then one call names all files. Dropbox takes its
/// write lock once for the batch instead of once per file.
struct DropboxBatches: BatchUploads {
  let store: DropboxStore

  var mostFiles: Int { 1000 }
  var mostBytes: UInt64 { UInt64(store.tuning.pieceBytes) }

  private static let atOnce = 8

  private struct Sent: Sendable {
    let session: UploadSession
    let size: UInt64
    let hash: ContentHash
  }

  func put(_ files: [BatchFile]) async throws(StoreError) -> [Result<FileEntry, StoreError>] {
    try checkCount(of: files)
    if files.isEmpty { return [] }
    try store.checkCancelled("The writing", files[0].path)
    let sent = await files.results(atOnce: DropboxBatches.atOnce) { (file) throws(StoreError) in try await send(file) }
    try store.checkCancelled("The writing", files[0].path)
    var results = sent.map { $0.map { _ in FileEntry(path: .root, kind: .other) } }
    let ready = files.indices.compactMap { index in (try? sent[index].get()).map { (index: index, sent: $0) } }
    if ready.isEmpty { return results }
    let commits = ready.map { index, sent in
      JSONValue.members([
        "cursor": .members([
          "session_id": .string(sent.session.id), "offset": .integer(Int64(clamping: sent.size)),
        ]),
        "commit": .object(store.commit(files[index].path, files[index].mode, files[index].source.modified)),
      ])
    }
    let call = DropboxCall(
      .sessionFinishBatch, .members(["entries": .array(commits)]), about: files[ready[0].index].path)
    let answers = try await store.client.result(call)["entries"]?.elements
    guard let answers, answers.count == ready.count else {
      throw store.client.nonsense("the wrong number of files", call)
    }
    for ((index, sent), answer) in zip(ready, answers) {
      do throws(StoreError) {
        results[index] = .success(try await written(answer, files[index], sent, call))
      } catch {
        results[index] = .failure(error.about(files[index].path))
      }
    }
    return results
  }

  private func send(_ file: BatchFile) async throws(StoreError) -> Sent {
    let path = file.path
    try store.checkCancelled("The writing", path)
    try store.folder.checkWritable(path)
    let (bytes, hash) = try await content(of: file)
    try await store.checkBase(file.mode, at: path)
    var call = DropboxCall(
      .sessionStart, .members(["close": true, "content_hash": .string(hash.hex)]), about: path)
    call.body = .bytes(bytes)
    guard let id = try await store.client.result(call)["session_id"]?.text else {
      throw store.client.nonsense("no session", call)
    }
    return Sent(session: UploadSession(id), size: UInt64(bytes.count), hash: hash)
  }

  private func written(
    _ json: JSONValue, _ file: BatchFile, _ sent: Sent, _ call: DropboxCall
  ) async throws(StoreError) -> FileEntry {
    if json[".tag"]?.text == "success" {
      return try store.checked(try store.file(json, call, at: file.path), sent.hash, sent.size)
    }
    let refusal = try store.client.failure(json, call)
    guard refusal.tags.first == "lookup_failed" else {
      throw try await store.writeError(refusal, at: file.path, file.mode)
    }
    // The server has lost some or all of the bytes, so a retry sends them again.
    throw StoreError(
      .server, "\(store.client.server.name) has lost the bytes of \"\(file.path)\".", remedy: "Try again.",
      path: file.path)
  }
}
