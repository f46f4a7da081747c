import Foundation
import Testing

@testable import StoreServer

/// The page about Dropbox's calls tells of the server what it is.
struct RouteTableTests {
  @Test("docs/dropbox-routes.md has each route of files and of links, says which there are, and why others are not")
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
    let served = RouteTable.all.routes.map(\.path).compactMap { path in
      path.hasPrefix("/2/files/")
        ? String(path.dropFirst("/2/files/".count)) : path.hasPrefix("/2/sharing/") ? String(path.dropFirst(3)) : nil
    }
    #expect(told == Set(served))
    let files = all.filter { !$0.hasPrefix("sharing/") }
    #expect(Set(all).count == all.count && files.sorted() == files && files.count == 67)
  }
}
