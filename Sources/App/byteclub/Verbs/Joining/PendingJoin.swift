import Accounts
import Basics
import FileStores
import JSON

/// The random value by which a server knows this machine while an invitation is redeemed. It is on disk before the server
/// is asked: when the answer is lost, the next attempt sends the same value and gets the same answer. Calls block.
struct PendingJoin: Sendable {
  private static let mostBytes = 4096
  private static let version = 1

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

  /// After the club is joined.
  func forget() throws(StoreError) { try directory.remove(name) }
}
