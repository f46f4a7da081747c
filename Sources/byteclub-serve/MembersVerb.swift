import ArgumentParser
import Database
import FileStores
import StoreServer

/// A command about who may use a served club.
protocol MembersVerb: ParsableCommand {
  /// The served folder.
  var root: String { get }
  /// Does it. Blocks.
  func perform(_ members: ServerMembersDatabase) throws(StoreError)
}

extension MembersVerb {
  func run() throws {
    let members = try ServedRoot(root).members()
    do throws(StoreError) {
      try perform(members)
    } catch {
      throw Failure(error)
    }
  }
}
