import HTTPTypes

extension HTTPFields {
  func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }

  mutating func set(_ name: String, _ value: String) {
    if let name = HTTPField.Name(name) { self[name] = value }
  }
}

extension HTTPField.Name {
  // These names are valid tokens, so the initializer does not fail.
  private static func known(_ word: String) -> HTTPField.Name { HTTPField.Name(word) ?? .eTag }
  /// The first Host header is the request's authority.
  static let secondHost = known("Host")
  static let apiArgument = known("Dropbox-API-Arg")
  static let apiResult = known("Dropbox-API-Result")
  static let apiPathRoot = known("Dropbox-API-Path-Root")
  /// By these a token of a team acts for one of its members.
  static let teamSelections = [known("Dropbox-API-Select-User"), known("Dropbox-API-Select-Admin")]
  static let requestID = known("X-Dropbox-Request-Id")
  static let forwardedFor = known("X-Forwarded-For")
  static let forwardedScheme = known("X-Forwarded-Proto")
  static let version1Metadata = known("x-dropbox-metadata")
}

extension HTTPRequest {
  var barePath: Substring {
    guard let path else { return "/" }
    return path.utf8.firstIndex(of: UInt8(ascii: "?")).map { path[..<$0] } ?? path[...]
  }
}
