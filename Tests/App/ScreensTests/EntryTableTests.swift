import FileStores
import TestKit
import Testing

@testable import Screens

@Suite struct EntryTableTests {
  /// A simple model of the table, with strings.
  private struct Model {
    var files: [String: FileEntry] = [:]
    var words = ""
    var order = EntryTable.Order.name

    /// The letters of each word occur in their order.
    private func isFound(_ name: String) -> Bool {
      words.lowercased().split(separator: " ").allSatisfy { word in
        var rest = word
        for letter in name.lowercased() where letter == rest.first { rest.removeFirst() }
        return rest.isEmpty
      }
    }

    func rows(_ byName: [String]) -> [String] {
      let found = byName.filter { files[$0] != nil && isFound($0) }
      guard order != .name else { return found }
      func key(_ name: String) -> Int64 {
        order == .size ? Int64(files[name]?.size ?? 0) : files[name]?.modified?.nanoseconds ?? 0
      }
      return found.enumerated().sorted { left, right in
        let (first, second) = (key(left.element), key(right.element))
        return first == second ? left.offset < right.offset : first > second
      }.map(\.element)
    }
  }

  private func names(_ table: EntryTable) -> [String] {
    (0..<table.count).map { String(decoding: table.name(at: $0), as: UTF8.self) }
  }

  private func name(_ random: inout SeededNumbers) -> String {
    let words = ["alpha", "Beta", "gamma", "note", "Ray", "garage", "x", "Zoo"]
    let parts = (0..<3).map { _ in words[Int(random.next() % UInt64(words.count))] }
    return parts.joined(separator: "-") + "\(random.next() % 100_000).md"
  }

  private func entry(_ name: String, _ random: inout SeededNumbers) -> FileEntry {
    Samples.entry(name, size: random.next() % 500, ago: Int64(random.next() % 500))
  }

  @Test func `beyond 65,535 authors, a file has none rather than an earlier one`() {
    var table = Samples.table(["a.md", "b.md"])
    for number in 0..<65_535 { table.merge([Samples.entry("a.md", member: "member \(number)")]) }
    #expect(table.row(of: Samples.path("a.md")).flatMap { table.author(at: $0) } == "member 65534")
    table.merge([Samples.entry("a.md", member: "one more"), Samples.entry("b.md", member: "member 0")])
    #expect(table.author(at: 0) == nil && table.author(at: 1) == "member 0")
  }

  @Test func `ten thousand names are found, sorted and changed as in a plain model`() {
    var random = SeededNumbers(1)
    var all = Set<String>()
    while all.count < 10_000 { all.insert(name(&random)) }
    var table = Samples.table(Array(all))
    var model = Model()
    for name in names(table) { model.files[name] = entry(name, &random) }
    table.merge(Array(model.files.values))
    #expect(table.count == 10_000)
    for step in 0..<12 {
      let words = ["", "ray", "ray zoo", "9 alp", "nothing at all", "BETA"][step % 6]
      let order = EntryTable.Order.allCases[step % 3]
      table.find(words)
      table.sort(order)
      (model.words, model.order) = (words, order)
      var changes: [ChangeSet.Change] = []
      for _ in 0..<40 {
        if random.next() % 2 == 0, let old = model.files.keys.min() {
          model.files[old] = nil
          changes.append(.absent(Samples.path(old)))
        } else {
          let new = entry(name(&random), &random)
          model.files["\(new.path)"] = new
          changes.append(.present(new))
        }
      }
      table.apply(changes)
      var plain = table
      plain.find("")
      plain.sort(.name)
      let byName = names(plain)
      #expect(Set(byName) == Set(model.files.keys) && byName.count == model.files.count)
      let rows = names(table)
      #expect(rows == model.rows(byName), "step \(step)")
      for (row, name) in rows.enumerated() where row % 97 == 0 {
        #expect(table.row(of: Samples.path(name)) == row)
        #expect(table.size(at: row) == model.files[name]?.size)
        #expect(table.modified(at: row) == model.files[name]?.modified)
      }
    }
  }

  @Test func `names are sorted without regard to case, numbers by value`() {
    let sorted = names(Samples.table(["b", "A", "note10", "note9", "a2"]))
    #expect(sorted.first == "A" && sorted.last?.hasPrefix("note") == true)
  }

  @Test func `a row is found by its path, and only when it is seen`() {
    var table = Samples.table(["a", "b/c", "d"], folder: "photos")
    #expect(table.row(of: Samples.path("photos/b/c")) == 1)
    #expect(table.row(of: Samples.path("b/c")) == nil)
    #expect(table.row(of: Samples.path("photosx/a")) == nil)
    table.find("d")
    #expect(table.row(of: Samples.path("photos/a")) == nil)
    #expect(table.row(of: Samples.path("photos/d")) == 0)
  }

  @Test func `what is unknown is not shown as something`() {
    var table = Samples.table(["a", "b"])
    #expect(table.size(at: 0) == nil && table.modified(at: 0) == nil && !table.hasDetails(at: 0))
    table.merge([Samples.entry("a", size: 0), Samples.entry("elsewhere")])
    #expect(table.size(at: 0) == 0 && table.hasDetails(at: 0) && !table.hasDetails(at: 1))
  }

  @Test func `a file that goes and comes in one set is there, and one that comes and goes is not`() {
    var table = Samples.table(["a"])
    table.apply([.absent(Samples.path("a")), .present(Samples.entry("a", size: 9))])
    table.apply([.present(Samples.entry("b")), .absent(Samples.path("b"))])
    #expect(names(table) == ["a"] && table.size(at: 0) == 9)
  }

  @Test func `a new listing keeps what was known until it comes anew`() {
    var old = Samples.table(["a", "b"])
    old.merge([Samples.entry("b", size: 7)])
    var new = Samples.table(["b", "c"])
    new.adoptDetails(of: old)
    #expect(new.size(at: 0) == 7 && !new.hasDetails(at: 1))
  }

  @Test func `names that are no UTF-8, and twins that look the same, are files of their own`() {
    let table = Samples.table(bytes: [[0x61, 0xFF], [0x61, 0xFE], Array("é".utf8), Array("e\u{301}".utf8)])
    #expect(table.count == 4)
    #expect(
      Set([[0x61, 0xFF], [0x61, 0xFE], Array("é".utf8)].compactMap { table.row(of: Samples.path($0)) }).count == 3)
  }
}
