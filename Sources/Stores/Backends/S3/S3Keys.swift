internal import Basics
internal import FileStores
internal import POSIX
internal import JSON

/// The keys of a member at an S3 server. No description contains the secret parts.
struct S3Keys: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
  let id: String
  let secret: String
  let sessionToken: String?

  var description: String { "the keys \(id)" }
  var debugDescription: String { description }

  /// nil if a part is empty or cannot stand in a header.
  init?(id: String, secret: String, sessionToken: String? = nil) {
    let token = sessionToken.flatMap { $0.isEmpty ? nil : $0 }
    guard [id, secret, token ?? "x"].allSatisfy(S3Keys.isWord), !id.contains("/"), !id.contains(",") else { return nil }
    (self.id, self.secret, self.sessionToken) = (id, secret, token)
  }

  /// From a program's output: two lines, or three with a session token; or JSON with `AccessKeyId`, `SecretAccessKey`
  /// and perhaps `SessionToken` (the output of a `credential_process` of the AWS tools).
  init?(printed text: String) {
    if let value = JSONValue.answer(Array(text.utf8)), value["AccessKeyId"] != nil {
      guard let id = value["AccessKeyId"]?.text, let secret = value["SecretAccessKey"]?.text else { return nil }
      self.init(id: id, secret: secret, sessionToken: value["SessionToken"]?.text)
    } else {
      let lines = text.split(whereSeparator: \.isNewline).map { S3Keys.trimmed($0) }
      guard 2...3 ~= lines.count else { return nil }
      self.init(id: lines[0], secret: lines[1], sessionToken: lines.count > 2 ? lines[2] : nil)
    }
  }

  /// From variables: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
  init?(variables: (String) -> String?) {
    guard let id = variables("AWS_ACCESS_KEY_ID"), let secret = variables("AWS_SECRET_ACCESS_KEY") else { return nil }
    self.init(id: id, secret: secret, sessionToken: variables("AWS_SESSION_TOKEN"))
  }

  /// From a profile of `~/.aws/credentials` or `~/.aws/config`.
  /// - Parameter isConfig: true for `config`, whose sections are named `profile NAME`, but for `default`.
  init?(profile: String, in text: String, isConfig: Bool) {
    let values = S3Keys.values(ofProfile: profile, in: text, isConfig: isConfig)
    guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else { return nil }
    self.init(id: id, secret: secret, sessionToken: values["aws_session_token"])
  }

  fileprivate static func values(ofProfile profile: String, in text: String, isConfig: Bool) -> [String: String] {
    let sections = isConfig && profile != "default" ? ["profile \(profile)"] : [profile]
    var values: [String: String] = [:]
    var isInside = false
    for line in text.split(whereSeparator: \.isNewline) {
      let line = S3Keys.trimmed(line)
      if line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
        isInside = sections.contains(S3Keys.trimmed(line[line.index(after: line.startIndex)..<end]))
      } else if isInside, let cut = line.firstIndex(of: "=") {
        values[S3Keys.trimmed(line[..<cut])] = S3Keys.trimmed(line[line.index(after: cut)...])
      }
    }
    return values
  }

  fileprivate static func trimmed(_ text: Substring) -> String {
    let bytes = text.utf8.drop { $0 <= 0x20 }
    let end = bytes.lastIndex { $0 > 0x20 }.map { bytes.index(after: $0) } ?? bytes.startIndex
    return String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
  }

  private static func isWord(_ text: String) -> Bool {
    1...4096 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }
}

/// Finds the keys of a club: its program's, else its key id with the secret key that `byteclub login` keeps, else those of
/// the environment, else those of a profile.
struct S3KeySource: Sendable {
  /// The profile of the config; with it the environment's keys do not count.
  let profile: String?
  /// The club's `credentialsCommand`, if it has one.
  let program: (any AccessTokens)?
  /// The club's `accessKeyID`, if it has one, and its secret key.
  var secretKey: (id: String, secret: any AccessTokens)?
  let pool: BlockingPool
  let variable: @Sendable (String) -> String?

