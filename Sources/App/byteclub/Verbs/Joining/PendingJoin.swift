import Accounts
import Basics
import FileStores
import JSON

/// What a line has given this machine: a club by its name here, and the id of an account.
struct UsedInvitation: Sendable {
  let club: String
  let account: String
}

/// The random value by which a server knows this machine while an invitation is redeemed. It is on disk before the server
/// is asked: when the answer is lost, the next attempt sends the same value and gets the same answer. Calls block.
struct PendingJoin: Sendable {
  private static let mostBytes = 4096
  private static let version = 1
  /// The ending of the file of a line that has let this machine in.
  private static let used = ".used"

  private let directory: PrivateDirectory
  private let name: String
  let device: String

  /// Takes the value of an earlier attempt with this line, or makes one.
  init(_ line: InvitationLine, _ paths: Paths) throws(StoreError) {
    directory = try PrivateDirectory(making: paths.joinsDirectory)
    name = line.fingerprint + ".json"
    if let kept = try PendingJoin.kept(name, directory) {
      device = kept
      return
    }
    device = Base64.random(bytes: 16)
    let record: JSONValue = .members(["version": .number(PendingJoin.version), "device": .string(device)])
    try directory.write(Array("\(record.encoded)\n".utf8), as: name)
  }

  /// nil for a damaged file, too: it is made anew.
  private static func kept(_ name: String, _ directory: PrivateDirectory) throws(StoreError) -> String? {
    guard let bytes = try directory.read(name, limit: mostBytes), let record = try? JSONReader.read(bytes),
      record["version"] == .number(version), let device = record["device"]?.text,
      Base64.bytes(of: device, .url)?.count == 16
    else { return nil }
    return device
  }

  /// After the club is joined. The file of the used line has no value any more.
  func finish(_ used: UsedInvitation) throws(StoreError) {
    let record: JSONValue = .members([
      "version": .number(PendingJoin.version), "club": .string(used.club), "account": .string(used.account),
    ])
    try directory.write(Array("\(record.encoded)\n".utf8), as: name + PendingJoin.used)
    try forget()
  }

  func forget() throws(StoreError) { try directory.remove(name) }

  /// nil if this machine has not joined by this line.
  func used() throws(StoreError) -> UsedInvitation? {
    guard let bytes = try directory.read(name + PendingJoin.used, limit: PendingJoin.mostBytes),
      let record = try? JSONReader.read(bytes), record["version"] == .number(PendingJoin.version),
      let club = record["club"]?.text, let account = record["account"]?.text
    else { return nil }
    return UsedInvitation(club: club, account: account)
  }
}
