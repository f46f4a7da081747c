import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let uploadRoutes: [Route] = [
    Route("/2/files/upload", .upload, .member(scope: "files.content.write"), upload),
    Route("/2/files/alpha/upload", .upload, .member(scope: "files.content.write"), upload),
  ]

  @Sendable private static func upload(_ call: Call) async throws -> Response {
    let order = try await uploadErrors { try await call.order(call.argument) }
    // Before the bytes come, as far as their number is known.
    if let size = call.body.declared { try await uploadErrors { try await call.club.files.checkFits(size, order) } }
    let content = try await call.content()
    let file = try await uploadErrors { try await call.club.files.put(content, order) }
    return .json(JSON.metadata(file, tagged: false))
  }

  private static func uploadErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as Tagged {
      throw APIFailure.route(written(error))
    } catch APIFailure.route(let error) where error.tag == "path" {
      throw APIFailure.route(written(error.inside ?? error))
    }
  }

  private static func written(_ error: Tagged) -> Tagged {
    Tagged("path", error, under: "reason", with: [JSONMember("upload_session_id", "")])
  }
}

extension Call {
  static let largestContent: UInt64 = 150 << 20

  /// Reads the API's `CommitInfo`; `author` is the caller by default.
  func order(_ argument: Argument, by author: ServerAuthor? = nil) async throws -> CommitOrder {
    try refuseProperties(argument)
    // The server sends no notifications, so `mute` changes nothing.
    try argument.bools("mute")
    let path = try path(.id, in: argument)
    let (mode, value) = try argument.tag("mode", among: ["add", "overwrite", "update"], default: "add")
    let isUpdate = mode == "update"
    let rev = isUpdate ? try value.string("update") : ""
    guard !isUpdate || Rev.number(rev) != nil else {
      throw argument.fault("mode", "'\(rev)' did not match pattern '[0-9a-f]+' of at least 9 digits")
    }
    let modified = try argument.optionalString("client_modified")
    let seconds = modified.flatMap(WireTime.seconds)
    guard modified == nil || seconds != nil else {
      throw argument.fault(
        "client_modified", "time data '\(modified ?? "")' does not match format '%Y-%m-%dT%H:%M:%SZ'")
    }
    return CommitOrder(
      display: try await target(path, fails: "path"),
      mode: isUpdate ? .update(Rev.number(rev) ?? 0) : mode == "add" ? .add : .overwrite,
      autorename: try argument.bool("autorename", default: false),
      isStrict: try argument.bool("strict_conflict", default: false), clientModified: seconds,
      author: try author ?? self.author)
  }

  /// - Throws: `payload_too_large`, `content_hash_mismatch`.
  func content() async throws -> Content {
    let expected = try argument.optionalString("content_hash")
    let content: Content
    do throws(StoreError) {
      content = try await club.files.room.receive(limit: Call.largestContent) { () throws(StoreError) in
        try await body.next()
      }
    } catch {
      switch error.kind {
      case .tooLarge: throw APIFailure.route(Tagged("payload_too_large"))
      case .quota: throw APIFailure.plain(status: 507, "A disk of the server is full.")
      default: throw error
      }
    }
    if let expected {
      guard let wanted = ContentHash(hex: expected) else {
        throw argument.fault("content_hash", "must be 64 hexadecimal digits")
      }
      guard try await content.hash() == wanted else { throw APIFailure.route(Tagged("content_hash_mismatch")) }
    }
    return content
  }
}
