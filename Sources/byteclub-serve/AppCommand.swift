import ArgumentParser
import Database
import FileStores
import JSON
import StoreServer

struct AppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app", abstract: "Manage the app keys with which programs sign members in.",
    subcommands: [Add.self, List.self, Remove.self])

  struct Add: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Make an app key and its secret, and print them, one per line.")
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply {
      let app = try AppKeys(members).make()
      let json = JSONValue.members(["key": .string(app.key), "secret": .string(app.secret)])
      return Reply([Reply.Result(json, lines: app.key, app.secret)])
    }
  }

  struct List: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the app keys, each with its time of creation.")
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply {
      Reply(
        try AppKeys(members).list().map { app in
          Reply.Result(
            .members(["key": .string(app.key), "made": .string(app.made)]), lines: "\(app.key)  \(app.made)")
        })
    }
  }

  struct Remove: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove an app key and end all its tokens at once.")
    @Argument(help: "The app key.") var key: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply {
      try AppKeys(members).remove(key)
      return Reply(
        [Reply.Result(.members(["key": .string(key)]))],
        notice: "Removed the app key \(key) and ended all its tokens.")
    }
  }
}
