import Backends
import JSON
import Screens
import TestKit
import Testing
import TextUI

@testable import byteclub

/// Reading settings: what is taken, what is refused, and in which words.
struct ConfigReaderTests {
  static let table = SettingTable(
    stores: StoreRegistry(StoreRegistry.standard.kinds.filter { $0.name == "dropbox" }),
    keys: KeyWords(commands: ["notes.new", "find"]) { $0 != "Hyper-Q" })

  static func read(
    _ json: String?, _ variables: [String: String] = [:], flags: [String: String] = [:]
  ) -> ConfigReport {
    ConfigReader.read(
      table, file: json.map { Array($0.utf8) }, place: "config.json", environment: Environment(variables),
      flags: flags)
  }

  @Test(arguments: [
    (#"{"ui":{"mouse":"yes"}}"#, #"config.json, line 1: "ui.mouse" is "yes"; it must be true or false."#),
    (#"{"ui":{"mouse":null}}"#, #"config.json, line 1: "ui.mouse" is null; it must be true or false."#),
    (
      "{\n\n\"transfers\": { \"concurrent\":\n 99 } }",
      #"config.json, line 3: "transfers.concurrent" is 99; it must be a whole number from 1 to 16."#
    ),
    (
      #"{"transfers":{"concurrent":2.5}}"#,
      #"config.json, line 1: "transfers.concurrent" is 2.5; it must be a whole number from 1 to 16."#
    ),
    (
      #"{"ui":{"theme":"pink"}}"#,
      ##"config.json, line 1: "ui.theme" names the theme "pink", which is not there. It must be "auto", "dark", "light", "plain", "dracula", "everforest", "github-light", "gruvbox", "gruvbox-light", "nord", "rose-pine" or "tokyo-night", or a file of yours, themes/pink.json beside the config."##
    ),
    (
      #"{"ui":{"theme":{"accent":"blue"}}}"#,
      ##"config.json, line 1: "ui.theme.accent" is "blue"; it must be a colour such as "#7AA2F7"."##
    ),
    (#"{"transfers":3}"#, #"config.json, line 1: "transfers" is 3; it must be an object in braces."#),
    (
      #"{"clubs":{"a":{"path":"relative"}}}"#,
      #"config.json, line 1: "clubs.a.path" is "relative"; it must be a path in double quotes, absolute or beginning with ~."#
    ),
    (
      #"{"clubs":{"a":{"path":"/a","store":"floppy"}}}"#,
      #"config.json, line 1: "clubs.a.store" is "floppy"; it must be "folder" or "dropbox"."#
    ),
    (#"{"clubs":{"a":{}}}"#, #"config.json: the club "a" has no "path"; name its directory."#),
    (#"{"clubs":{"a.b":{"path":"/a"}}}"#, #"config.json, line 1: "a.b" cannot be a club's name; leave out dots."#),
    (
      #"{"photosFolder":"../photos"}"#,
      #"config.json, line 1: "photosFolder" is "../photos"; it must be the path of a folder inside the club, in double quotes, such as "photos"."#
    ),
    (#"{"member":""}"#, #"config.json, line 1: "member" is ""; it must be a text in double quotes, or null."#),
    (
      #"{"keys":{"find":"/"}}"#,
      #"config.json, line 1: "keys.find" is "/"; it must be a list of keys in double quotes, such as ["n", "Ctrl-N"]."#
    ),
    ("[]", "config.json: the config must be an object in braces."),
    ("{\n\"ui\": {\n}", #"config.json, line 3: not valid JSON: a "," or "}" is missing."#),
    ("{ // mine\n}", "config.json, line 1: not valid JSON: JSON has no comments."),
    ("{ \"ui\": {},\n# mine\n}", "config.json, line 2: not valid JSON: JSON has no comments."),
    ("", "config.json, line 1: not valid JSON: the text ends too early."),
  ])
  func `a wrong value is an error that says where, what was found, and what is allowed`(
    _ row: (json: String, sentence: String)
  ) {
    #expect(Self.read(row.json).faults == [row.sentence])
  }

  @Test func `a key that does not exist is an error that shows how keys are written`() throws {
    let fault = try #require(Self.read(#"{"keys":{"find":["Hyper-Q"]}}"#).faults.first)
    #expect(fault.hasPrefix(#"config.json, line 1: "keys.find" has the key "Hyper-Q", which byteclub does not know."#))
  }

  @Test(arguments: [
    (#"{"ui":{"mose":true}}"#, "ui.mose", "ui.mouse"), (#"{"photoFolder":"p"}"#, "photoFolder", "photosFolder"),
    (#"{"concurrent":3}"#, "concurrent", "transfers.concurrent"), (#"{"Member":"ray"}"#, "Member", "member"),
    (#"{"clubs":{"a":{"path":"/a","pth":"x"}}}"#, "clubs.a.pth", "clubs.a.path"),
    (#"{"keys":{"note.new":["n"]}}"#, "keys.note.new", "keys.notes.new"),
  ])
  func `an unknown key is a warning that names the nearest known one`(
    _ row: (json: String, key: String, near: String)
  ) {
    let report = Self.read(row.json)
    #expect(report.faults.isEmpty)
    #expect(
      report.warnings == [
        "config.json, line 1: byteclub does not know the setting \"\(row.key)\", and ignores it. "
          + "Did you mean \"\(row.near)\"?"
      ])
  }

  @Test func `a key that is like none is a warning without a guess`() {
    #expect(
      Self.read(#"{"telemetry":true}"#).warnings == [
        "config.json, line 1: byteclub does not know the setting \"telemetry\", and ignores it."
      ])
  }

  @Test func `of two values of one key the last counts, with a warning`() {
    let report = Self.read("{\"member\":\"ann\",\n\"member\":\"ray\"}")
    #expect(report.config.member == "ray")
    #expect(report.warnings == [#"config.json, line 2: "member" appears twice; the last value is used."#])
  }

  @Test func `flag goes before variable, variable before file, file before default`() throws {
    func club(_ report: ConfigReport) -> Config.Entry? { report.config.entries.first { $0.key == "club" } }
    let variables = ["BYTECLUB_CLUB": "b"]
    #expect(club(Self.read(nil))?.origin == .builtIn)
    #expect(club(Self.read("{\n\"club\":\"a\"}"))?.origin == .file(line: 2))
    #expect(club(Self.read(#"{"club":"a"}"#, variables))?.value == .text("b"))
    let all = club(Self.read(#"{"club":"a"}"#, variables, flags: ["--club": "c"]))
    #expect(all?.value == .text("c"))
    #expect(all?.origin == .flag("--club"))
  }

  @Test(arguments: [("true", true), ("1", true), ("on", true), ("no", false), ("FALSE", false)])
  func `a variable switches with the usual words`(_ row: (word: String, isOn: Bool)) {
    #expect(Self.read(nil, ["BYTECLUB_UI_MOUSE": row.word]).config.usesMouse == row.isOn)
  }

  @Test func `a wrong variable is an error that names it`() {
    #expect(
      Self.read(nil, ["BYTECLUB_UI_MOUSE": "maybe"]).faults
        == [#"BYTECLUB_UI_MOUSE is "maybe"; it must be true or false."#])
    #expect(
      Self.read(nil, ["BYTECLUB_TRANSFERS_CONCURRENT": "0"]).faults
        == [#"BYTECLUB_TRANSFERS_CONCURRENT is "0"; it must be a whole number from 1 to 16."#])
  }

  @Test func `without a file everything has its default`() {
    let config = Self.read(nil).config
    #expect(config.clubNames == ["home"])
    #expect(config.text("clubs.home.path") == "~/ByteClub")
    #expect(config.photosFolder == "photos")
    #expect(config.concurrentTransfers == 3)
    #expect(config.usesMouse && config.hasNoteFolders)
    #expect(!Self.read(#"{"notes":{"folders":false}}"#).config.hasNoteFolders)
    #expect(!config.usesASCII(in: Environment(["LANG": "C.UTF-8"])))
    #expect(config.usesASCII(in: Environment(["LANG": "C"])))
  }

  @Test(arguments: [true, false], ["C", "C.UTF-8"])
  func `the setting for ASCII overrides the locale`(isASCII: Bool, locale: String) {
    let config = Self.read(#"{"ui":{"ascii":\#(isASCII)}}"#).config
    #expect(config.usesASCII(in: Environment(["LANG": locale])) == isASCII)
  }

  @Test func `clubs and keys are taken with their names`() {
    let report = Self.read(#"{"clubs":{"z":{"path":"/z"},"a":{"path":"~"}},"keys":{"notes.new":["n","Ctrl-N"]}}"#)
    #expect(report.faults.isEmpty && report.warnings.isEmpty)
    #expect(report.config.clubNames == ["z", "a"])
    #expect(report.config.keys == ["notes.new": ["n", "Ctrl-N"]])
    #expect(
      report.config.entries.map(\.key).filter { $0.hasPrefix("clubs.") || $0.hasPrefix("keys.") } == [
        "clubs.z.store", "clubs.z.path", "clubs.a.store", "clubs.a.path", "keys.notes.new",
      ])
  }

  @Test func `the example config is right, and has every setting of every kind of store`() throws {
    let text = try RepositoryFile.text("config.example.json")
    let report = ConfigReader.read(
      ClubSetup.settings(), file: Array(text.utf8), place: "config.example.json", environment: Environment([:]))
    #expect(report.faults == [])
    #expect(report.warnings == [])
    #expect(report.config.usesASCII(in: Environment(["LANG": "C"])))
    #expect(!report.config.usesASCII(in: Environment(["LANG": "C.UTF-8"])))
    let unsaid = report.config.entries.filter { $0.origin == .builtIn }
    #expect(unsaid.map(\.key) == [])
    let example = try JSONReader.read(Array(text.utf8))
    for setting in ClubSetup.settings().settings {
      // A setting of clubs stands in a club of each kind that has it.
      let stores: [String?] = setting.stores.isEmpty ? [nil] : setting.stores
      for store in stores {
        #expect(stands(setting.parts[...], in: example, store), "\(setting.key) \(store ?? "")")
      }
    }
  }

  /// Whether a key path stands in an object; below clubs, in one with such a store.
  private func stands(_ path: ArraySlice<String>, in json: JSONValue, _ store: String?) -> Bool {
    guard let first = path.first else { return true }
    guard case .object(let members) = json else { return false }
    let rest = path.dropFirst()
    // Names of fields and commands are the member's own.
    if first == "COMMAND" || first == "NAME", rest.isEmpty { return true }
    if first == "NAME" {
      return members.contains {
        ($0.value["store"]?.text ?? "folder") == store ?? "folder" && stands(rest, in: $0.value, nil)
      }
    }
    return members.contains { $0.key == first && stands(rest, in: $0.value, store) }
  }

  @Test func `the page about Dropbox has every setting that its clubs need`() throws {
    let page = try RepositoryFile.text("docs/dropbox.md")
    for setting in try StoreRegistry.standard.kind("dropbox").settings {
      #expect(page.contains("`\(setting.key)`") || page.contains("\"\(setting.key)\""))
    }
    for word in ["byteclub login", "byteclub club init", "byteclub whoami", "byteclub config check"] {
      #expect(page.contains(word))
    }
  }

  @Test func `the demo's own variable is known`() {
    #expect(Self.read(nil, [Demo.variable: "x", "HOME": "/h"]).warnings.isEmpty)
  }

  @Test(arguments: [
    ("BYTECLUB_TOKN", " Did you mean BYTECLUB_TOKEN?"), ("BYTECLUB_UI_MOSE", " Did you mean BYTECLUB_UI_MOUSE?"),
    ("BYTECLUB_LOGLEVEL", " Did you mean BYTECLUB_LOG_LEVEL?"), ("BYTECLUB_ZEPPELIN", ""),
  ])
  func `a misspelt variable is a warning with the nearest one`(_ row: (name: String, guess: String)) {
    let warnings = Self.read(nil, [row.name: "x", "HOME": "/h", "BYTECLUB_CLUB": "home"]).warnings
    #expect(warnings == ["byteclub does not know the variable \(row.name), and ignores it.\(row.guess)"])
  }

  @Test func `a theme is a word, or a base with other colours for some roles`() {
    #expect(Self.read(nil).config.theme == ThemeChoice())
    #expect(Self.read(#"{"ui":{"theme":"light"}}"#).config.theme == ThemeChoice(.light))
    #expect(Self.read(nil, ["BYTECLUB_UI_THEME": "plain"]).config.theme == ThemeChoice(.plain))
    let report = Self.read(##"{"ui":{"theme":{"base":"dark","accent":"#7aa2F7"}}}"##)
    #expect(report.faults.isEmpty && report.warnings.isEmpty)
    #expect(report.config.theme == ThemeChoice(.dark, overrides: [.accent: 0x7AA2F7]))
    let auto = Self.read(##"{"ui":{"theme":{"error":"#ff0000"}}}"##)
    #expect(auto.config.theme == ThemeChoice(overrides: [.error: 0xFF0000]))
  }

  @Test func `the editor's keys are those of the config, and a wrong word names the allowed ones`() {
    #expect(Self.read("{}").config.editorKeys == .emacs)
    #expect(Self.read(#"{"ui":{"editorKeys":"vi"}}"#).config.editorKeys == .vi)
    let report = Self.read(#"{"ui":{"editorKeys":"nano"}}"#)
    #expect(report.faults == [#"config.json, line 1: "ui.editorKeys" is "nano"; it must be "emacs" or "vi"."#])
    #expect(report.config.editorKeys == .emacs)
  }
}
