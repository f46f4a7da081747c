import ArgumentParser
import Database
import FileStores
import StoreServer

struct AppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app", abstract: "Let programs sign members in.", subcommands: [Add.self, List.self, Remove.self])

  struct Add: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Make an app key and its secret, and print them, one on a line.")
    @Option(help: "The served folder.") var root: String

    func perform(_ members: ServerMembersDatabase) throws(StoreError) {
      let app = try AppKeys(members).make()
      Output.say(app.key)
      Output.say(app.secret)
    }
  }

  struct List: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the app keys, each with the time at which it was made.")
    @Option(help: "The served folder.") var root: String

    func perform(_ members: ServerMembersDatabase) throws(StoreError) {
      for app in try AppKeys(members).list() { Output.say("\(app.key)  \(app.made)") }
    }
  }

  struct Remove: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove an app key; the tokens that members have through it end at once.")
    @Argument(help: "The app key.") var key: String
    @Option(help: "The served folder.") var root: String

    func perform(_ members: ServerMembersDatabase) throws(StoreError) {
      try AppKeys(members).remove(key)
    }
  }
}
