import Foundation
import Testing

@testable import StoreServer

/// The page about Dropbox's calls tells of the server what it is.
struct RouteTableTests {
  @Test("docs/dropbox-routes.md has each route of Dropbox's, says which there are, and why others of files are not")
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
    let served = RouteTable.all.routes.map(\.path).compactMap { path -> String? in
      if path.hasPrefix("/1/") { return path }
      guard path.hasPrefix("/2/"), !path.hasPrefix("/2/byteclub/") else { return nil }
      return String(path.dropFirst(path.hasPrefix("/2/files/") ? "/2/files/".count : "/2/".count))
    }
    #expect(told.symmetricDifference(served) == [])
    let others = ["sharing/", "file_requests/", "users/", "check/", "auth/", "/1/"]
    let files = all.filter { name in !others.contains { name.hasPrefix($0) } }
    #expect(Set(all).count == all.count && files.sorted() == files && files.count == 67)
  }
}
