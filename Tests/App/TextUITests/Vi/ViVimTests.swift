import Foundation
import TestKit
import Testing

@testable import TextUI

/// Random commands over random texts, compared with Vim.
@Suite struct ViVimTests {
  private static let program = ["/usr/bin/vim", "/usr/bin/vim.basic"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Keys that one command takes. `inserted` is typed only if the command began insert mode.
  private struct Part: Codable {
    var keys: String
    var inserted: String?
  }

  private struct Case: Codable {
    var text: String
    var cursor: Int
    var parts: [Part]
  }

  private struct Answer: Codable, Equatable {
    var text: String
    var cursor: Int
    /// The last command was refused, or is not complete.
    var isOpen: Bool
  }

  private static let words = [
    "foo", "bar", "x", "a_b", "qux1", "one", "Two", "it.", "end!", "a,b", "--", "é", "naïve", "日本",
  ]
  private static let motions = [
    "h", "l", "j", "k", "w", "b", "e", "ge", "W", "B", "E", "gE", "^", "$", "_", "gg", "G", "}", "g_", "+", "-", "|",
    ";", ",", "fa", "fo", "F ", "t1", "Tx", "tb",
  ]
  private static let objects = ["iw", "aw", "iW", "aW", "ip", "ap"]
  private static let inserted = ["QQ", "Q Q", "Q\rQ", "Q1\u{8}-", "é", ""]

  private static func line(_ numbers: inout SeededNumbers) -> String {
    if numbers.below(5) == 0 { return "" }
    let some = (0...numbers.below(5)).map { _ in words[numbers.below(words.count)] }
    let indent = numbers.below(5) == 0 ? ["  ", "\t", " "][numbers.below(3)] : ""
    return indent + some.joined(separator: " ") + (numbers.below(8) == 0 ? " " : "")
  }

  private static func count(_ numbers: inout SeededNumbers) -> String {
    numbers.below(4) == 0 ? "\(1 + numbers.below(3))" : ""
  }

  private static func pick(_ from: [String], _ numbers: inout SeededNumbers) -> String {
    from[numbers.below(from.count)]
  }

  private static func command(_ numbers: inout SeededNumbers) -> [Part] {
    let count = count(&numbers)
    switch numbers.below(10) {
    case 0, 1: return [Part(keys: count + pick(motions + ["(", ")", "/foo\r", "?x\r", "n", "N"], &numbers))]
    case 2...4:
      let operation = pick(["d", "c", "y", ">", "<", "gu", "gU", "g~"], &numbers)
      let target =
        switch operation.hasPrefix("g") ? 3 * numbers.below(2) : numbers.below(4) {
        case 0: operation == "gu" ? "u" : operation == "gU" ? "U" : operation == "g~" ? "~" : operation
        case 1: pick(objects, &numbers)
        // Vim changes another character if the region is empty.
        case _ where operation.hasPrefix("g"): pick(["e", "$"], &numbers)
        default: self.count(&numbers) + pick(motions, &numbers)
        }
      let isObject = objects.contains(target)
      let inserted = operation == "c" ? pick(inserted, &numbers) : nil
      return [Part(keys: (isObject ? "" : count) + operation + target, inserted: inserted)]
    case 5: return [Part(keys: count + pick(["x", "X", "D", "~", "p", "P", "Y", "ra", "r1"], &numbers))]
    case 6: return [Part(keys: pick(["J", "gJ", ">>", "<<", "dd", "yy"], &numbers))]
    case 7:
      let command = pick(["i", "a", "I", "A", "o", "s", "S", "C"], &numbers)
      return [Part(keys: (command == "C" ? "" : count) + command, inserted: pick(inserted, &numbers))]
    case 8: return [Part(keys: ".")]
    default:
      var parts = [Part(keys: pick(["v", "V"], &numbers))]
      for _ in 0..<numbers.below(3) { parts.append(Part(keys: pick(["o"] + motions, &numbers))) }
      let end = pick(["d", "y", "x", "~", "u", "U", "J", "P", ">", "<", "r.", "c", "D", "Y"], &numbers)
      return parts + [Part(keys: end, inserted: end == "c" ? "Q" : nil), Part(keys: "\u{1B}")]
    }
  }

  private static func cases(_ seed: UInt64) -> [Case] {
    var numbers = SeededNumbers(seed)
    return (0..<250).map { _ in
      let text = (0...numbers.below(8)).map { _ in line(&numbers) }.joined(separator: "\n")
      let places = Graphemes.starts(in: Array((text + "\n").utf8))
      let cursor = places[numbers.below(places.count)]
      var parts = (0...numbers.below(4)).flatMap { _ in command(&numbers) }
      // Vim measures a repeated selection in cells.
      if parts.contains(where: { "vV".contains($0.keys) }) { parts.removeAll { $0.keys == "." } }
      return Case(text: text, cursor: cursor, parts: parts)
    }
  }

  private static let script = #"""
    set nocp bs=2 ts=4 sw=4 noet enc=utf-8 ww=b,s ic belloff=all nojs noswapfile viminfo= ur=0 so=0
    au InsertEnter * let g:inserts = 1
    nnoremap Q <Nop>
    let cases = json_decode(join(readfile($CASES), "\n"))
    let out = []
    for c in cases
      call writefile(['x y x'], $TEXT)
      silent! e! $TEXT
      call cursor(1, 1)
      for keys in ["x", "fy", "/x\r"]
        silent! call feedkeys(keys, 'tx')
      endfor
      call writefile(split(c.text, "\n", 1), $TEXT)
      silent! e! $TEXT
      exe 'goto ' . (c.cursor + 1)
      let open = 0
      for p in c.parts
        let g:inserts = 0
        let inserts = has_key(p, 'inserted')
        silent! call feedkeys(p.keys . (inserts ? p.inserted . "\e" : ''), 'tx')
        if inserts && !g:inserts
          let open = 1
          break
        endif
      endfor
      let open = open || mode(1) !=# 'n'
      silent! call feedkeys("\e", 'tx')
      call add(out, {'text': join(getline(1, '$'), "\n"), 'cursor': line2byte('.') + col('.') - 2, 'isOpen': open ? v:true : v:false})
    endfor
    call writefile([json_encode(out)], $ANSWERS)
    qa!
    """#

  /// Vim's answers.
  private static func vim(_ cases: [Case]) throws -> [Answer] {
    let folder = try TemporaryFolder()
    try Data(script.utf8).write(to: URL(filePath: folder.file("script.vim")))
    try JSONEncoder().encode(cases).write(to: URL(filePath: folder.file("cases")))
    let variables = [
      "CASES": folder.file("cases"), "ANSWERS": folder.file("answers"), "TEXT": folder.file("text"),
      "LC_ALL": "C.UTF-8", "TERM": "dumb", "HOME": folder.path,
    ]
    let vim = try Spawn(
      try #require(program), ["-u", "NONE", "-i", "NONE", "-N", "-n", "--not-a-term", "-S", folder.file("script.vim")],
      environment: variables)
    _ = try vim.finish()
    return try JSONDecoder().decode([Answer].self, from: Data(contentsOf: URL(filePath: folder.file("answers"))))
  }

  private static func press(_ keys: String, _ editor: inout TextEditor) {
    for scalar in keys.unicodeScalars {
      let key =
        switch scalar {
        case "\r": Key(.enter)
        case "\u{8}": Key(.backspace)
        case "\u{1B}": Key(.escape)
        default: Key(.character(scalar))
        }
      _ = editor.handle(key)
    }
  }

  /// byteclub's answer. The commands before make the values that are remembered the same as Vim's.
  private static func answer(_ one: Case) -> Answer {
    var editor = ViKeysTests.editor("¦x y x\n")
    press("xfy/x\r", &editor)
    let (keys, clipboard) = (editor.vi, editor.clipboard)
    editor = TextEditor(Array((one.text + "\n").utf8))
    editor.resize(Size(80, 40))
    (editor.vi, editor.clipboard) = (keys, clipboard)
    editor.move(to: one.cursor)
    for part in one.parts {
      press(part.keys, &editor)
      guard let inserted = part.inserted else { continue }
      guard editor.vi?.mode == .insert else { return Answer(text: "", cursor: 0, isOpen: true) }
      press(inserted + "\u{1B}", &editor)
    }
    var text = String(decoding: editor.bytes, as: UTF8.self)
    if text.hasSuffix("\n") { text.removeLast() }
    return Answer(text: text, cursor: editor.text.cursor, isOpen: editor.vi?.isIdle != true)
  }

  @Test(
    "Random commands do what Vim does", .enabled(if: program != nil, "Vim is not installed"),
    arguments: [2, 3, 4, 7, 8] as [UInt64])
  func agrees(seed: UInt64) throws {
    let cases = Self.cases(seed)
    var compared = 0
    for (one, wanted) in zip(cases, try Self.vim(cases)) {
      let found = Self.answer(one)
      if found.isOpen { continue }
      compared += 1
      #expect(
        found == wanted,
        "\(one.text.debugDescription) at \(one.cursor): \(one.parts.map { $0.keys + ($0.inserted ?? "") })")
    }
    #expect(compared > 150)
  }
}
