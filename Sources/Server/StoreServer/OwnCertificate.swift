public import Backends
import Basics
import CCertificate
import CPlatform
public import FileStores
import POSIX

/// The key and the certificate that a server makes itself (`--tls-self`). Members are pinned to the key, so it is made
/// once and never replaced; the certificate around it is renewed.
///
/// The key is in the private state of each club that the server serves, so that each club's invitations and backups have
/// it. The certificate is beside the first club's key. Calls block.
public struct OwnCertificate: Sendable {
  static let keyFile = "tls-key.pem"
  static let certificateFile = "tls-certificate.pem"
  /// Browsers of Apple refuse longer ones (Apple, "Requirements for trusted certificates").
  private static let secondsGood: Int64 = 825 * 86_400
  private static let secondsLeft: Int64 = 30 * 86_400
  /// For machines whose clocks are behind.
  private static let secondsBefore: Int64 = 86_400
  /// More than the longest key or certificate in PEM.
  private static let mostBytes = 16 << 10

  private let first: PrivateDirectory
  private let others: [PrivateDirectory]
  private let names: String
  private let now: @Sendable () -> Int64

  /// - Parameter first: the first club's private state, which gets the certificate, too.
  /// - Parameter hosts: the names and IP addresses of the server, for the certificate. Others than host names are left
  ///   out: members trust the key, whatever the names are.
  public init(in first: PrivateDirectory, and others: [PrivateDirectory] = [], hosts: [String]) {
    self.init(in: first, and: others, hosts: hosts, now: ServerOptions.now)
  }

  init(
    in first: PrivateDirectory, and others: [PrivateDirectory] = [], hosts: [String],
    now: @escaping @Sendable () -> Int64
  ) {
    (self.first, self.others, self.now) = (first, others, now)
    names = OwnCertificate.names(of: hosts)
  }

  var files: (certificate: String, key: String) {
    (first.path(of: OwnCertificate.certificateFile), first.path(of: OwnCertificate.keyFile))
  }

  /// Makes the key and the certificate if they are missing. Renews a certificate with fewer than 30 days left, with other
  /// names, of another key, or a damaged one.
  /// - Throws: `corrupt` for a damaged key, `conflict` if two clubs have different ones; errors of the disk.
  func prepare() throws(StoreError) {
    let key = try sharedKey().text
    let time = now()
    if let there = OwnCertificate.small(OwnCertificate.certificateFile, in: first),
      ct_is_certificate(there, there.count, key, key.count, names, time + OwnCertificate.secondsLeft) == 1
    {
      return
    }
    let (from, until) = (time - OwnCertificate.secondsBefore, time + OwnCertificate.secondsGood)
    let made = OwnCertificate.written { ct_new_certificate(key, key.count, names, from, until, $0, $1) }
    guard let made else {
      throw StoreError(
        .badInput, "byteclub cannot make a certificate of the key \"\(files.key)\": it is of another kind.",
        remedy: "Use that key with --tls-cert and --tls-key.")
    }
    try first.write(made, as: OwnCertificate.certificateFile)
  }

  /// The pin of the server's key, which is made if it is missing.
  /// - Throws: as the server's start does.
  public func pin() throws(StoreError) -> KeyPin { try sharedKey().pin }

  /// The pin of the key in a club's private state; nil if its server never made one.
  /// - Throws: `corrupt` if the key is damaged.
  public static func pin(in directory: PrivateDirectory) throws(StoreError) -> KeyPin? {
    try key(in: directory)?.pin
  }

  // MARK: The key

