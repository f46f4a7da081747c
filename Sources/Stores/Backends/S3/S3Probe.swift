internal import FileStores
internal import XML

/// One run of the self-test.
struct S3Probe {
  private static let wrong = "00000000000000000000000000000000"
  private let client: S3Client
  private let first: StorePath
  private let second: StorePath
  private let third: StorePath
  private let names: StorePath
  private var uploads: [String] = []
  /// The files of `names`.
  private var named: Set<StorePath> = []
  private(set) var server = ""
  private(set) var answers: [ServerFindings.Answer] = []

  init(_ client: S3Client, word: UInt64) throws(StoreError) {
    self.client = client
    let folder = ".byteclub-probe/" + String(word, radix: 36)
    first = try StorePath(folder + "-1")
    second = try StorePath(folder + "-2")
    third = try StorePath(folder + "-3")
    names = try StorePath(folder + "-names")
  }

  mutating func ask() async throws(StoreError) {
    let begun = try await put("1", [("If-None-Match", "*")])
    server = String((begun.response.headers["Server"] ?? "").prefix(100))
    if begun.isSuccess {
      note("create", S3Probe.judge(try await put("2", [("If-None-Match", "*")])))
    } else {
      // A server that refuses the condition takes the object without it; other refusals concern the club.
      try need(try await put("1", []), .put)
      note("create", .refused)
    }
    note("body", try await damaging())
    note("replace", try await replacing())
    note("completeCreate", try await completing([("If-None-Match", "*")]))
    note("completeReplace", try await completingReplace())
    note("copyTarget", try await copying())
    note("delete", try await deleting())
    answers.append(ServerFindings.Answer("asks", try await asking()))
    answers.append(ServerFindings.Answer("names", try await naming()))
    let versions = S3Call(.get, nil, about: .root, query: [("versioning", "")])
    let answer = try await client.answer(versions)
    let status = answer.isSuccess ? try client.node(answer, versions)["Status"]?.text : nil
    answers.append(ServerFindings.Answer("versions", status == "Enabled" ? "yes" : "no"))
    if status == "Enabled" { answers.append(ServerFindings.Answer("order", try await order().rawValue)) }
    answers.append(ServerFindings.Answer("clock", String(client.clockSkew)))
  }

  /// Leftovers are small and never shown.
  func clean() async {
    for upload in uploads {
      _ = try? await client.answer(call(.delete, first, [("uploadId", upload)]))
    }
    for path in [first, second, third] + named { _ = try? await client.answer(call(.delete, path)) }
    _ = try? await sweep()
  }

  /// Removes the leavings of tests that were killed more than an hour ago.
  private func sweep() async throws(StoreError) {
    guard let prefix = client.place.key(first.parent, isFolder: true) else { return }
    let objects = S3Call(.get, nil, about: first.parent, query: [("list-type", "2"), ("prefix", prefix)])
    for node in try await old(objects, "Contents", "LastModified") {
      _ = try await client.answer(S3Call(.delete, node["Key"]?.text, about: first.parent))
    }
    let begun = S3Call(.get, nil, about: first.parent, query: [("uploads", ""), ("prefix", prefix)])
    for node in try await old(begun, "Upload", "Initiated") {
      let query = [("uploadId", node["UploadId"]?.text ?? "")]
      _ = try await client.answer(S3Call(.delete, node["Key"]?.text, about: first.parent, query: query))
    }
  }

  /// The elements of a listing that are an hour old by the server's clock, and lie below the probes' folder.
  private func old(_ call: S3Call, _ name: String, _ time: String) async throws(StoreError) -> [XMLNode] {
    let answer = try await client.answer(call)
    let prefix = client.place.key(first.parent, isFolder: true) ?? ""
    guard answer.isSuccess, let now = answer.response.date else {
      return []
    }
    return try client.node(answer, call).all(name).filter { node in
      guard let key = node["Key"]?.text, !prefix.isEmpty, key.utf8.starts(with: prefix.utf8),
        let made = (node[time]?.text).flatMap(S3Store.timestamp)
      else { return false }
      return now - made.seconds > 3600
    }
  }

