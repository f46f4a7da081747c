internal import FileStores

/// An upload that is announced with `Expect: 100-continue` (RFC 9110, section 10.1.1). Some servers confirm it before they
/// have its body: chezdav does, and keeps an empty file. The self-tests of all servers try it in one way.
///
/// Bodies in chunks, whose length a server does not know before their end, are not tried: every body has a length.
enum AskedUpload {
  static let text = Array("asked first".utf8)

  /// The answer `asks` of a self-test: `kept`; `refused`; or `early`, if success came before the body, or the server has
  /// another number of bytes then.
  /// - Parameters:
  ///   - send: sends `text`, and asks first. False for a refusal.
  ///   - size: of the file that the server has then.
  static func answer(
    _ send: () async throws(StoreError) -> Bool, size: () async throws(StoreError) -> UInt64?
  ) async throws(StoreError) -> String {
    do throws(StoreError) {
      guard try await send() else { return "refused" }
    } catch {
      guard error.kind == .server else { throw error }
      return "early"
    }
    return try await size() == UInt64(text.count) ? "kept" : "early"
  }
}

extension ServerFindings {
  /// False unless the test has shown that the server waits for a body that it was asked about. One that confirms too early
  /// has emptied the file by then.
  var mayAsk: Bool { self["asks"] == "kept" }
}
