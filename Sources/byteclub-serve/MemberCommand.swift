import ArgumentParser
import Database
import FileStores
import Glibc
import StoreServer

struct MemberCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "member", abstract: "Say who may use the served club.",
    subcommands: [Add.self, List.self, Remove.self, Code.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a member and print the access token, which cannot be had a second time.")
    @Argument(help: "The member's name.") var name: String
    @Option(help: "The served folder.") var root: String

    func run() throws {
      let members = try ServedRoot(root).members()
      do throws(StoreError) {
        Output.say(try MemberList(members).add(name))
      } catch {
        throw Failure(error)
      }
    }
  }

  struct Code: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a code word with which a member signs in once, within a quarter of an hour.")
    @Argument(help: "The member's name.") var name: String
    @Option(help: "The served folder.") var root: String

    func run() throws {
      let members = try ServedRoot(root).members()
      do throws(StoreError) {
        Output.say(try CodeWords(members).issue(to: name))
      } catch {
        throw Failure(error)
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the members.")
    @Option(help: "The served folder.") var root: String

    func run() throws {
      let members = try ServedRoot(root).members()
      do throws(StoreError) {
        for member in try members.members() { Output.say(member.name) }
      } catch {
        throw Failure(error)
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a member, whose tokens end at once.")
    @Argument(help: "The member's name.") var name: String
    @Option(help: "The served folder.") var root: String

    func run() throws {
      let members = try ServedRoot(root).members()
      do throws(StoreError) {
        try MemberList(members).remove(name)
      } catch {
        throw Failure(error)
      }
    }
  }
}
