import FileStores
import TestKit
import Testing

@testable import ClubServices
@testable import Database

extension [StorePath: FileEntry]: FileTree {
  var entries: [FileEntry] { values.sorted { $0.path < $1.path } }
}

@Suite struct FileTreeTests {
  private static func entry(_ number: Int, _ revision: Int) throws -> FileEntry {
    FileEntry(path: try StorePath("n\(number).md"), kind: .file, revision: Revision("\(revision)"))
  }

  @Test(arguments: [0, 40, 3000])
  func `a copy's files are those of a dictionary, in the order of their paths`(count: Int) throws {
    var numbers = SeededNumbers(UInt64(count))
    var model: [StorePath: FileEntry] = [:]
    for number in 0..<count {
      let entry = try Self.entry(2 * number, 0)
      model[entry.path] = entry
    }
    var files = CopiedFiles(ordered: model.entries)
    for revision in 1..<1500 {
      let entry = try Self.entry(numbers.below(2 * count + 50), revision)
      switch numbers.below(3) {
      case 0:
        model[entry.path] = nil
        files[entry.path] = nil
      case 1:
        model[entry.path] = entry
        files[entry.path] = entry
      default:
        let other = try Self.entry(numbers.below(2 * count + 50), revision)
        model[other.path] = nil
        model[entry.path] = entry
        files.change(present: [entry], lost: [other.path])
      }
      #expect(files[entry.path] == model[entry.path])
      if revision % 100 == 0 { #expect(files.entries == model.entries) }
    }
    for number in 0..<(2 * count + 50) {
      let path = try StorePath("n\(number).md")
      #expect(files[path] == model[path])
    }
  }

  @Test(arguments: 1...40)
  func `the member sees files under the names that wait, as one look at each path shows them`(seed: Int) throws {
    var numbers = SeededNumbers(UInt64(seed))
    var base: [StorePath: FileEntry] = [:]
    for number in 0..<6 {
      let entry = try Self.entry(number, number)
      base[entry.path] = entry
    }
    let changes = try (0..<5).map { _ in
      let path = try Self.entry(numbers.below(8), 0).path
      let kind: ChangeRecord.Kind = [.rename, .rename, .trash, .restore][numbers.below(4)]
      return ChangeRecord(
        club: "c", kind: kind, path: path, target: kind == .rename ? try Self.entry(numbers.below(8), 0).path : nil,
        base: nil, baseHash: nil, size: nil, created: Timestamp(seconds: 1))
    }
    let names = WaitingNames(changes)
    let seen = try (0..<8).compactMap { names.entry(at: try Self.entry($0, 0).path, base: base) }
    #expect(names.local(base) == seen.sorted { $0.path < $1.path })
    let odd = names.local(CopiedFiles(ordered: base.entries)) { "\($0)".contains { "1357".contains($0) } }
    #expect(odd == seen.filter { "\($0.path)".contains { "1357".contains($0) } })
  }
}