  /// The one key of all clubs. Clubs without a key get it.
  private func sharedKey() throws(StoreError) -> (text: [UInt8], pin: KeyPin) {
    let all = [first] + others
    var found: (text: [UInt8], pin: KeyPin)?
    for directory in all {
      guard let key = try OwnCertificate.key(in: directory) else { continue }
      if let found, found.pin != key.pin {
        throw StoreError(
          .conflict,
          "The key in \"\(directory.path)\" is another one than that of the clubs before it on the command line.",
          remedy:
            "Serve that club by a server of its own, or move \(OwnCertificate.keyFile) away there: its members then need "
            + "a new line.")
      }
      found = key
    }
    guard let text = found?.text ?? OwnCertificate.written({ ct_new_key($0, $1) }) else {
      throw StoreError(.server, "The server cannot make a key: memory or random numbers are short.")
    }
    for directory in all where !directory.holds(OwnCertificate.keyFile) { try OwnCertificate.keep(text, in: directory) }
    return (text, try OwnCertificate.pin(of: text, in: first))
  }

  /// Puts a key into a club's private state, durably. One that is there stays.
  /// - Throws: `exists` if another key is there, also if another process has just put it there.
  static func keep(_ key: [UInt8], in directory: PrivateDirectory) throws(StoreError) {
    if try self.key(in: directory)?.text == key { return }
    let part = ".\(keyFile).\(FreshID.word(22)).part"
    let (made, target) = (directory.path(of: part), directory.path(of: keyFile))
    try directory.write(key, as: part)
    defer { unlink(made) }
    var code = -cp_rename(AT_FDCWD, made, AT_FDCWD, target, 1)
    // On file systems without that call, `link` also fails for an existing name.
    if code == EINVAL || code == ENOSYS { code = link(made, target) == 0 ? 0 : errno }
    if code == EEXIST {
      throw StoreError(
        .exists, "\"\(target)\" is another key, and members may be pinned to it, so it was not replaced.",
        remedy: "Try again. To use the other key, move this file away first: members who have its pin need a new line.")
    }
    do throws(SystemError) {
      guard code == 0 else { throw SystemError(code: code) }
      try OpenFile(folder: directory.path).synchronizeNames()
    } catch {
      throw .system(error.code, "written", target)
    }
  }

  /// A key that is whole; nil without one.
  static func key(in directory: PrivateDirectory) throws(StoreError) -> (text: [UInt8], pin: KeyPin)? {
    do throws(StoreError) {
      guard let text = try directory.read(keyFile, limit: mostBytes) else { return nil }
      return (text, try pin(of: text, in: directory))
    } catch {
      throw error.kind == .tooLarge ? damaged(directory) : error
    }
  }

  private static func pin(of key: [UInt8], in directory: PrivateDirectory) throws(StoreError) -> KeyPin {
    guard let publicKey = written({ ct_public_key(key, key.count, $0, $1) }) else { throw damaged(directory) }
    return KeyPin(publicKey: publicKey)
  }

  private static func damaged(_ directory: PrivateDirectory) -> StoreError {
    StoreError(
      .corrupt,
      "The server's key \"\(directory.path(of: keyFile))\" is damaged. Members trust this key alone, so no new one was made.",
      remedy: "Bring the file back from a backup. If there is none, move it away: each member then needs a new line.")
  }

  // MARK: Texts

  /// A certificate that cannot be read is made again.
  private static func small(_ name: String, in directory: PrivateDirectory) -> [UInt8]? {
    do throws(StoreError) { return try directory.read(name, limit: mostBytes) } catch { return nil }
  }

  private static func written(_ body: (UnsafeMutablePointer<UInt8>?, Int) -> Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes) { buffer, count in
      count = body(buffer.baseAddress, buffer.count)
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// OpenSSL's form of subjectAltName.
  private static func names(of hosts: [String]) -> String {
    var names: [String] = []
    for host in hosts {
      var bytes = [UInt8](repeating: 0, count: 16)
      let isAddress = inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1
      let isName =
        1...253 ~= host.utf8.count
        && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_") }
      let name = isAddress ? "IP:\(host)" : "DNS:\(host.lowercased())"
      if isAddress || isName, !names.contains(name) { names.append(name) }
    }
    return names.isEmpty ? "DNS:localhost" : names.joined(separator: ",")
  }
}
