import HTTPTypes

extension HTTPFields {
  /// The value of a header, by a name that is a token; nil when there is none.
  func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }

  /// Sets a header.
  mutating func set(_ name: String, _ value: String) {
    if let name = HTTPField.Name(name) { self[name] = value }
  }
}

extension HTTPField.Name {
  // Words that are tokens: making a name of one does not fail.
  private static func known(_ word: String) -> HTTPField.Name { HTTPField.Name(word) ?? .eTag }
  /// The argument of a call whose body is content.
  static let apiArgument = known("Dropbox-API-Arg")
  /// The result of a call whose answer is content.
  static let apiResult = known("Dropbox-API-Result")
  /// The namespace from which a call's paths go.
  static let apiPathRoot = known("Dropbox-API-Path-Root")
  /// The word that the log has for a request.
  static let requestID = known("X-Dropbox-Request-Id")
  /// What version 1 says of the file whose content is the answer.
  static let version1Metadata = known("x-dropbox-metadata")
}

extension HTTPRequest {
  /// The address without its query.
  var barePath: Substring {
    guard let path else { return "/" }
    return path.utf8.firstIndex(of: UInt8(ascii: "?")).map { path[..<$0] } ?? path[...]
  }
}
