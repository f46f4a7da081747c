import Backends
import Basics
import FileStores
import Foundation
import POSIX
import TestKit
import Testing

@testable import byteclub

/// Clubs in files of their own beside the config.
struct DropInTests {
  /// A member's home with a config and drop-ins.
  struct Home {
    let folder: TemporaryFolder
    let environment: Environment
    let paths: Paths

    init(_ config: String? = nil, _ dropIns: [String: String] = [:]) throws {
      folder = try TemporaryFolder()
      environment = Environment(["HOME": folder.path])
      paths = try Paths(environment)
      try FileManager.default.createDirectory(atPath: paths.dropIns, withIntermediateDirectories: true)
      chmod(paths.dropIns, 0o700)
      if let config { try write(config, to: paths.configFile) }
      for (name, text) in dropIns { try write(text, to: file(name)) }
    }

    func file(_ name: String) -> String { "\(paths.dropIns)/\(name).json" }
    func write(_ text: String, to path: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      chmod(path, 0o600)
    }

    func report(_ variables: [String: String] = [:]) throws -> ConfigReport {
      try ClubSetup.report(paths, StartOptions(), Environment(variables))
    }

    func choose(_ club: String? = nil) throws -> ClubChoice {
      let options = StartOptions(club: club)
      let report = try ClubSetup.report(paths, options, environment)
      return try ClubChoice(report, options: options, paths: paths, stores: .standard)
    }
  }

  static let lab = #"{"version":1,"store":"dropbox","server":"https://club.example","folder":"/"}"#

