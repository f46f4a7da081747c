internal import Basics
internal import Synchronization

/// A profile of the AWS tools, from `~/.aws/credentials` and `~/.aws/config` (AWS, "Configuration and credential file
/// settings").
struct S3Profile: Sendable, Hashable {
  let name: String
  private var values: [String: String] = [:]

  private static let blanks: Set<Character> = [" ", "\t"]

  init(_ name: String) { self.name = name }

  /// Adds the settings of a file that no file before it has.
  /// - Parameter isConfig: true for `config`, whose sections are named `profile NAME`, but for `default`.
  mutating func read(_ text: String, isConfig: Bool) {
    var isInside = false
    var found: [String: String] = [:]
    // A byte order mark is no part of the first line.
    for line in text.drop(while: { $0 == "\u{FEFF}" }).split(whereSeparator: \.isNewline) {
      let line = S3Keys.trimmed(line)
      if line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
        var words = TypedWords(String(line[..<end].dropFirst()), blanks: S3Profile.blanks).words
        let isNamed = words.count > 1 && words[0] == "profile"
        if isConfig, isNamed { words.removeFirst() }
        isInside = words.joined(separator: " ") == name && (!isConfig || isNamed || name == "default")
      } else if isInside, let cut = line.firstIndex(of: "=") {
        found[S3Keys.trimmed(line[..<cut]).lowercased()] = S3Keys.trimmed(line[line.index(after: cut)...])
      }
    }
    // Keys belong together: those of one file do not fit a token of the other.
    for name in S3Profile.keyNames { if keys == nil { values[name] = nil } else { found[name] = nil } }
    values.merge(found) { earlier, _ in earlier }
  }

  private static let keyNames = ["aws_access_key_id", "aws_secret_access_key", "aws_session_token"]

  var keys: S3Keys? {
    guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else { return nil }
    return S3Keys(id: id, secret: secret, sessionToken: values["aws_session_token"])
  }

  /// The program that prints the keys, and its arguments; nil without one.
  var program: [String]? {
    let words = TypedWords(values["credential_process"] ?? "", blanks: S3Profile.blanks).words
    return words.isEmpty ? nil : words
  }

  /// A setting by which the AWS tools get keys from elsewhere; nil without one.
  var elsewhere: String? {
    ["sso_session", "sso_start_url", "role_arn", "web_identity_token_file", "credential_source", "login_session"]
      .first { values[$0] != nil }
  }
}

/// The programs of profiles (`credential_process`). Each runs once for all requests, and again for refused keys.
final class S3ProfilePrograms: Sendable {
  private let make: ProgramTokens?
  private let known = Mutex<[[String]: any AccessTokens]>([:])

  init(_ make: ProgramTokens?) { self.make = make }

  func tokens(_ words: [String]) -> any AccessTokens {
    known.withLock { known in
      if let tokens = known[words] { return tokens }
      var store = StoreDescription(kind: S3Kind().name)
      store.programs["credential_process"] = words
      var secret = SecretSignIn(setting: "credential_process", store)
      secret.takesAllLines = true
      secret.word = "key"
      let tokens: any AccessTokens = make?(secret) ?? StaticToken("")
      known[words] = tokens
      return tokens
    }
  }
}
