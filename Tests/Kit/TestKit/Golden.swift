internal import Foundation
public import Testing
public import TextUI

/// Compares a text with `Snapshots/<name>.txt` of the test's target.
///
/// `RECORD_SNAPSHOTS=1` writes the text there instead, and fails the test, which prevents recording by accident.
public func expectGolden(
  _ text: String, named name: String, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let file = goldenFile(name, besideTestsIn: filePath)
  let text = text.hasSuffix("\n") ? text : text + "\n"
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record(
        "Recorded \(file.path): look at it, then run without RECORD_SNAPSHOTS.", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(file.path) could not be written: \(error)", sourceLocation: sourceLocation)
    }
    return
  }
  guard let data = FileManager.default.contents(atPath: file.path) else {
    Issue.record(
      "\(file.path) is not there. RECORD_SNAPSHOTS=1 records it. The text is:\n\(text)", sourceLocation: sourceLocation)
    return
  }
  let kept = String(decoding: data, as: UTF8.self)
  guard Array(kept.utf8) != Array(text.utf8) else { return }
  Issue.record("\(name) differs from its snapshot:\n\(difference(kept, text))", sourceLocation: sourceLocation)
}

/// Compares a frame with its snapshot; see the other `expectGolden`.
public func expectGolden(
  _ grid: Grid, named name: String, filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectGolden(grid.golden, named: name, filePath: filePath, sourceLocation: sourceLocation)
}

/// `Tests/<storey>/<target>/Snapshots/<name>.txt`, for a test file at any depth in its target.
func goldenFile(_ name: String, besideTestsIn filePath: String) -> URL {
  let parts = filePath.split(separator: "/", omittingEmptySubsequences: false)
  // Tests/<storey>/<target>/…
  let tests = parts.lastIndex(of: "Tests") ?? max(0, parts.count - 4)
  let target = parts[...min(tests + 2, parts.count - 2)].joined(separator: "/")
  return URL(fileURLWithPath: target + "/Snapshots/" + name + ".txt")
}

private func difference(_ kept: String, _ text: String) -> String {
  let old = kept.split(separator: "\n", omittingEmptySubsequences: false)
  let new = text.split(separator: "\n", omittingEmptySubsequences: false)
  var lines: [String] = []
  for index in 0..<max(old.count, new.count) {
    let (before, after) = (index < old.count ? old[index] : nil, index < new.count ? new[index] : nil)
    if before == after { continue }
    if let before { lines.append("\(index + 1) - \(before)") }
    if let after { lines.append("\(index + 1) + \(after)") }
  }
  return lines.prefix(80).joined(separator: "\n")
}

extension Grid {
  /// The frame as text for snapshots: the rows, each with `|` at its right border; a map of styles with a character a
  /// cell; the legend of the map; the cursor.
  public var golden: String {
    var text = ""
    var looks: [Style: Character] = [.plain: "."]
    var legend: [String] = []
    var map = ""
    var letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")[...]
    let usual: [(Style, Character)] = [(.bold, "b"), (.dim, "d"), (.reverse, "r"), (Style(.underline), "u")]
    letters.removeAll { letter in usual.contains { $0.1 == letter } }
    for y in 0..<size.height {
      for x in 0..<size.width {
        text += self.text(of: self[x, y])
        let style = self[x, y].style.shown
        let letter = looks[style] ?? usual.first { $0.0 == style }?.1 ?? letters.popFirst() ?? "?"
        if looks[style] == nil {
          looks[style] = letter
          legend.append("\(letter) \(style.golden)")
        }
        map.append(letter)
      }
      text += "|\n"
      while map.last == "." { map.removeLast() }
      map += "\n"
    }
    while map.hasSuffix("\n\n") { map.removeLast() }
    let place = cursor.map { "cursor \($0.x),\($0.y)" } ?? "no cursor"
    if legend.isEmpty { return text + "\n" + place + "\n" }
    return text + "\n" + map + "\n" + legend.joined(separator: "\n") + "\n" + place + "\n"
  }
}

extension Style {
  fileprivate var golden: String {
    var words: [String] = []
    if attributes.contains(.bold) { words.append("bold") }
    if attributes.contains(.dim) { words.append("dim") }
    if attributes.contains(.reverse) { words.append("reverse") }
    if attributes.contains(.underline) { words.append("underline") }
    if attributes.contains(.italic) { words.append("italic") }
    if attributes.contains(.strikethrough) { words.append("strikethrough") }
    if foreground != .standard { words.append("in \(foreground.golden)") }
    if background != .standard { words.append("on \(background.golden)") }
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }
}

extension Color {
  fileprivate var golden: String {
    if let paletteIndex { return "\(paletteIndex)" }
    guard let rgbValue else { return "default" }
    let digits = String(rgbValue, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