  private mutating func note(_ name: String, _ answer: S3Features.Answer) {
    answers.append(ServerFindings.Answer(name, answer.rawValue))
  }

  /// The answer to a request whose condition does not hold.
  private static func judge(_ answer: S3Client.Answer) -> S3Features.Answer {
    switch answer.status {
    case 200...299: .ignored
    case 412, 409, 404: .kept
    default: .refused
    }
  }

  /// Tries `send` with a wrong revision, then with the right one, with and without quotes.
  private func matching(
    _ send: ((String, String)?) async throws(StoreError) -> S3Client.Answer
  ) async throws(StoreError) -> S3Features.Answer {
    let wrong = try await send(S3Features.header(.kept, ifMatch: S3Probe.wrong))
    guard S3Probe.judge(wrong) == .kept else { return S3Probe.judge(wrong) }
    if try await send(S3Features.header(.kept, ifMatch: try await current())).isSuccess { return .kept }
    let bare = try await send(S3Features.header(.unquoted, ifMatch: S3Probe.wrong))
    guard S3Probe.judge(bare) == .kept else { return S3Probe.judge(bare) }
    return try await send(S3Features.header(.unquoted, ifMatch: try await current())).isSuccess ? .unquoted : .refused
  }

  private func replacing() async throws(StoreError) -> S3Features.Answer {
    try await matching { (header) throws(StoreError) in
      try await put("replaced by \(header?.1 ?? "")", header.map { [$0] } ?? [])
    }
  }

  /// A body with the hash of another one.
  private func damaging() async throws(StoreError) -> S3Features.Answer {
    var call = call(.put, first)
    (call.body, call.otherHash) = (.bytes(Array("1".utf8)), S3Signer.emptyHash)
    return try await client.answer(call).isSuccess ? .ignored : .kept
  }

  private mutating func completing(_ headers: [(String, String)]) async throws(StoreError) -> S3Features.Answer {
    let upload = try await begin()
    return S3Probe.judge(try await complete(upload, headers))
  }

  private mutating func completingReplace() async throws(StoreError) -> S3Features.Answer {
    // Each try has an upload of its own, because a refusal may end one.
    var begun: [(id: String, etag: String)] = []
    for _ in 0..<4 { begun.append(try await begin()) }
    return try await matching { (header) throws(StoreError) in
      guard let upload = begun.popLast() else { return try await put("", []) }
      return try await complete(upload, header.map { [$0] } ?? [])
    }
  }

  private mutating func begin() async throws(StoreError) -> (id: String, etag: String) {
    let start = call(.post, first, [("uploads", "")])
    let answer = try await client.success(start)
    guard let id = try client.node(answer, start)["UploadId"]?.text else { throw client.error(answer, start) }
    uploads.append(id)
    var part = call(.put, first, [("partNumber", "1"), ("uploadId", id)])
    part.body = .bytes(Array("a part".utf8))
    let sent = try await client.answer(part)
    guard sent.isSuccess, let etag = sent.etag else { throw client.error(sent, part) }
    return (id, etag)
  }

  private func complete(
    _ upload: (id: String, etag: String), _ headers: [(String, String)]
  ) async throws(StoreError) -> S3Client.Answer {
    var end = call(.post, first, [("uploadId", upload.id)], headers)
    let part = "<Part><PartNumber>1</PartNumber><ETag>&quot;\(upload.etag)&quot;</ETag></Part>"
    end.body = .bytes(Array("<CompleteMultipartUpload>\(part)</CompleteMultipartUpload>".utf8))
    return try await client.answer(end)
  }

  private func copying() async throws(StoreError) -> S3Features.Answer {
    guard let from = client.place.key(first) else { return .refused }
    let source = ("x-amz-copy-source", client.place.copySource(from))
    try need(try await client.answer(call(.put, second, [], [source])), .put)
    return S3Probe.judge(try await client.answer(call(.put, second, [], [source, ("If-None-Match", "*")])))
  }

  private func deleting() async throws(StoreError) -> S3Features.Answer {
    try await matching { (header) throws(StoreError) in
      // A deletion without its condition answers success also where nothing is.
      try await client.answer(call(.delete, first, [], header.map { [$0] } ?? []))
    }
  }

