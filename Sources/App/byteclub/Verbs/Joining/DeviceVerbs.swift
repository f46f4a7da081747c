import Accounts
import ArgumentParser
import Backends
import Basics
import FileStores
import JSON
import QRCodes

struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: "Your machines and browsers in a club behind byteclub serve: add one, list them, remove one.",
    discussion: Examples.text([
      "byteclub device add": "prints a line for your next machine; it is good for ten minutes",
      "byteclub device ls": "* marks this machine",
      "byteclub device rm ID": "end the sign-in of a lost machine",
    ]),
    subcommands: [DeviceAdd.self, DeviceList.self, DeviceRemove.self])

  static func calls(_ setup: ClubSetup) throws(StoreError) -> (DeviceCalls, ClubAccount) {
    let club = try ClubAccount(setup)
    guard !club.account.usesOAuth1 else {
      throw StoreError(
        .unsupported, "The club \"\(setup.choice.name)\" signs its calls by OAuth 1.0, which has no devices.",
        remedy: "Sign in on the other machine with: byteclub login")
    }
    return (DeviceCalls(club.tokens, transport: club.transport, now: { ClubAccount.now }), club)
  }
}

/// The line that signs in the member's next device. `byteclub device add` and the app share it.
struct DeviceLine: Sendable {
  let line: String
  /// As the server writes it.
  let expires: JSONValue?
  let sentences: [String]

  /// - Throws: as `DeviceCalls.code`.
  static func make(_ setup: ClubSetup, _ calls: DeviceCalls, _ club: ClubAccount) async throws(StoreError) -> DeviceLine
  {
    let store = setup.choice.store
    let pin = try pin(of: store)
    let (code, expires) = try await calls.code()
    var sentences = [
      "On your other machine, type within ten minutes: byteclub join, and this line. It is good once. Who has it is you in "
        + "this club: send it to nobody else."
    ]
    if let file = store.options["caFile"], pin == nil {
      sentences.append(
        "The line does not carry the certificates of \(file), by which this machine trusts the server: a machine whose "
          + "system does not trust it cannot join. Copy the file and this club of your config there, and sign in with: "
          + "byteclub login")
    }
    return DeviceLine(
      line: InvitationLine.text(origin: club.account.service.origin, code: code, pin: pin), expires: expires,
      sentences: sentences)
  }

  /// A line has one pin. Of two it is the last, the new key: it stays good when the key has changed. A server that still
  /// has the old key is refused without the loss of the code.
  static func pin(of store: StoreDescription) throws(StoreError) -> KeyPin? {
    guard let text = store.options["pin"] else { return nil }
    return try KeyPin.list(configText: text).last
  }
}

struct DeviceAdd: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Print a line that signs you in on another machine.",
    discussion: Examples.text(["byteclub device add": "on the other machine: byteclub join LINE"])
      + "\n\nWho has the line is you in this club: send it to nobody else. It is good once, for ten minutes.")

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let setup = try ClubSetup(shared.start)
    let (calls, club) = try DeviceCommand.calls(setup)
    let made = try await club.asking(output) { () throws(StoreError) in try await DeviceLine.make(setup, calls, club) }
    var record = Record(.members(["line": .string(made.line), "expires": made.expires]), line: made.line)
    record.picture = QRPicture.lines(of: made.line) ?? []
    var answer = Answer([record])
    answer.notices = made.sentences
    return answer
  }
}

struct DeviceList: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List your machines and browsers in the club.",
    discussion: Examples.text(["byteclub device ls": "id, name, sign-in and last use; * marks this machine"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let (calls, club) = try DeviceCommand.calls(try ClubSetup(shared.start))
    let devices = try await club.asking(output) { () throws(StoreError) in try await calls.devices() }
    func columns(_ text: String, _ all: [String]) -> String {
      TerminalText.padded(text, 2 + (all.map { TerminalText.columns($0) }.max() ?? 0))
    }
    return Answer(
      devices.map { device in
        let (made, used) = (device.made?.text ?? "-", device.lastUsed?.text ?? "-")
        return Record(
          .members([
            "id": .string(device.id), "name": .string(device.name), "made": device.made, "lastUsed": device.lastUsed,
            "isThis": .bool(device.isThis),
          ]),
          line: (device.isThis ? "* " : "  ") + columns(device.id, devices.map(\.id))
            + columns(device.name, devices.map(\.name)) + columns(made, devices.map { $0.made?.text ?? "-" }) + used)
      })
  }
}

struct DeviceRemove: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "End the sign-in of one of your machines or browsers.",
    discussion: Examples.text(["byteclub device rm ID": "the id is in: byteclub device ls"]))

  @Argument(help: "The id of the device.") var id: String
  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let (calls, club) = try DeviceCommand.calls(try ClubSetup(shared.start))
    let id = id
    try await club.asking(output) { () throws(StoreError) in try await calls.remove(id) }
    return Answer(
      [Record(.members(["id": .string(id)]), line: nil)], notice: "The device is signed out of \(club.service).")
  }
}
