import ArgumentParser
import Backends
import Basics
import Database
import FileStores
import JSON
import QRCodes
import StoreServer

struct InviteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Invite a friend: print one line that makes a member and lets their device in.",
    discussion:
      "byteclub serve invite ann --root DIR prints the line. The friend pastes it after \"byteclub join\". It works once.",
    subcommands: [New.self, List.self, Remove.self], defaultSubcommand: New.self)

  struct New: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Make an invitation (the default). An earlier one of the same name ends.",
      discussion: "For a member who is there the line adds a device, such as when they have none left.")
    @Argument(help: "The name that the member will have, or has.") var name: String
    @Option(
      help: ArgumentHelp(
        "When the invitation ends, if nobody uses it: 30m, 12h or 7d, at most 90d.", valueName: "time"))
    var expires = InvitationLife.usual
    @Option(
      help: ArgumentHelp(
        "How the friend reaches this server: https://HOST[:PORT]. By default as the server was last started with "
          + "--address.", valueName: "url"))
    var address: String?
    @Flag(help: "Make a reader of the member: they read everything, and change nothing.") var readOnly = false
    @OptionGroup var options: MembersOptions

    func validate() throws {
      try validated { () throws(StoreError) in
        if let address { _ = try ServerAddress(address) }
      }
    }

    func check(_ members: ServerMembersDatabase, of served: ServedRoot) throws {
      guard try address != nil || served.address() != nil else {
        throw ValidationError(
          "The server's address, which the line has in it, is not known. Give it with --address https://HOST[:PORT], or "
            + "start the server with that option.")
      }
      guard try !readOnly || !members.members().contains(where: { $0.name == name }) else {
        throw ValidationError(
          "\"\(name)\" is a member already, and --read-only is for new ones. For another device of theirs, leave it out. "
            + "To make a reader of them, remove them first: byteclub serve member rm")
      }
    }

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      let known = try served.address()
      let (server, codes) = (try ServerAddress(address ?? known ?? ""), JoinCodes(members))
      let isAgain = try codes.invitations().contains { $0.name == name }
      let made = try codes.invite(name, seconds: expires.seconds, isReader: readOnly)
      let line = server.invitation(code: made.code, pin: try served.pin())
      let json = JSONValue.members([
        "name": .string(name), "line": .string(line), "expires": .string(InvitationLife.text(made.expires)),
        "readOnly": .bool(readOnly), "isMember": .bool(made.isForDevice),
      ])
      var result = Reply.Result(json, lines: line)
      result.picture = QRPicture.lines(of: line) ?? []
      var notice = [
        "Send this line to \(name), in any chat that you trust. There, with byteclub installed, it goes after "
          + "\"byteclub join\", in quotes; in a browser it says how to get byteclub.",
        "It lets one \(made.isForDevice ? "device" : "person") in, once, until \(InvitationLife.text(made.expires)).",
      ]
      if made.isForDevice { notice.insert("\(name) is a member already: this line adds a device.", at: 0) }
      if readOnly { notice.append("\(name) will read everything, and change nothing.") }
      if try served.pin() != nil {
        notice.append("A browser warns of the page that the line opens, because of --tls-self; byteclub does not.")
      }
      if try !served.wasStarted() {
        notice.append(
          "The server was not started yet, so the line has no pin. With --tls-self, start it first, and invite again.")
      }
      if isAgain { notice.append("The earlier invitation of \(name) has ended.") }
      return Reply([result], notice: (notice + server.warnings).joined(separator: "\n"))
    }

    /// Nobody got the line.
    func undo(_ reply: Reply, _ members: ServerMembersDatabase) throws(StoreError) {
      try JoinCodes(members).endInvitation(of: name)
    }
  }

  struct List: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the invitations that nobody has used, each with its end.")
    static let isReadOnly = true
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      Reply(
        try JoinCodes(members).invitations().map { invitation in
          let end = InvitationLife.text(invitation.expires)
          return Reply.Result(
            .members([
              "name": .string(invitation.name), "made": .string(InvitationLife.text(invitation.created)),
              "expires": .string(end), "readOnly": .bool(invitation.isReader),
              "isMember": .bool(invitation.isForDevice),
            ]),
            lines: "\(invitation.name)  until \(end)" + (invitation.isReader ? "  read-only" : "")
              + (invitation.isForDevice ? "  another device" : ""))
        })
    }
  }

  struct Remove: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "End an invitation that nobody has used.")
    @Argument(help: "The name that was invited.") var name: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      try JoinCodes(members).endInvitation(of: name)
      return Reply(
        [Reply.Result(.members(["name": .string(name)]))], notice: "Ended the invitation of \"\(name)\".")
    }
  }
}

/// How long an invitation is good, as typed.
struct InvitationLife: ExpressibleByArgument {
  static let usual = InvitationLife(seconds: 7 * 86_400)
  private static let most: Int64 = 90 * 86_400
  private static let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400]

  let seconds: Int64

  private init(seconds: Int64) { self.seconds = seconds }

  init?(argument: String) {
    guard let unit = argument.last.flatMap({ InvitationLife.units[$0] }), let number = Int64(argument.dropLast()),
      1...(InvitationLife.most / unit) ~= number
    else { return nil }
    seconds = number * unit
  }

  var defaultValueDescription: String { "7d" }

  static func text(_ second: Int64) -> String { CivilTime(secondsSince1970: Int(second)).utc }
}
