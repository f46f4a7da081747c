import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON

extension RouteTable {
  static let v1UploadRoutes: [Route] = [
    v1("files_put/", scope: "files.content.write", v1Put),
    v1("chunked_upload", scope: "files.content.write", v1Chunk),
    v1("commit_chunked_upload/", scope: "files.content.write", v1Commit),
  ]

  private static func order(_ v1: V1Call, _ display: String) async throws -> CommitOrder {
    guard !display.isEmpty else { throw V1Failure.malformed("The root is not a file.") }
    let mode: CommitOrder.Mode
    if let parent = try v1.rev("parent_rev") {
      mode = .update(parent)
    } else {
      mode = try v1.bool("overwrite", default: true) ? .overwrite : .add
    }
    return CommitOrder(
      display: display, mode: mode, autorename: try v1.bool("autorename", default: true), isStrict: false,
      clientModified: nil, author: try v1.call.author)
  }

  private static func received(
    _ v1: V1Call, _ next: () async throws(StoreError) -> ByteChunk?
  ) async throws -> Content {
    do throws(StoreError) {
      return try await v1.club.files.room.receive(limit: Call.largestContent, next)
    } catch {
      if error.kind == .tooLarge { throw V1Failure(413, "The file is too large for one request.") }
      throw error
    }
  }

  private static func checkLength(_ v1: V1Call) throws {
    let headers = v1.call.head.headerFields
    guard headers[.contentLength] != nil || headers[.transferEncoding] != nil else {
      throw V1Failure(411, "Content-Length is missing.")
    }
  }

  @Sendable private static func v1Put(_ v1: V1Call) async throws -> Response {
    guard [.put, .post].contains(v1.call.head.method) else { throw V1Failure(405, "The method must be PUT or POST.") }
    try checkLength(v1)
    let order = try await order(v1, try v1.display)
    let body = v1.call.body
    let content = try await received(v1) { () throws(StoreError) in try await body.next() }
    return .json(v1.metadata(try await v1.club.files.put(content, order)))
  }

  /// Receives a file under its name in the form. The folder must exist.
  static func v1Form(_ v1: V1Call) async throws -> Response {
    guard let form = v1.call.multipart, let name = await form.fileName, !name.isEmpty, !PathText.hasSlash(name) else {
      throw V1Failure.malformed("Expected a multipart form with a file, and a name for it.")
    }
    let folder = try await v1.node(try v1.display)
    guard folder.isFolder else { throw V1Failure.missing(folder.display) }
    guard case .path(let display) = try ClubPath(folder.display + "/" + name, [], space: v1.club.space) else {
      throw V1Failure.malformed("The name is not allowed here.")
    }
    let order = try await order(v1, display)
    let content = try await received(v1) { () throws(StoreError) in try await form.next() }
    try await form.finish()
    return .json(v1.metadata(try await v1.club.files.put(content, order)))
  }

  @Sendable private static func v1Chunk(_ v1: V1Call) async throws -> Response {
    guard [.put, .post].contains(v1.call.head.method) else { throw V1Failure(405, "The method must be PUT or POST.") }
    try checkLength(v1)
    let (body, uploads, member) = (v1.call.body, v1.club.uploads, try v1.call.member.id)
    let upload: ServerUpload
    let offset: UInt64
    var isNew = false
    if let id = try v1.text("upload_id"), !id.isEmpty {
      upload = try await found(id, v1, 404)
      offset = UInt64(try v1.number("offset", in: 0...Int64.max, default: 0))
    } else {
      guard try v1.number("offset", in: 0...Int64.max, default: 0) == 0 else {
        throw V1Failure.malformed("An upload begins at offset 0.")
      }
      upload = try await uploads.start(member: member, isConcurrent: false, isClosed: false)
      offset = 0
      isNew = true
    }
    let content: Content
    do {
      content = try await received(v1) { () throws(StoreError) in try await body.next() }
    } catch {
      if isNew { await uploads.discard(upload, v1.club.files.logger) }
      throw error
    }
    var facts = [
      JSONMember("upload_id", .string(upload.id)), JSONMember("offset", .number(offset + content.size)),
      JSONMember("expires", .string(V1Time.text(upload.created + uploads.limits.seconds))),
    ]
    do {
      try await uploads.append(to: upload, at: offset, close: false, content)
      return .json(.object(facts))
    } catch UploadSessions.Fault.incorrectOffset(let right) {
      facts[1] = JSONMember("offset", .number(right))
      var failure = V1Failure(400, "Submitted input out of alignment: got [\(offset)] expected [\(right)]")
      failure.members = facts
      throw failure
    } catch UploadSessions.Fault.tooLarge {
      if isNew { await uploads.discard(upload, v1.club.files.logger) }
      throw V1Failure(413, "The file is too large, or this member's unfinished uploads are together.")
    } catch UploadSessions.Fault.overQuota {
      if isNew { await uploads.discard(upload, v1.club.files.logger) }
      throw Tagged("insufficient_space")
    } catch is UploadSessions.Fault {
      throw V1Failure(404, "No upload with upload_id found.")
    }
  }

  @Sendable private static func v1Commit(_ v1: V1Call) async throws -> Response {
    let upload = try await found(try v1.required("upload_id"), v1, 400)
    let order = try await order(v1, try v1.display)
    do {
      return try await v1.club.uploads.finish(upload, size: nil, mustBeClosed: false) { content in
        .json(v1.metadata(try await v1.club.files.put(content, order)))
      }
    } catch is UploadSessions.Fault {
      throw V1Failure(400, "The upload with this upload_id is not complete.")
    }
  }

  private static func found(_ id: String, _ v1: V1Call, _ status: Int) async throws -> ServerUpload {
    do {
      return try await v1.club.uploads.find(id, member: try v1.call.member.id)
    } catch is UploadSessions.Fault {
      throw V1Failure(status, "No upload with upload_id found.")
    }
  }
}
