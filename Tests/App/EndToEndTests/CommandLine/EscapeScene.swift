import Foundation
import TestKit
import TextUI

/// A home in which everything that others can write would drive a terminal: names, texts, captions, settings, and a
/// server's answers.
final class EscapeScene {
  /// A title, the clipboard, a clear screen by C1 and by CSI, and a mark that turns the writing around.
  static let evil = "\u{1B}]0;pwned\u{7}\u{1B}]52;c;eA==\u{7}\u{9B}2J\u{1B}[2J\u{202E}"
  static let note = "\(evil).md"
  static let photo = "\(evil).png"
  /// Of notes, and an album; with a slash at its end.
  static let folder = "f\(evil)/"
  private static let text = "# \(evil)\nneedle \(evil)\n\n[\(evil)](https://\(evil))\n"
  private static let png =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGP4z8DAAMIM/4EAAB/uBfsL2WiLAAAAAElFTkSuQmCC"

  let home: CommandLineHome
  let server: RawServer

  init() throws {
    home = try CommandLineHome()
    let name = "\"\(Self.evil.unicodeScalars.map(Self.spelled).joined())\""
    let joined = #"{"access_token":"t","account_id":\#(name),"member":\#(name),"club":\#(name),"read_only":false}"#
    let devices = #"{"devices":[{"id":\#(name),"name":\#(name),"made":1,"last_used":null,"is_this":true}]}"#
    // Away for whoever asks for one file, so that a text waits; a liar for everybody else.
    server = try RawServer.answering { request in
      switch request.target.split(separator: "/").last {
      case "get_metadata": RawAnswer(raw: "HTTP/1.1 503 Busy\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n")
      case "join": RawAnswer(200, body: Array(joined.utf8))
      case "devices": RawAnswer(200, body: Array(devices.utf8))
      default: RawAnswer(400, body: Array("{\"error_summary\":\"\(Self.evil)\nbyteclub: all is well\"}".utf8))
      }
    }
    let escaped = Self.evil.unicodeScalars.map { $0.value < 0x80 && $0.value >= 0x20 ? String($0) : Self.spelled($0) }
      .joined()
    let clubs =
      #"{"here":{"path":"\#(home.club)"},"odd":{"path":"/\#(escaped)"},"lie":{"store":"dropbox","server":"\#(server.url)"}}"#
    try home.write(#"{"club":"here","\#(escaped)":1,"clubs":\#(clubs)}"#.utf8, to: ".config/byteclub/config.json")
    try home.write(Self.text.utf8, to: "ByteClub/\(Self.note)")
    try home.write(Self.text.utf8, to: "in.md")
    for name in [Self.note, "twin.md", "sub \(Self.evil)/twin.md"] {
      try home.write(Self.text.utf8, to: "ByteClub/\(Self.folder)\(name)")
    }
    let picture = Data(base64Encoded: Self.png) ?? Data()
    for name in [Self.photo, "p.png"] {
      try home.write(picture, to: "ByteClub/photos/\(name)")
      try home.write(Self.text.utf8, to: "ByteClub/photos/\(name).md")
    }
    try home.write(picture, to: "ByteClub/photos/\(Self.folder)\(Self.photo)")
    try home.write(picture + [1], to: "in/\(Self.photo)")
    for text in ["one \(Self.evil)\n", "two \(Self.evil)\n"] { _ = try home.run("note", "put", "todo", input: text) }
    for name in ["a", "b"] {
      try home.write(Self.text.utf8, to: "ByteClub/\(name)\(Self.note)")
      _ = try home.run("note", "rm", "\(name)\(Self.note)")
    }
    _ = try home.start(["note", "put", "kept", "--club", "lie"], input: Array(Self.text.utf8), ["BYTECLUB_TOKEN": "t"])
      .finish()
  }

  deinit { server.stop() }

  private static func spelled(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Runs a command on a terminal, with nothing to type, and gives all that came out.
  func output(of words: [String]) throws -> [UInt8] {
    guard let binary = CommandLineHome.binary else { return [] }
    let variables = ["HOME": home.path, "XDG_RUNTIME_DIR": "", "BYTECLUB_TOKEN": "t", "EDITOR": "true", "TZ": "UTC"]
    let session = try PtySession(binary, words, environment: variables)
    session.send(bytes: [4])
    _ = try session.waitExit(timeout: .patient)
    return session.rawBytes
  }

  /// What drives a terminal but for colours and attributes, and, if they are allowed, the app's own questions to it.
  static func findings(in bytes: [UInt8], allowingQuestions: Bool = false) -> [String] {
    var found = EscapeAudit.findings(in: bytes).map(\.description)
    guard !allowingQuestions else { return found }
    for place in bytes.indices where bytes[place] == 0x1B {
      let rest = bytes[(place + 1)...].drop { $0 == 0x5B || $0 == 0x3B || (0x30...0x39).contains($0) }
      if rest.first != UInt8(ascii: "m") { found.append("an ESC at \(place)") }
    }
    return found
  }

  /// The verbs of a program, as its parser knows them: "note ls". The server's own program stands beside byteclub.
  func verbs(ofServer: Bool) throws -> Set<String> {
    let program = (CommandLineHome.binary ?? "") + (ofServer ? "-serve" : "")
    let dump = try Spawn(program, ["--experimental-dump-help"], environment: home.environment).finish().output
    let root = try JSONSerialization.jsonObject(with: Data(dump)) as? [String: Any]
    var all: Set<String> = []
    func walk(_ command: [String: Any]?, _ above: [String]) {
      let below = (command?["subcommands"] as? [[String: Any]] ?? []).filter { $0["commandName"] as? String != "help" }
      if below.isEmpty, !above.isEmpty { all.insert(above.joined(separator: " ")) }
      for next in below { walk(next, above + [next["commandName"] as? String ?? ""]) }
    }
    walk(root?["command"] as? [String: Any], [])
    return all
  }
}