  private static let mostBytes = 1 << 20
  private static let remedy =
    "Set \"accessKeyID\" or \"credentialsCommand\" in the config, or the variables AWS_ACCESS_KEY_ID and "
    + "AWS_SECRET_ACCESS_KEY, or write them to ~/.aws/credentials."
  /// For keys whose time is over.
  static let renewal = "Get new keys where these came from, such as with: aws sso login"

  /// - Parameters:
  ///   - stale: keys that the server has just refused.
  ///   - hasExpired: the server refused them because their time is over.
  /// - Throws: `notSignedIn` without keys, or if there are no others.
  func keys(refusing stale: Stale? = nil, hasExpired: Bool = false) async throws(StoreError) -> Found {
    if let program {
      let text = try await program.token(refusing: stale?.text)
      guard let keys = S3Keys(printed: text) else {
        throw StoreError(
          .notSignedIn, "The output of \"credentialsCommand\" has no keys.",
          remedy:
            "It must print the key id and the secret key on two lines, or JSON with AccessKeyId and SecretAccessKey.")
      }
      return Found(keys: keys, text: text)
    }
    if let secretKey {
      let text = try await secretKey.secret.token(refusing: stale?.text)
      guard let keys = S3Keys(id: secretKey.id, secret: S3Keys.trimmed(text[...])) else {
        throw StoreError(
          .notSignedIn, "The secret key of \(secretKey.id) has a space or another unusual character.",
          remedy: "Sign in again, and type it as it was given to you.")
      }
      return Found(keys: keys, text: text)
    }
    let found = try await pool.run { () throws(StoreError) in try self.lookUp() }
    if let stale, found == stale.keys {
      throw hasExpired
        ? StoreError(
          .notSignedIn, "The session token of the keys \(found.id) has expired.", remedy: S3KeySource.renewal)
        : StoreError(.notSignedIn, "The server does not accept the keys \(found.id).", remedy: S3KeySource.remedy)
    }
    return Found(keys: found, text: nil)
  }

  struct Found: Sendable {
    let keys: S3Keys
    /// The program's output, or the secret key that was kept.
    let text: String?
  }

  typealias Stale = Found

  /// Blocks.
  private func lookUp() throws(StoreError) -> S3Keys {
    if profile == nil, let keys = S3Keys(variables: variable) { return keys }
    let name = profile ?? variable("AWS_PROFILE") ?? "default"
    let home = (variable("HOME") ?? "") + "/.aws/"
    let files = [
      (variable("AWS_SHARED_CREDENTIALS_FILE") ?? home + "credentials", false),
      (variable("AWS_CONFIG_FILE") ?? home + "config", true),
    ]
    for (file, isConfig) in files {
      guard let text = try text(of: file) else { continue }
      if let keys = S3Keys(profile: name, in: text, isConfig: isConfig) { return keys }
    }
    for (file, isConfig) in files {
      guard let text = try text(of: file) else { continue }
      let values = S3Keys.values(ofProfile: name, in: text, isConfig: isConfig)
      if let remedy = S3KeySource.remedy(values) {
        throw StoreError(.notSignedIn, "The profile \"\(name)\" of ~/.aws has no keys itself.", remedy: remedy)
      }
    }
    throw StoreError(
      .notSignedIn,
      profile.map { "There are no keys in the profile \"\($0)\" of ~/.aws." } ?? "There are no keys for S3.",
      remedy: S3KeySource.remedy)
  }

  /// For profiles that get their keys elsewhere; byteclub starts no program that only the profile names.
  private static func remedy(_ values: [String: String]) -> String? {
    if let program = values["credential_process"] {
      return "Its keys come from credential_process. Set \"credentialsCommand\" in the config to: \(program)"
    }
    guard
      let way = ["sso_session", "sso_start_url", "role_arn", "web_identity_token_file"].first(where: {
        values[$0] != nil
      })
    else { return nil }
    return "It uses \(way), which byteclub does not. Set \"credentialsCommand\" in the config to: aws configure "
      + "export-credentials --format process, with --profile and its name"
  }

  /// nil for a missing file.
  private func text(of path: String) throws(StoreError) -> String? {
    do throws(SystemError) {
      let file = try OpenFile(reading: path)
      let bytes = try file.read(
        from: 0, count: Int(clamping: min(try file.facts().size, UInt64(S3KeySource.mostBytes))))
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return nil }
      throw .system(error.code, "read", path)
    }
  }
}
