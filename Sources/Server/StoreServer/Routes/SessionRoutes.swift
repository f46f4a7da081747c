import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let sessionRoutes: [Route] = [
    Route("/2/files/upload_session/start", .upload, .member(scope: "files.content.write"), startSession),
    Route("/2/files/upload_session/append_v2", .upload, .member(scope: "files.content.write"), appendToSession),
    Route("/2/files/upload_session/append", .upload, .member(scope: "files.content.write"), appendToSessionOld),
    Route("/2/files/upload_session/append_batch", .upload, .member(scope: "files.content.write"), appendToSessions),
    Route("/2/files/upload_session/finish", .upload, .member(scope: "files.content.write"), finishSession),
    Route("/2/files/upload_session/start_batch", .call, .member(scope: "files.content.write"), startSessions),
    Route(
      "/2/files/upload_session/finish_batch_v2", .call, .member(scope: "files.content.write"),
      argumentBytes: Route.batchBytes, finishSessions),
    Route(
      "/2/files/upload_session/finish_batch", .call, .member(scope: "files.content.write"),
      argumentBytes: Route.batchBytes, finishSessionsOld),
    Route(
      "/2/files/upload_session/finish_batch/check", .call, .member(scope: "files.content.write"),
      checkJob(of: "finish_batch")),
  ]

  private static func isConcurrent(_ argument: Argument) throws -> Bool {
    try argument.tag("session_type", among: ["sequential", "concurrent"], default: "sequential").0 == "concurrent"
  }

  @Sendable private static func startSession(_ call: Call) async throws -> Response {
    let isConcurrent = try isConcurrent(call.argument)
    let close = try call.argument.bool("close", default: false)
    let content = try await call.content()
    if isConcurrent, close { throw APIFailure.route(Tagged("concurrent_session_close_not_allowed")) }
    if isConcurrent, content.size > 0 { throw APIFailure.route(Tagged("concurrent_session_data_not_allowed")) }
    let uploads = call.club.uploads
    let session = try await uploads.start(member: try call.member.id, isConcurrent: isConcurrent, isClosed: false)
    guard content.size > 0 || close else { return .json(.members(["session_id": .string(session.id)])) }
    do {
      try await uploads.append(to: session, at: 0, close: close, content)
    } catch {
      // Its client does not know it, and it would count as unfinished.
      await uploads.discard(session, call.club.files.logger)
      // The word of this route; the others say "too_large".
      if let fault = error as? UploadSessions.Fault, fault == .tooLarge {
        throw APIFailure.route(Tagged("payload_too_large"))
      }
      return try await sessionErrors(nesting: nil) { throw error }
    }
    return .json(.members(["session_id": .string(session.id)]))
  }

  @Sendable private static func startSessions(_ call: Call) async throws -> Response {
    let count = try call.argument.integer("num_sessions", in: 1...1000)
    let isConcurrent = try isConcurrent(call.argument)
    var ids: [JSON] = []
    for _ in 0..<count {
      let session = try await call.club.uploads.start(
        member: try call.member.id, isConcurrent: isConcurrent, isClosed: false)
      ids.append(.string(session.id))
    }
    return .json(.members(["session_ids": .array(ids)]))
  }

  private typealias Cursor = (id: String, offset: UInt64)

  private static func cursor(_ argument: Argument) throws -> Cursor { try bareCursor(argument.object("cursor")) }

  private static func bareCursor(_ argument: Argument) throws -> Cursor {
    (try argument.string("session_id"), UInt64(try argument.integer("offset", in: 0...Int64.max)))
  }

  @Sendable private static func appendToSession(_ call: Call) async throws -> Response {
    let cursor = try cursor(call.argument)
    let close = try call.argument.bool("close", default: false)
    try await append(try await call.content(), to: cursor, close: close, call)
    return .json(.null)
  }

  /// The older route: its argument is the cursor itself, and it cannot close the session.
  @Sendable private static func appendToSessionOld(_ call: Call) async throws -> Response {
    let cursor = try bareCursor(call.argument)
    try await append(try await call.content(), to: cursor, close: false, call)
    return .json(.null)
  }

  private static func append(_ piece: Content, to cursor: Cursor, close: Bool, _ call: Call) async throws {
    let uploads = call.club.uploads
    try await sessionErrors(nesting: nil) {
      let session = try await uploads.find(cursor.id, member: try call.member.id)
      try await uploads.append(to: session, at: cursor.offset, close: close, piece)
    }
  }

  /// The pieces of several sessions follow each other in one body.
  @Sendable private static func appendToSessions(_ call: Call) async throws -> Response {
    var pieces: [(cursor: Cursor, length: UInt64, close: Bool)] = []
    for entry in try call.argument.objects("entries", atMost: 1000) {
      let length = UInt64(try entry.integer("length", in: 0...Int64(Call.largestContent)))
      pieces.append((try cursor(entry), length, try entry.bool("close", default: false)))
    }
    let content = try await call.content()
    guard pieces.reduce(0, { $0 + $1.length }) == content.size else {
      throw APIFailure.route(Tagged("length_mismatch"))
    }
    var results: [JSON] = []
    var start: UInt64 = 0
    for piece in pieces {
      let part = content.part(start..<(start + piece.length))
      start += piece.length
      do {
        try await append(part, to: piece.cursor, close: piece.close, call)
        results.append(.tag("success"))
      } catch APIFailure.route(let error) {
        results.append(.members([".tag": "failure", "failure": error.json]))
      }
    }
    return .json(.members(["entries": .array(results)]))
  }

  @Sendable private static func finishSession(_ call: Call) async throws -> Response {
    let (id, offset) = try cursor(call.argument)
    let order = try await finishErrors { try await call.order(try call.argument.object("commit")) }
    let content = try await call.content()
    let uploads = call.club.uploads
    let session = try await sessionErrors(nesting: "lookup_failed") { () -> ServerUpload in
      let session = try await uploads.find(id, member: try call.member.id)
      if content.size > 0 {
        if session.isConcurrent { throw APIFailure.route(Tagged("concurrent_session_data_not_allowed")) }
        try await uploads.append(to: session, at: offset, close: false, content)
      }
      return session
    }
    let file = try await finish(call, session, offset + content.size, order, mustBeClosed: false)
    return .json(JSON.metadata(file, tagged: false))
  }

  private static func finish(
    _ call: Call, _ session: ServerUpload, _ size: UInt64, _ order: CommitOrder, mustBeClosed: Bool
  ) async throws -> ServerNode {
    try await sessionErrors(nesting: "lookup_failed") {
      try await call.club.uploads.finish(session, size: size, mustBeClosed: mustBeClosed) { content in
        try await finishErrors { try await call.club.files.put(content, order) }
      }
    }
  }

  @Sendable private static func finishSessions(_ call: Call) async throws -> Response {
    .json(.members(["entries": .array(try await finishAll(call))]))
  }

  @Sendable private static func finishSessionsOld(_ call: Call) async throws -> Response {
    .json(.members([".tag": "complete", "entries": .array(try await finishAll(call))]))
  }

  /// Makes four files at a time, because each waits for the disk.
  private static func finishAll(_ call: Call) async throws -> [JSON] {
    let entries = try call.argument.objects("entries", atMost: 1000)
    var results = [JSON](repeating: .null, count: entries.count)
    try await withThrowingTaskGroup(of: (Int, JSON).self) { group in
      for (number, entry) in entries.enumerated() {
        if number >= 4, let (done, result) = try await group.next() { results[done] = result }
        group.addTask { (number, try await finishOne(call, entry)) }
      }
      while let (done, result) = try await group.next() { results[done] = result }
    }
    return results
  }

  private static func finishOne(_ call: Call, _ entry: Argument) async throws -> JSON {
    do {
      let (id, offset) = try cursor(entry)
      // The checksum of the request's own content, which is empty here.
      if let stated = try entry.optionalString("content_hash") {
        guard let wanted = ContentHash(hex: stated) else {
          throw entry.fault("content_hash", "must be 64 hexadecimal digits")
        }
        guard wanted == ContentHash(of: []) else { throw APIFailure.route(Tagged("content_hash_mismatch")) }
      }
      let order = try await finishErrors { try await call.order(try entry.object("commit")) }
      let session = try await sessionErrors(nesting: "lookup_failed") {
        try await call.club.uploads.find(id, member: try call.member.id)
      }
      let file = try await finish(call, session, offset, order, mustBeClosed: true)
      return JSON.metadata(file, tagged: false).adding([JSONMember(".tag", "success")], first: true)
    } catch APIFailure.route(let error) {
      return .members([".tag": "failure", "failure": error.json])
    }
  }

  private static func sessionErrors<Value>(
    nesting key: String?, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let fault as UploadSessions.Fault {
      let error = Tagged(fault)
      throw APIFailure.route(key.map { Tagged($0, error) } ?? error)
    } catch let error as StoreError where error.kind == .quota {
      throw APIFailure.plain(status: 507, "A disk of the server is full.")
    }
  }

  private static func finishErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as Tagged {
      throw APIFailure.route(Tagged("path", error))
    }
  }
}

extension Tagged {
  fileprivate init(_ fault: UploadSessions.Fault) {
    switch fault {
    case .notFound: self.init("not_found")
    case .incorrectOffset(let right):
      self.init("incorrect_offset", with: [JSONMember("correct_offset", .number(right))])
    case .closed: self.init("closed")
    case .notClosed: self.init("not_closed")
    case .tooLarge: self.init("too_large")
    case .overQuota: self.init("insufficient_space")
    case .concurrentOffset: self.init("concurrent_session_invalid_offset")
    case .concurrentSize: self.init("concurrent_session_invalid_data_size")
    }
  }
}
