import Backends
import Basics
import FileStores
import ManualPages
import Screens
import TestKit
import Testing
import TextUI

@testable import byteclub

struct ManualTests {
  @Test func `the pages in docs are what the program prints`() throws {
    try RepositoryFile.expect("docs/byteclub.1", toBe: ManualPage.text())
    try RepositoryFile.expect("docs/json.md", toBe: JSONPage.text())
  }

  @Test func `every setting, key, exit code and error kind is in the manual`() {
    let page = ManualPage.text()
    for setting in ClubSetup.settings().settings { #expect(page.contains(Roff.escaped(setting.key))) }
    for command in KeyCommand.all { #expect(page.contains("[\(command.id.rawValue)]"), "\(command.id.rawValue)") }
    for kind in StoreError.Kind.allCases { #expect(JSONPage.text().contains("`\(kind.rawValue)`")) }
    for status in ExitStatus.allCases {
      #expect(JSONPage.text().contains("| \(status.rawValue) | \(status.meaning) |"))
    }
  }

  @Test func `no text is taken for a request of roff`() {
    #expect(Roff.escaped(".PP") == "\\&.PP")
    #expect(Roff.escaped(#"a\b'c-d"#) == #"a\eb\(aqc\-d"#)
    for line in ManualPage.text().split(separator: "\n") where line.hasPrefix(".") {
      let request = line.prefix { $0 != " " }
      #expect(
        [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".RS", ".RE", ".nf", ".fi", ".br"].contains(request), "\(line)")
    }
  }

  @Test func `stores that keep nothing are not offered`() {
    let kinds = ClubSetup.settings().settings.first { $0.key == "clubs.NAME.store" }?.kind
    #expect(kinds == .choice(["folder", "dropbox", "dropbox-v1", "webdav", "s3"]))
  }

  @Test func `a key of the config reaches the screens`() {
    #expect(ClubSetup.settings().keys.understands("Ctrl-N"))
    #expect(!ClubSetup.settings().keys.understands("Hyper-Q"))
    #expect(ClubSetup.settings().keys.commands == KeyCommand.all.map(\.id.rawValue))
  }
}
