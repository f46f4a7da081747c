import ArgumentParser
import FileStores
import StoreServer

struct AppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app", abstract: "Let programs sign members in.", subcommands: [Add.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make an app key and its secret, and print them, one on a line.")
    @Option(help: "The served folder.") var root: String

    func run() throws {
      let members = try ServedRoot(root).members()
      do throws(StoreError) {
        let app = try AppKeys(members).make()
        Output.say(app.key)
        Output.say(app.secret)
      } catch {
        throw Failure(error)
      }
    }
  }
}
