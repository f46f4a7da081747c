import ArgumentParser
import Database
import FileStores
import JSON
import StoreServer

struct MemberCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "member", abstract: "Manage the members who may use the served club.",
    subcommands: [Add.self, List.self, Remove.self, Code.self])

  struct Add: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Add a member and print the access token. It is not shown again.")
    @Argument(help: "The member's name.") var name: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply {
      let token = try MemberList(members).add(name)
      return Reply([Reply.Result(.members(["name": .string(name), "token": .string(token)]), lines: token)])
    }
  }

  struct Code: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Print a code word for one sign-in of a member within 15 minutes.")
    @Argument(help: "The member's name.") var name: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply {
      let word = try CodeWords(members).issue(to: name)
      return Reply([Reply.Result(.members(["name": .string(name), "code": .string(word)]), lines: word)])
    }
  }

  struct List: MembersVerb {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the members.")
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply {
      Reply(try members.members().map { Reply.Result(.members(["name": .string($0.name)]), lines: $0.name) })
    }
  }

  struct Remove: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a member and end all their tokens at once.")
    @Argument(help: "The member's name.") var name: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply {
      try MemberList(members).remove(name)
      return Reply(
        [Reply.Result(.members(["name": .string(name)]))],
        notice: "Removed the member \"\(name)\" and ended all their tokens.")
    }
  }
}

protocol MembersVerb: ParsableCommand {
  var options: MembersOptions { get }
  /// Blocks.
  func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply
}

struct MembersOptions: ParsableArguments {
  @OptionGroup var place: ServedOptions
  @Flag(help: "Print one JSON document instead of lines.") var json = false
}

extension MembersVerb {
  func run() throws {
    let served = try ServedRoot(options.place)
    let members = try served.members()
    try served.complainOfDamage(members)
    let reply = try perform(members)
    reply.write(asJSON: options.json)
  }
}
