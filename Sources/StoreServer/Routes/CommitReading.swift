import FileStores

extension Call {
  /// The largest content of one request.
  static let largestContent: UInt64 = 150 << 20

  /// Reads the API's `CommitInfo`.
  func order(_ argument: Argument) async throws -> CommitOrder {
    try refuseProperties(argument)
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
      isStrict: try argument.bool("strict_conflict", default: false), clientModified: seconds)
  }

  /// Takes in the content of the call.
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
      case .quota: throw APIFailure.plain(status: 507, "The server has no room left.")
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
