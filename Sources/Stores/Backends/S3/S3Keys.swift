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

  static func trimmed(_ text: Substring) -> String {
    let bytes = text.utf8.drop { $0 <= 0x20 }
    let end = bytes.lastIndex { $0 > 0x20 }.map { bytes.index(after: $0) } ?? bytes.startIndex
    return String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
  }

  private static func isWord(_ text: String) -> Bool {
    1...4096 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }
}

/// Finds the keys of a club: its program's, else its key id with the secret key that `byteclub login` keeps, else those of
/// the environment, else those of a profile or of its program.
struct S3KeySource: Sendable {
  /// The profile of the config; with it the environment's keys do not count.
  let profile: String?
  /// The club's `credentialsCommand`, if it has one.
  let program: (any AccessTokens)?
  /// The club's `accessKeyID`, if it has one, and its secret key.
  var secretKey: (id: String, secret: any AccessTokens)?
  var programs = S3ProfilePrograms(nil)
  let pool: BlockingPool
  let variable: @Sendable (String) -> String?

  private static let mostBytes = 1 << 20
  private static let remedy =
    "Set \"accessKeyID\" or \"credentialsCommand\" in the config, or the variables AWS_ACCESS_KEY_ID and "
    + "AWS_SECRET_ACCESS_KEY, or write them to ~/.aws/credentials."

  /// - Parameter stale: keys that the server has just refused.
  /// - Throws: `notSignedIn` without keys, or if there are no others.
  func keys(refusing stale: Stale? = nil) async throws(StoreError) -> Found {
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
    let found: S3Keys
    switch try await pool.run({ () throws(StoreError) in try self.lookUp() }) {
    case .keys(let keys): found = keys
    case .program(let words, let profile): return try await printed(words, profile, refusing: stale)
    }
    if let stale, found == stale.keys {
      throw StoreError(.notSignedIn, "The server does not accept the keys \(found.id).", remedy: S3KeySource.remedy)
    }
    return Found(keys: found, text: nil)
  }

  struct Found: Sendable {
    let keys: S3Keys
    /// The program's output, or the secret key that was kept.
    let text: String?
  }

  typealias Stale = Found

  private enum Source: Sendable {
    case keys(S3Keys)
    /// Its words, and the name of the profile that has it.
    case program([String], String)
  }

  private func printed(
    _ words: [String], _ profile: String, refusing stale: Stale?
  ) async throws(StoreError) -> Found {
    let remedy = "Correct credential_process in the profile \"\(profile)\" of ~/.aws, or sign in as it demands."
    let text: String
    do throws(StoreError) {
      text = try await programs.tokens(words).token(refusing: stale?.text)
    } catch {
      guard error.kind == .notSignedIn else { throw error }
      throw StoreError(.notSignedIn, error.message, remedy: remedy)
    }
    guard let keys = S3Keys(printed: text) else {
      throw StoreError(
        .notSignedIn, "The credential_process of the profile \"\(profile)\" prints no keys.", remedy: remedy)
    }
    return Found(keys: keys, text: text)
  }

  /// Blocks.
  private func lookUp() throws(StoreError) -> Source {
    if profile == nil, let keys = S3Keys(variables: variable) { return .keys(keys) }
    let name = profile ?? variable("AWS_PROFILE") ?? variable("AWS_DEFAULT_PROFILE") ?? "default"
    let home = (variable("HOME") ?? "") + "/.aws/"
    let files = [
      (variable("AWS_SHARED_CREDENTIALS_FILE") ?? home + "credentials", false),
      (variable("AWS_CONFIG_FILE") ?? home + "config", true),
    ]
    var found = S3Profile(name)
    for (file, isConfig) in files {
      if let text = try text(of: file) { found.read(text, isConfig: isConfig) }
    }
    if let keys = found.keys { return .keys(keys) }
    if let program = found.program { return .program(program, name) }
    if let setting = found.elsewhere {
      throw StoreError(
        .notSignedIn, "The profile \"\(name)\" of ~/.aws has its keys by \(setting), which byteclub does not do.",
        remedy: "Set \"credentialsCommand\" in the config to: "
          + "[\"aws\", \"configure\", \"export-credentials\", \"--profile\", \"\(name)\"]")
    }
    throw StoreError(
      .notSignedIn,
      profile.map { "There are no keys in the profile \"\($0)\" of ~/.aws." } ?? "There are no keys for S3.",
      remedy: S3KeySource.remedy)
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
