import ArgumentParser
import Database
import FileStores
import StoreServer

/// A command about who may use a served club.
protocol MembersVerb: ParsableCommand {
  /// What each of them takes.
  var options: MembersOptions { get }
  /// Does it. Blocks.
  func perform(_ members: ServerMembersDatabase) throws(StoreError) -> Reply
}

/// What each command about who may use a served club takes.
struct MembersOptions: ParsableArguments {
  @Option(help: "The served folder.") var root: String
  @Flag(help: "Print one JSON document instead of lines.") var json = false
}

extension MembersVerb {
  func run() throws {
    let served = try ServedRoot(options.root)
    let members = try served.members()
    try served.complainOfDamage(members)
    let reply = try perform(members)
    reply.write(asJSON: options.json)
  }
}
