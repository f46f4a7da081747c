internal import FileStores

/// Tries an upload in chunks, to a folder of the self-test.
struct NextcloudProbe: Sendable {
  private let client: WebDAVClient

  init(_ client: WebDAVClient) { self.client = client }

  /// - Parameter note: a file that is there, which stays as it is.
  /// - Returns: `kept` if the server puts chunks together and keeps the conditions of the closing MOVE; `none` if it
  ///   knows no uploads; else its first wrong answer.
  func chunks(in folder: StorePath, beside note: StorePath) async throws(StoreError) -> String {
    guard let place = client.address.nextcloudUploads else { return "none" }
    let known = NextcloudSession(path: note, chunkBytes: client.tuning.chunkBytes, client.tuning.random)
    let upload = known.address(in: place)
    let target = try folder.appending("assembled")
    let made = try await send(.mkcol, upload.url(.root, isFolder: true), target)
    guard made.isSuccess else { return "none" }
    return try await always { () throws(StoreError) in
      // The server removes an upload that it has put together.
      _ = try await send(.delete, upload.url(.root, isFolder: true), target)
    } after: { () throws(StoreError) in
      try await verdict(upload, target, note)
    }
  }

  private func verdict(
    _ upload: WebDAVAddress, _ target: StorePath, _ note: StorePath
  ) async throws(StoreError) -> String {
    let chunk = upload.url(try StorePath(NextcloudChunk.name(1)))
    let sent = try await send(.put, chunk, target, ["OC-Total-Length": "5"], body: "chunk")
    guard sent.isSuccess else { return "chunk: status \(sent.status)" }
    let all = try await NextcloudChunk.all(at: upload, client, about: target)
    guard all == [UploadChunk(number: 1, size: 5)] else { return "chunk: not listed" }
    let file = upload.url(try StorePath(".file"))
    let conditions: [HTTPHeaders] = [
      ["Overwrite": "T", "If": "<\(client.address.url(note))> ([\"byteclub-wrong\"])"], ["Overwrite": "F"],
    ]
    for headers in conditions {
      let refused = try await send(.move, file, note, headers)
      guard refused.status == 412 else { return "condition: status \(refused.status)" }
    }
    let moved = try await send(.move, file, target, ["Overwrite": "T", "OC-Total-Length": "5"])
    guard moved.isSuccess else { return "end: status \(moved.status)" }
    return try await client.look(at: target)?.entry.size == 5 ? "kept" : "end: other bytes"
  }

  private func send(
    _ method: HTTPMethod, _ url: String, _ target: StorePath, _ headers: HTTPHeaders = [:], body: String? = nil
  ) async throws(StoreError) -> HTTPAnswer {
    var call = WebDAVCall(method, url, about: target, headers, body: body.map { .bytes(Array($0.utf8)) } ?? .empty)
    call.request.headers["Destination"] = client.address.url(target)
    return try await client.call(call)
  }
}
