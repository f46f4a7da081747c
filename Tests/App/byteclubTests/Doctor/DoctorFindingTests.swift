import ClubServices
import FileStores
import Testing

@testable import byteclub

@Suite struct DoctorFindingTests {
  @Test func `doctor names the package without which photos lack their colours`() throws {
    #expect(SystemCheckup.colours(areProfiled: true).isEmpty)
    let finding = try #require(SystemCheckup.colours(areProfiled: false).first)
    #expect(finding.verdict == .note && finding.found.contains("liblcms2.so.2"))
    #expect(finding.remedy.contains("liblcms2-2"))
  }

  @Test func `doctor counts folders of notes, and names those that other systems take for one`() throws {
    let scope = NoteScope(photosFolder: try StorePath("photos"))
    func findings(_ folders: [String], _ files: [String]) throws -> [Finding] {
      ClubCheckup.folders(
        try folders.map { FileEntry(path: try StorePath($0), kind: .folder) }
          + files.map { FileEntry(path: try StorePath($0), kind: .file) }, scope)
    }
    #expect(try findings(["photos", "photos/oslo", ".git"], ["a.md", "b.md"]).isEmpty)
    let one = try findings(["trips", "photos"], ["a.md", "trips/a.md", "trips/a.bin"])
    #expect(one.map(\.found) == ["one folder of notes, with one note"] && one.allSatisfy { $0.verdict == .good })
    let alike = try findings(
      ["trips", "Trips", "re\u{301}sume\u{301}", "r\u{E9}sum\u{E9}"], ["a.md", "A.md", "trips/b.md"])
    #expect(alike.count == 2 && alike[1].verdict == .note && alike[1].subject == "Names")
    #expect(
      alike[1].found
        == "\"A.md\" and \"a.md\" differ in letter case or in the form of letters alone, and so do the names of 2 more")
  }
}
