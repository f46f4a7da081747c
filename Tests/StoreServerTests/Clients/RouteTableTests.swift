import Foundation
import Testing

@testable import StoreServer

/// The page about Dropbox's calls tells of the server what it is.
struct RouteTableTests {
  @Test("docs/dropbox-routes.md has each route of files, says which there are, and why others are not")
  func page() throws {
    let root = #filePath.components(separatedBy: "/Tests/").dropLast().joined(separator: "/Tests/")
    let text = try String(contentsOfFile: root + "/docs/dropbox-routes.md", encoding: .utf8)
    var told: Set<String> = []
    var all: [String] = []
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 5, "\(line)")
      let name = String(cells[1].dropFirst().dropLast())
      all.append(name)
      if cells[2] == "yes" { told.insert(name) }
      #expect(cells[2] == "yes" || (cells[2] == "no" && cells[3].count > 10), "\(line)")
    }
    let prefix = "/2/files/"
    let served = RouteTable.all.routes.map(\.path).filter { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count))
    }
    #expect(told == Set(served))
    #expect(Set(all).count == all.count && all.sorted() == all && all.count == 67)
  }
}
