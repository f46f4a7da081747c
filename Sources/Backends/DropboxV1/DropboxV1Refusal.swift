internal import FileStores
internal import JSON

/// An answer that says no, for a reason that may belong to the route.
struct DropboxV1Refusal: Sendable {
  /// 400, 403, 404, 405, 406, 409, 415, 416 or 501.
  let status: Int
  /// What the server says, where it is JSON.
  let body: JSONValue?
  /// The error, as far as the status alone tells.
  let error: StoreError

  /// Nothing is there.
  var isMissing: Bool { status == 404 }
  /// The server has no such route, as small ones may not.
  var isUnknownRoute: Bool { status == 405 || status == 501 }
  /// How many bytes the server has of an upload.
  var offset: UInt64? { body?["offset"]?.count }
}
