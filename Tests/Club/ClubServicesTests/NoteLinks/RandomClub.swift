import FileStores
import TestKit

@testable import ClubServices

/// A made club of notes and photos in folders, with links in all ways that notes write them.
struct RandomClub {
  private var random: SeededNumbers
  private(set) var texts: [StorePath: [UInt8]] = [:]

  private static let names = [
    "oslo", "pier", "Über uns", "a b", "x", "v1.2", "100% sure", "it's (one)", "a&amp;b", "日記", "tide-log", "Oslo",
  ]
  private static let folders = ["", "trips", "trips/2026", "trips/2026/oslo", "Work", "a b/c d", "photos", "日記"]

  init(seed: UInt64, notes: Int) throws {
    random = SeededNumbers(seed)
    for number in 0..<notes {
      let ending = number % 7 == 6 ? ".jpg" : number % 11 == 10 ? "" : ".md"
      let path = try StorePath(at(pick(RandomClub.folders), pick(RandomClub.names) + ending))
      // Two names in one folder that differ in case only are another test's.
      guard !texts.keys.contains(where: { "\($0)".lowercased() == "\(path)".lowercased() }) else { continue }
      texts[path] = []
    }
    for path in texts.keys.sorted() where "\(path)".hasSuffix(".md") { texts[path] = text(of: path) }
  }

  var paths: LinkPaths { LinkPaths(texts.keys) }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }

  private func at(_ folder: String, _ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }

  private mutating func text(of note: StorePath) -> [UInt8] {
    var text = "# \(note)\n\n"
    let all = texts.keys.sorted()
    for number in 0..<8 {
      let path = "\(pick(all))"
      let parts = path.split(separator: "/")
      let name = String(parts.last ?? "")
      let stem = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
      let up = String(repeating: "../", count: note.components.count - 1)
      let coded = path.map { $0 == " " ? "%20" : $0 == "%" ? "%25" : $0 == "(" ? "\\(" : $0 == ")" ? "\\)" : "\($0)" }
      let address = coded.joined().replacing("&", with: "\\&")
      let links = [
        "[[\(stem)]]", "[[\(name)|words]]", "[[\(path)#A heading|x]]", "![[\(name)]]", "[[/\(path)]]",
        "[a](\(up)\(address))", "[a](/\(address)#h \"title\")", "[a](<\(up)\(path.replacing("%", with: "%25"))>)",
        "![a](\(up)\(address))", "[a][r\(number)]\n\n[r\(number)]: \(up)\(address)\n", "[a](./\(address))",
        "`[[\(stem)]]`", "\\[[\(stem)]\\]", "<a href=\"\(address)\">", "    [[\(stem)]]",
        "[a](https://x.example/\(stem))",
        "| a |\n|---|\n| [[\(stem)\\|x]] |", "[[#\(stem)]]", "[a](\(stem.replacing(" ", with: "%20")))",
      ]
      text += "word \(pick(links)) word\n\n"
    }
    return Array(text.utf8)
  }

  /// Renames or moves a file or a folder to a free name; nil where none was found.
  mutating func move() throws -> PathMove? {
    let path = pick(texts.keys.sorted())
    let isFolder = random.next() % 3 == 0 && !path.parent.isRoot
    let from = isFolder ? path.parent : path
    let old = String(decoding: from.name, as: UTF8.self)
    let ending = old.hasSuffix(".md") ? ".md" : old.hasSuffix(".jpg") ? ".jpg" : ""
    let name = random.next() % 2 == 0 ? old : pick(RandomClub.names) + (isFolder ? "" : ending)
    let to = try StorePath(at(random.next() % 2 == 0 ? "\(from.parent)" : pick(RandomClub.folders), name))
    let taken = texts.keys.contains { there in
      let (there, new) = ("\(there)".lowercased(), "\(to)".lowercased())
      return there == new || there.hasPrefix(new + "/") || new.hasPrefix(there + "/")
    }
    guard !taken, to != from, to.relative(to: from) == nil else { return nil }
    let moves = PathMoves([PathMove(from, to: to)])
    texts = Dictionary(texts.map { (moves.now($0.key), $0.value) }) { first, _ in first }
    return PathMove(from, to: to)
  }

  mutating func write(_ text: [UInt8], at path: StorePath) { texts[path] = text }
}
