import ArgumentParser
import Database
import FileStores
import JSON
import StoreServer

struct AppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app", abstract: "Manage the app keys with which programs sign members in.",
    subcommands: [Add.self, List.self, Redirect.self, Remove.self])

  struct Add: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Make an app key and its secret, and print them, one per line.")
    @Option(
      help: ArgumentHelp(
        "An address to which the sign-in page may send a browser back, beside this machine; repeatable.",
        valueName: "address"))
    var redirect: [String] = []
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      let app = try AppKeys(members).make(redirects: redirect)
      let json = JSONValue.members(["key": .string(app.key), "secret": .string(app.secret)])
      return Reply([Reply.Result(json, lines: app.key, app.secret)])
    }

    /// The secret is not shown again.
    func undo(_ reply: Reply, _ members: ServerMembersDatabase) throws(StoreError) {
      for result in reply.results {
        if let key = result.json["key"]?.text { try AppKeys(members).remove(key) }
      }
    }
  }

  struct List: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "ls",
      abstract: "List the app keys, each with its time of creation and its redirect addresses.")
    static let isReadOnly = true
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      Reply(
        try AppKeys(members).list().map { app in
          Reply.Result(
            .members([
              "key": .string(app.key), "made": .string(app.made),
              "redirects": .array(app.redirects.map(JSONValue.string)),
            ]), lines: ([app.key, app.made] + app.redirects).joined(separator: "  "))
        })
    }
  }

  struct Redirect: MembersVerb {
    static let configuration = CommandConfiguration(
      abstract: "Set the addresses to which the sign-in page may send a browser back for an app key.")
    @Argument(help: "The app key.") var key: String
    @Argument(help: "The addresses. Without any, only addresses of the browser's own machine work.") var addresses:
      [String] = []
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      try AppKeys(members).setRedirects(addresses, of: key)
      let json = JSONValue.members([
        "key": .string(key), "redirects": .array(addresses.map(JSONValue.string)),
      ])
      return Reply(
        [Reply.Result(json)],
        notice: addresses.isEmpty
          ? "Removed the redirect addresses of the app key \(key)."
          : "Set the redirect addresses of the app key \(key): \(addresses.joined(separator: ", ")).")
    }
  }

  struct Remove: MembersVerb {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove an app key and end all its tokens at once.")
    @Argument(help: "The app key.") var key: String
    @OptionGroup var options: MembersOptions

    func perform(_ members: ServerMembersDatabase, of served: ServedRoot) throws(StoreError) -> Reply {
      try AppKeys(members).remove(key)
      return Reply(
        [Reply.Result(.members(["key": .string(key)]))],
        notice: "Removed the app key \(key) and ended all its tokens.")
    }
  }
}
