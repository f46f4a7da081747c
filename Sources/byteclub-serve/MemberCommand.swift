import ArgumentParser
import Database
import FileStores
import StoreServer

struct MemberCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "member", abstract: "Say who may use the served club.",
    subcommands: [Add.self, List.self, Remove.self, Code.self])

  struct Add: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Add a member and print the access token, which cannot be had a second time.")
    @Argument(help: "The member's name.") var name: String
    @Option(help: "The served folder.") var root: String

    func perform(_ members: ServerMembersDatabase) throws(StoreError) {
      Output.say(try MemberList(members).add(name))
    }
  }

  struct Code: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Print a code word with which a member signs in once, within a quarter of an hour.")
    @Argument(help: "The member's name.") var name: String
    @Option(help: "The served folder.") var root: String

    func perform(_ members: ServerMembersDatabase) throws(StoreError) {
      Output.say(try CodeWords(members).issue(to: name))
    }
  }

  struct List: MembersVerb {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the members.")
    @Option(help: "The served folder.") var root: String

    func perform(_ members: ServerMembersDatabase) throws(StoreError) {
      for member in try members.members() { Output.say(member.name) }
    }
  }

  struct Remove: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a member, whose tokens end at once.")
    @Argument(help: "The member's name.") var name: String
    @Option(help: "The served folder.") var root: String

    func perform(_ members: ServerMembersDatabase) throws(StoreError) {
      try MemberList(members).remove(name)
    }
  }
}