  @Test func `a club of its own file stands beside those of the config, and shows its place`() throws {
    let home = try Home(#"{"clubs":{"shelf":{"path":"/shelf"}}}"#, ["lab": Self.lab])
    let report = try home.report()
    #expect(report.warnings.isEmpty && report.faults.isEmpty && report.config.clubNames == ["shelf", "lab"])
    let server = try #require(report.config.entries.first { $0.key == "clubs.lab.server" })
    #expect(server.origin.spoken == "~/.config/byteclub/clubs.d/lab.json, line 1" && server.origin.word == "dropIn")
    #expect(try home.choose("lab").place == "/ at https://club.example")
    #expect(throws: ConfigFault.self) { try home.choose() }
  }

  @Test func `two clubs without a default are no fault: config check and doctor say so`() async throws {
    let home = try Home(nil, ["lab": Self.lab, "pier": Self.lab.replacing("club.example", with: "pier.example")])
    let sentence = "There are several clubs (lab, pier), and none is the default: "
    let answer = try ConfigCheck.answer(StartOptions(), home.environment)
    #expect(answer.status == .done && answer.notices.last?.hasPrefix(sentence) == true)
    let findings = await ClubCheckup.findings(StartOptions(), home.environment, Output())
    #expect(findings.map(\.verdict) == [.note] && findings[0].found.hasPrefix(sentence))
  }

  @Test func `the default is the only club, or home where it is there`() throws {
    let home = try Home(nil, ["lab": Self.lab])
    #expect(try home.choose().name == "lab")
    try FileManager.default.createDirectory(atPath: home.folder.file("ByteClub"), withIntermediateDirectories: false)
    let choice = try home.choose()
    #expect(choice.name == "home" && choice.directory == home.folder.file("ByteClub") && !choice.isFirstStart)
    #expect(try home.choose("lab").name == "lab")
    #expect(throws: ConfigFault.self) { try home.choose("lap") }
  }

  @Test(arguments: [
    (
      #"{"version":1,"store":"webdav","url":"https://c.example/d","user":"ray","passwordCommand":["sh"]}"#,
      "starts a program"
    ),
    (#"{"version":1,"store":"dropbox","tokenCommand":["sh","-c","x"]}"#, "starts a program"),
    (
      #"{"version":1,"store":"s3","endpoint":"https://s3.example","bucket":"b","credentialsCommand":null}"#,
      "starts a program"
    ),
    (#"{"version":2,"store":"dropbox"}"#, "written by a newer byteclub"),
    (#"{"store":"dropbox"}"#, #"no "version": 1"#),
    (#"{"version":1,"store":"floppy"}"#, #"must be "folder""#), (#"{"version":1}"#, #"has no "path""#),
    ("{", "not valid JSON"), ("", "not valid JSON"), ("[]", "an object in braces"),
    (String(repeating: " ", count: 10 << 20), "larger than 64 KiB"),
  ])
  func `a file that is no club is one sentence with its name, and the others work`(
    _ row: (text: String, sentence: String)
  ) throws {
    let home = try Home(nil, ["bad": row.text, "lab": Self.lab])
    let report = try home.report()
    #expect(report.faults.isEmpty && report.config.clubNames == ["lab"])
    let sentences = report.brokenDropIns.map(\.fault) + report.warnings
    #expect(sentences.contains { $0.contains("clubs.d/bad.json") && $0.contains(row.sentence) }, "\(sentences)")
    #expect(try home.choose().name == "lab")
    let fault = #expect(throws: ConfigFault.self) { try home.choose("bad") }
    #expect(fault?.description.contains("clubs.d/bad.json") == true)
    #expect(throws: ConfigFault.self) { try ConfigCheck.answer(StartOptions(), home.environment) }
  }

  @Test(arguments: ["{", "[]", #"{"version":1,"store":"floppy"}"#, #"{"version":1}"#])
  func `a damaged file says what to do with it`(_ text: String) throws {
    let home = try Home(nil, ["bad": text])
    let fault = #expect(throws: ConfigFault.self) { try home.choose("bad") }
    #expect(fault?.description.hasSuffix("Delete the file, and join the club again.") == true, "\(fault as Any)")
  }

  @Test func `a link, a folder and a file that others can change are not used`() throws {
    let home = try Home(nil, ["lab": Self.lab, "open": Self.lab, "group": Self.lab])
    try FileManager.default.createSymbolicLink(atPath: home.file("link"), withDestinationPath: home.file("lab"))
    try FileManager.default.createDirectory(atPath: home.file("folder"), withIntermediateDirectories: false)
    chmod(home.file("open"), 0o602)
    chmod(home.file("group"), 0o660)
    let report = try home.report()
    #expect(report.config.clubNames == ["lab"])
    let broken = Dictionary(uniqueKeysWithValues: report.brokenDropIns.map { ($0.club, $0.fault) })
    #expect(broken["link"]?.contains("is a symbolic link") == true)
    #expect(broken["folder"]?.contains("is not a regular file") == true)
    for name in ["open", "group"] { #expect(broken[name]?.contains("can be changed by other users") == true) }
  }

  @Test(arguments: [0o777, 0o770]) func `a folder that others can change has no clubs, and says how to mend it`(
    _ mode: mode_t
  ) throws {
    let home = try Home(nil, ["lab": Self.lab])
    chmod(home.paths.dropIns, mode)
    let report = try home.report()
    #expect(report.config.clubNames.isEmpty && report.faults.isEmpty)
    #expect(report.brokenDropIns.map(\.club) == [""])
    #expect(report.warnings.contains { $0.hasSuffix("Fix it with: chmod 700 ~/.config/byteclub/clubs.d") })
  }

  @Test func `another user's file is not used`() throws {
    let home = try Home(nil, ["lab": Self.lab])
    let found = DropIn.all(home.paths, user: geteuid() + 1)
    #expect(found.map(\.bytes) == [nil] && found.first?.fault?.contains("belongs to another user") == true)
  }

  @Test func `of two clubs of one name the config's is used, and the file is named`() throws {
    let home = try Home(#"{"clubs":{"lab":{"path":"/lab"}}}"#, ["lab": Self.lab])
    #expect(try home.choose().directory == "/lab")
    #expect(
      try home.report().brokenDropIns.map(\.fault) == [
        "~/.config/byteclub/clubs.d/lab.json is left out: ~/.config/byteclub/config.json has a club \"lab\", too. "
          + "Rename one of them."
      ])
  }

  @Test func `other files of the folder are nobody's clubs`() throws {
    let home = try Home(nil, ["lab": Self.lab, ".lab": "x"])
    try home.write("x", to: home.paths.dropIns + "/notes.txt")
    try home.write(Self.lab, to: home.file("My Club"))
    let report = try home.report()
    #expect(report.config.clubNames == ["lab"])
    #expect(report.brokenDropIns.map(\.club) == ["My Club"])
  }

  @Test func `without a usable club the sentence says why, and no folder is made`() throws {
    let home = try Home(nil, ["bad": "{"])
    let fault = #expect(throws: ConfigFault.self) { try home.choose() }
    #expect(fault?.description.contains("clubs.d/bad.json") == true)
    #expect(!FileManager.default.fileExists(atPath: home.folder.file("ByteClub")))
  }

  @Test func `a written club is read again, and no other user can read it`() throws {
    let home = try Home()
    let store = StoreRegistry.standard.served(at: "https://club.example:8443")
    let kind = try StoreRegistry.standard.kind(store.kind)
    try DropIn.write(store, of: kind, as: "lab", home.paths)
    #expect(try home.report().config.store(of: "lab", kind, home.paths) == store)
    let facts = try FileManager.default.attributesOfItem(atPath: home.file("lab"))
    #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    try DropIn.remove("lab", home.paths)
    #expect(DropIn.all(home.paths).isEmpty)
  }
}
