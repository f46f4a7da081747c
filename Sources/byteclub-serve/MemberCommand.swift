import ArgumentParser
import Database
import FileStores
import JSON
import StoreServer

struct MemberCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "member", abstract: "Say who may use the served club.",
    subcommands: [Add.self, List.self, Remove.self, Code.self])

  struct Add: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Add a member and print the access token, which cannot be had a second time.")
    @Argument(help: "The member's name.") var name: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply {
      let token = try MemberList(members).add(name)
      return Reply([Reply.Result(.members(["name": .string(name), "token": .string(token)]), lines: token)])
    }
  }

  struct Code: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Print a code word with which a member signs in once, within a quarter of an hour.")
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
      commandName: "rm", abstract: "Remove a member, whose tokens end at once.")
    @Argument(help: "The member's name.") var name: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply {
      try MemberList(members).remove(name)
      return Reply(
        [Reply.Result(.members(["name": .string(name)]))],
        notice: "Removed the member \"\(name)\". Each of their tokens has ended.")
    }
  }
}