  private func asking() async throws(StoreError) -> String {
    var call = call(.put, first)
    (call.body, call.isContent, call.asksFrom) = (.bytes(AskedUpload.text), true, 1)
    return try await AskedUpload.answer {
      () throws(StoreError) in
      try await client.answer(call).isSuccess
    } size: {
      () throws(StoreError) in
      try await client.answer(self.call(.head, first)).response.contentLength
    }
  }

  /// Keys are percent-encoded in addresses, in the source of a copy, and in lists.
  private mutating func naming() async throws(StoreError) -> String {
    try await LostNames.answer(in: names) { (trial) throws(StoreError) in
      named.formUnion([trial.first, trial.second, trial.part])
      _ = try await put("first", [], at: trial.first)
      _ = try await put("second", [], at: trial.second)
      var found = LostNames.Found(listed: try await list(trial.folder), first: try await text(trial.first), second: "")
      guard let from = client.place.key(trial.second) else { return found }
      let source = ("x-amz-copy-source", client.place.copySource(from))
      if try await client.answer(call(.put, trial.part, [], [source])).isSuccess {
        found.second = try await text(trial.part)
      }
      return found
    }
  }

  private func list(_ folder: StorePath) async throws(StoreError) -> [StorePath: UInt64] {
    let prefix = client.place.key(folder, isFolder: true) ?? ""
    let list = S3Call(
      .get, nil, about: folder, query: [("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)])
    let answer = try await client.answer(list)
    guard answer.isSuccess else { return [:] }
    let root = try client.node(answer, list)
    var found: [StorePath: UInt64] = [:]
    for node in root.all("Contents") {
      guard let key = S3Store.key(node["Key"], in: root), let path = client.place.path(ofKey: key)?.path else {
        continue
      }
      found[path] = (node["Size"]?.text).flatMap { UInt64($0) }
    }
    return found
  }

  private func text(_ path: StorePath) async throws(StoreError) -> String {
    let answer = try await client.answer(call(.get, path))
    return answer.isSuccess ? String(decoding: answer.body, as: UTF8.self) : ""
  }

  private func order() async throws(StoreError) -> S3VersionOrder.Answer {
    // A bucket may refuse deletions: then it lists none.
    guard try await put("1", [], at: third).isSuccess, try await client.answer(call(.delete, third)).isSuccess,
      try await put("2", [], at: third).isSuccess
    else { return .other }
    let query = [("versions", ""), ("prefix", client.place.key(third) ?? "")]
    let list = S3Call(.get, nil, about: third, query: query)
    let answer = try await client.answer(list)
    guard answer.isSuccess else { return .other }
    let listed = try client.node(answer, list).children.filter { ["Version", "DeleteMarker"].contains($0.name.local) }
    guard listed.first?["IsLatest"]?.text == "true" else { return .other }
    return switch listed.map(\.name.local) {
    case ["Version", "DeleteMarker", "Version"]: .kept
    case ["Version", "Version", "DeleteMarker"]: .kinds
    default: .other
    }
  }

  private func current() async throws(StoreError) -> String {
    let head = call(.head, first)
    let answer = try await client.answer(head)
    guard answer.isSuccess, let etag = answer.etag else { throw client.error(answer, head) }
    return etag
  }

  private func put(
    _ text: String, _ headers: [(String, String)], at path: StorePath? = nil
  ) async throws(StoreError) -> S3Client.Answer {
    var call = call(.put, path ?? first, [], headers)
    call.body = .bytes(Array(text.utf8))
    return try await client.answer(call)
  }

  private func need(_ answer: S3Client.Answer, _ method: HTTPMethod) throws(StoreError) {
    guard answer.isSuccess else { throw client.error(answer, call(method, first)) }
  }

  private func call(
    _ method: HTTPMethod, _ path: StorePath, _ query: [(String, String)] = [], _ headers: [(String, String)] = []
  ) -> S3Call {
    S3Call(method, client.place.key(path), about: path, query: query, headers: headers)
  }
}
