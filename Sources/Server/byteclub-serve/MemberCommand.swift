import ArgumentParser
import Database
import FileStores
import JSON
import StoreServer
import TextUI

struct MemberCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "member", abstract: "Manage the members who may use the served club.",
    subcommands: [Add.self, List.self, Remove.self, Token.self, Code.self, Quota.self])

  struct Add: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Add a member and print the access token. It is not shown again.")
    @Argument(help: "The member's name.") var name: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      let token = try MemberList(members).add(name)
      return Reply(
        [Reply.Result(.members(["name": .string(name), "token": .string(token)]), lines: token)],
        notice: "\(name) brings this token in BYTECLUB_TOKEN, or by \"tokenCommand\" in the config. It is not shown "
          + "again. A line of \"byteclub serve invite\" needs no config.")
    }

    /// The token is not shown again, so without it the member would be of no use, and the name taken.
    func undo(_ reply: Reply, _ members: ServerMembersDatabase) throws(StoreError) {
      try MemberList(members).remove(name)
    }
  }

  struct Code: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Print a code word for one sign-in of a member within 15 minutes.")
    @Argument(help: "The member's name.") var name: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      let word = try CodeWords(members).issue(to: name)
      return Reply([Reply.Result(.members(["name": .string(name), "code": .string(word)]), lines: word)])
    }
  }

  struct List: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the members, with their space and when they last came.",
      discussion: "A running server notes once an hour who came.")
    static let isReadOnly = true
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      let all = try members.members()
      // Unknown for each if the index is damaged.
      var used: [String: UInt64] = [:]
      do throws(StoreError) {
        let index = try served.index()
        used =
          try index?.read { index in
            try Dictionary(uniqueKeysWithValues: all.map { ($0.id, try index.usedBytes(by: $0.id)) })
          } ?? Dictionary(uniqueKeysWithValues: all.map { ($0.id, 0) })
      } catch {
        guard error.kind == .corrupt else { throw error }
        Output.complain("The space of the members is unknown: \(error.message) \(error.remedy)")
      }
      var results: [Reply.Result] = []
      for member in all {
        let bytes = used[member.id]
        let seen = try members.lastUse(of: member.id).map(InvitationLife.text)
        let facts = [
          member.name, bytes.flatMap { $0 > 0 ? ByteCount.text($0) : nil },
          member.quota.map { "quota " + ByteSize.text($0) },
          seen.map { "seen " + $0 }, member.isReader ? "read-only" : nil,
        ]
        let json = JSONValue.members([
          "name": .string(member.name), "quota": member.quota.map { .integer(Int64(clamping: $0)) },
          "usedBytes": bytes.map { .integer(Int64(clamping: $0)) }, "lastSeen": seen.map(JSONValue.string),
          "readOnly": member.isReader ? true : nil,
        ])
        results.append(Reply.Result(json, lines: facts.compactMap { $0 }.joined(separator: "  ")))
      }
      return Reply(results)
    }
  }

  struct Token: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Print a new access token for a member, who keeps account, files and quota.",
      discussion:
        "The tokens that were printed for the member before end. Devices that joined by a line or a code stay.")
    @Argument(help: "The member's name.") var name: String
    @Flag(help: "Make a new token. An old one cannot be shown again.") var new = false
    @Option(
      help: ArgumentHelp(
        "How long the old tokens stay good: 30m, 12h or 7d. By default they end at once.", valueName: "time"))
    var oldFor: InvitationLife?
    @OptionGroup var options: MembersOptions

    func validate() throws {
      guard new else { throw ValidationError("A token is shown only once, when it is made. For a new one add --new.") }
    }

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      let token = try MemberList(members).token(for: name)
      return Reply([Reply.Result(.members(["name": .string(name), "token": .string(token)]), lines: token)])
    }

    /// Once the new one is there for whoever asked.
    func settle(_ reply: Reply, _ members: ServerMembersDatabase) throws(StoreError) {
      for token in reply.tokens {
        try MemberList(members).endTokens(of: name, before: token, in: oldFor?.seconds ?? 0)
      }
    }

    func undo(_ reply: Reply, _ members: ServerMembersDatabase) throws(StoreError) {
      for token in reply.tokens { try MemberList(members).takeBack(token) }
    }
  }

  struct Quota: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Limit the bytes of the files whose last version a member wrote.",
      discussion: "It takes effect at once, also on a running server. Files that are there stay.")
    @Argument(help: "The member's name.") var name: String
    @Argument(help: "The size, \(ByteSize.form); or \"none\".") var size: String
    @OptionGroup var options: MembersOptions

    func validate() throws {
      guard size == "none" || ByteSize(argument: size) != nil else {
        throw ValidationError("\"\(size)\" is no size. Give \(ByteSize.form); or none.")
      }
    }

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      let quota = ByteSize(argument: size)?.bytes
      try MemberList(members).setQuota(quota, of: name)
      let json = JSONValue.members(["name": .string(name), "quota": quota.map { .integer(Int64(clamping: $0)) }])
      return Reply(
        [Reply.Result(json)],
        notice: quota.map { "Files of \"\(name)\" may have \(ByteSize.text($0)) bytes." }
          ?? "Files of \"\(name)\" may have any size.")
    }
  }

  struct Remove: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a member and end all their devices, tokens, codes and links at once.")
    @Argument(help: "The member's name.") var name: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      try MemberList(members).remove(name)
      return Reply(
        [Reply.Result(.members(["name": .string(name)]))],
        notice: "Removed the member \"\(name)\" and ended all their tokens.")
    }
  }
}

protocol MembersVerb: ParsableCommand {
  /// True if the verb makes, mends and puts aside nothing.
  static var isReadOnly: Bool { get }
  var options: MembersOptions { get }
  /// - Throws: `ValidationError` if an option is missing, or wrong, for this club.
  func check(_ members: ServerMembersDatabase, of served: ServedRoot) throws
  /// Blocks.
  func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply
  /// Ends the change, because the result is written.
  func settle(_ reply: Reply, _ members: ServerMembersDatabase) throws(StoreError)
  /// Takes the change back, because nobody got the result.
  func undo(_ reply: Reply, _ members: ServerMembersDatabase) throws(StoreError)
}

extension MembersVerb {
  static var isReadOnly: Bool { false }

  func check(_ members: ServerMembersDatabase, of served: ServedRoot) throws {}

  func settle(_ reply: Reply, _ members: ServerMembersDatabase) throws(StoreError) {}

  /// Most commands print nothing that a later command cannot print again.
  func undo(_ reply: Reply, _ members: ServerMembersDatabase) throws(StoreError) {}
}

struct MembersOptions: ParsableArguments {
  @OptionGroup var place: ServedOptions
  @Flag(help: "Print one JSON document instead of lines.") var json = false
}

extension MembersVerb {
  func run() throws {
    let served = try ServedRoot(options.place.onlyPlace(), asOwner: true)
    let isNew = !served.hasMembers && !Self.isReadOnly
    let members = try served.members(isReadOnly: Self.isReadOnly)
    if isNew { Output.complain("The new list of members is in \"\(served.directory.path)\".") }
    try check(members, of: served)
    try served.complainOfDamage(members)
    let reply = try perform(members, of: served)
    do throws(StoreError) {
      try reply.write(asJSON: options.json)
    } catch {
      do throws(StoreError) { try undo(reply, members) } catch let second {
        throw StoreError(error.kind, "\(error.message) What was added could not be removed again: \(second.message)")
      }
      throw error
    }
    try settle(reply, members)
  }
}

extension Reply {
  fileprivate var tokens: [String] { results.compactMap { $0.json["token"]?.text } }
}
