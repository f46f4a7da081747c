internal import Basics
internal import FileStores

/// A club's place at an S3 server: endpoint, bucket, and the prefix of all its keys.
struct S3Place: Sendable, Hashable {
  /// Of requests: with host style, the bucket is its first part.
  let origin: HTTPOrigin
  /// The server's, without the bucket.
  let endpoint: HTTPOrigin
  let bucket: String
  let region: String
  /// Empty, or with a slash at its end.
  let prefix: String
  /// The path of the bucket: `/bucket`, or empty with host style.
  private let root: String
  /// For sentences.
  let name: String
  var commands = ClubCommands()

  static let settings = [
    StoreSetting(
      "endpoint",
      about: "The address of the S3 server of the club NAME, such as https://s3.example.org. Without it: Amazon."),
    StoreSetting("region", about: "The region that requests are signed for. Without it: us-east-1."),
    StoreSetting("bucket", required: "say which bucket it is", about: "The bucket. It must exist."),
    StoreSetting(
      "prefix",
      about: "The beginning of all keys of the club in the bucket, such as club/. Without it: all of the bucket."),
    StoreSetting(
      "style", .choice(["path", "host"]),
      about: "Where requests name the bucket: in the path (without it, for an endpoint), or in the host (for Amazon)."),
    StoreSetting(
      "accessKeyID",
      about:
        "The id of your key, for whose secret key byteclub login asks. Without it: the keys of credentialsCommand, else "
        + "those of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, else those of profile."),
    StoreSetting(
      "profile",
      about: "The profile of ~/.aws/credentials or ~/.aws/config that has the keys, or the program that prints them."),
    StoreSetting(
      "credentialsCommand", .program,
      about:
        "A program, such as a password manager, that prints the keys: the key id, the secret key and perhaps a session "
        + "token on lines of their own, or JSON as a credential_process of the AWS tools. byteclub starts it without a "
        + "shell. It comes before accessKeyID."),
    .caFile, .pin,
  ]

  /// - Throws: `badInput` with the name of the setting.
  init(_ store: StoreDescription, commands: ClubCommands = ClubCommands()) throws(StoreError) {
    region = store.options["region"].flatMap { $0.isEmpty ? nil : $0 } ?? "us-east-1"
    bucket = try store.required("bucket")
    let own = store.options["endpoint"].flatMap { $0.isEmpty ? nil : $0 }
    var address = own ?? "https://s3.\(region).amazonaws.com"
    if address.hasSuffix("/") { address.removeLast() }
    guard S3Place.isPartOfHost(region), S3Place.isWord(bucket), !bucket.contains("/") else {
      throw S3Place.wrong(
        S3Place.isPartOfHost(region) ? "bucket" : "region", "has a space or another unusual character")
    }
    let endpoint = try HTTPOrigin(
      server: address, secrets: "the club", allowingPlain: store.allowsPlainHTTP,
      orThrow: S3Place.wrong(
        "endpoint", "is not the address of a server", "Write it as https://s3.example.org, without a path."))
    let style = store.options["style"] ?? (own == nil ? "host" : "path")
    let inHost = address.replacing("://", with: "://\(bucket).", maxReplacements: 1)
    guard style != "host" || S3Place.isPartOfHost(bucket), let origin = style == "host" ? HTTPOrigin(inHost) : endpoint
    else {
      throw S3Place.wrong("bucket", "cannot be part of a host", "Set \"style\" to \"path\".")
    }
    (self.origin, self.endpoint) = (origin, endpoint)
    root = style == "host" ? "" : "/" + PercentEncoding.encoded(bucket)
    var prefix = store.options["prefix"] ?? ""
    while prefix.hasPrefix("/") { prefix.removeFirst() }
    if !prefix.isEmpty, !prefix.hasSuffix("/") { prefix += "/" }
    guard (try? StorePath(prefix.dropLast().utf8)) != nil else {
      throw S3Place.wrong("prefix", "is not a path")
    }
    self.prefix = prefix
    name = own == nil ? "Amazon S3" : endpoint.place
    self.commands = commands
  }

  private static func wrong(_ setting: String, _ how: String, _ remedy: String = "") -> StoreError {
    StoreError(.badInput, "\"\(setting)\" \(how).", remedy: remedy.isEmpty ? "Correct it in the config." : remedy)
  }

  private static func isWord(_ text: String) -> Bool {
    1...255 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }

  /// Any other byte could end the host, so that requests went to another server.
  private static func isPartOfHost(_ text: String) -> Bool {
    isWord(text)
      && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 || "-_.".utf8.contains($0) }
  }
}

extension S3Place {
  /// S3 keys have at most 1024 bytes of UTF-8 (AWS, "Naming Amazon S3 objects").
  static let mostKeyBytes = 1024

  /// The key of a path; nil if it can have none. With `isFolder`, the key ends with a slash; the root's is the prefix.
  func key(_ path: StorePath, isFolder: Bool = false) -> String? {
    guard !S3Place.hasControls(path), let text = String(validating: path.bytes, as: UTF8.self) else { return nil }
    let key = prefix + text + (isFolder && !path.isRoot ? "/" : "")
    return key.utf8.count <= S3Place.mostKeyBytes ? key : nil
  }

  /// XML cannot hold control characters, so servers answer such names in many ways, some with broken answers. No path
  /// of a club has them (AWS, "Naming Amazon S3 objects", advises against them, too).
  static func hasControls(_ path: StorePath) -> Bool { path.bytes.contains { $0 < 0x20 || $0 == 0x7F } }

  /// The path of a key, and true if the key is a folder's own; nil for keys that no path has.
  func path(ofKey key: String) -> (path: StorePath, isFolder: Bool)? {
    guard key.utf8.starts(with: prefix.utf8) else { return nil }
    var rest = Array(key.utf8.dropFirst(prefix.utf8.count))
    // The prefix itself is the root's own key.
    let isFolder = rest.last.map { $0 == UInt8(ascii: "/") } ?? true
    if isFolder, !rest.isEmpty { rest.removeLast() }
    guard rest.first != UInt8(ascii: "/"), let path = try? StorePath(rest), !path.isRoot || isFolder,
      !S3Place.hasControls(path)
    else { return nil }
    return (path, isFolder)
  }

  /// The encoded path of a key in addresses; of the bucket without one.
  func requestPath(_ key: String?) -> String {
    let rest = key.map { "/" + PercentEncoding.encoded($0, keepingSlashes: true) } ?? ""
    let path = root + rest
    return path.isEmpty ? "/" : path
  }

  /// The value of `x-amz-copy-source` (AWS, CopyObject).
  func copySource(_ key: String, version: String? = nil) -> String {
    "/" + PercentEncoding.encoded(bucket) + "/" + PercentEncoding.encoded(key, keepingSlashes: true)
      + (version.map { "?versionId=" + PercentEncoding.encoded($0) } ?? "")
  }
}
