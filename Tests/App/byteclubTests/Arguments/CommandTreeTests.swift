import ManualPages
import Testing

@testable import byteclub

/// The commands as the manual has them, which is as the parser knows them.
struct CommandTreeTests {
  private func all(_ entry: CommandEntry) -> [CommandEntry] { [entry] + entry.verbs.flatMap(all) }

  @Test func `only what is built is offered`() throws {
    let root = try #require(CommandEntry.tree())
    let words = all(root).flatMap { $0.name.split(separator: " ").map(String.init) + $0.parameters.map(\.spelling) }
    for absent in ["--yaw", "--quality"] {
      #expect(!words.contains(absent), "\(absent) is not built")
    }
    #expect(
      all(root).map(\.name).filter { $0.hasPrefix("byteclub note ") } == [
        "byteclub note ls", "byteclub note cat", "byteclub note show", "byteclub note new", "byteclub note today",
        "byteclub note put", "byteclub note append", "byteclub note edit", "byteclub note mv", "byteclub note mkdir",
        "byteclub note rm", "byteclub note history", "byteclub note diff", "byteclub note restore",
        "byteclub note link",
      ])
  }

  @Test func `every command says what it does, and so does every parameter`() throws {
    for entry in all(try #require(CommandEntry.tree())) {
      #expect(entry.about.hasSuffix("."), "\(entry.name)")
      for parameter in entry.parameters {
        #expect(parameter.about.hasSuffix("."), "\(entry.name) \(parameter.spelling)")
      }
    }
  }
}
