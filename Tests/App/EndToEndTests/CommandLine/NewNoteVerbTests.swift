import Foundation
import POSIX
import TestKit
import Testing

/// New notes, from templates too, and the day's note, by the commands of the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct NewNoteVerbTests {
  /// A zone whose day is rarely that of UTC.
  private static let zone = (name: "AHEAD-14", hours: 14.0)

  private func home(_ files: [String: String] = [:], notes settings: String? = nil) throws -> CommandLineHome {
    let home = try CommandLineHome()
    for (name, text) in files.merging(["index.md": "top\n"], uniquingKeysWith: { own, _ in own }) {
      try home.write(text.utf8, to: "ByteClub/\(name)")
    }
    if let settings {
      let config = #"{"clubs":{"home":{"path":"~/ByteClub"}},"notes":\#(settings)}"#
      try home.write(config.utf8, to: ".config/byteclub/config.json")
    }
    return home
  }

  private func text(_ name: String, _ home: CommandLineHome) -> String? {
    home.read("ByteClub/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  /// Of the clock that the program reads, too.
  private func day(hoursAhead hours: Double = 0) -> String {
    String(Date(timeIntervalSinceNow: hours * 3600).ISO8601Format().prefix(10))
  }

  /// Both days, if midnight comes while the work goes on.
  private func days(hoursAhead hours: Double = 0, _ work: () throws -> Void) rethrows -> Set<String> {
    let before = day(hoursAhead: hours)
    try work()
    return [before, day(hoursAhead: hours)]
  }

  @Test func `new makes an empty note and prints its path, and never replaces a note`() throws {
    let home = try home()
    let made = try home.run("note", "new", "Rome")
    #expect(made.status == 0 && made.text == "Rome.md\n" && made.said.contains("Made \"Rome.md\"."))
    #expect(text("Rome.md", home) == "")
    #expect(try home.run("note", "new", "trips/2026/Oslo").text == "trips/2026/Oslo.md\n")
    #expect(text("trips/2026/Oslo.md", home) == "")
    let again = try home.run("note", "new", "index")
    #expect(again.status == 5 && again.text.isEmpty && again.said.contains("\"index.md\" already exists"))
    #expect(text("index.md", home) == "top\n")
    for name in [".hidden/x", "trips/.x", "photos/x"] {
      #expect(try home.run("note", "new", name).status == 1, "\(name)")
    }
    #expect(try home.run("note", "new", "Bergen", "--json").text.contains(#""path":"Bergen.md""#))
  }

  @Test func `a template is filled, and everything else in braces stays`() throws {
    let template = "# {title}\n{date} {member}\n{cursor}{{title}} {{x}} {other}\n"
    let home = try home(["templates/trip.md": template])
    let days = try days(hoursAhead: Self.zone.hours) {
      let made = try home.run(
        "note", "new", "trips/Rome", "--template", "trip",
        variables: ["TZ": Self.zone.name, "BYTECLUB_MEMBER": "Ann Lee"])
      #expect(made.status == 0 && made.text == "trips/Rome.md\n")
    }
    let filled = days.map { "# Rome\n\($0) Ann Lee\nRome {{x}} {other}\n" }
    #expect(filled.contains(text("trips/Rome.md", home) ?? ""))
    #expect(text("templates/trip.md", home) == template)
  }

  @Test func `a time of a template is one of the day`() throws {
    let home = try home(["templates/log.txt": "{time}"])
    #expect(try home.run("note", "new", "log", "--template", "templates/log.txt").status == 0)
    let time = text("log.md", home)?.split(separator: ":").compactMap { Int($0) } ?? []
    #expect(time.count == 2 && (0..<24).contains(time[0]) && (0..<60).contains(time[1]))
  }

  @Test func `an unknown template makes no note, and the known ones are named`() throws {
    let home = try home(["templates/trip.md": ""])
    let unknown = try home.run("note", "new", "Rome", "--template", "tripe")
    #expect(unknown.status == 4 && unknown.said.contains("no template \"tripe\""))
    #expect(unknown.said.contains("The templates are \"trip.md\"."))
    #expect(text("Rome.md", home) == nil)
    let none = try self.home().run("note", "new", "Rome", "--template", "trip")
    #expect(none.status == 4 && none.said.contains("Make the folder \"templates\""))
  }

  @Test func `with --edit the new note is open in the member's editor`() throws {
    let home = try home(["templates/trip.md": "# {title}\n"])
    try home.write("#!/bin/sh\necho more >>\"$1\"\n".utf8, to: "editor")
    #expect(chmod(home.path + "/editor", 0o755) == 0)
    let editor = ["EDITOR": home.path + "/editor"]
    #expect(try home.run("note", "new", "Rome", "--template", "trip", "--edit", variables: editor).status == 0)
    #expect(text("Rome.md", home) == "# Rome\nmore\n")
  }

  @Test func `today prints the path of the day's note, and makes it once`() throws {
    let home = try home()
    var made = ""
    let days = try days(hoursAhead: Self.zone.hours) {
      let first = try home.run("note", "today", variables: ["TZ": Self.zone.name])
      #expect(first.status == 0 && first.said.contains("Made "))
      made = String(first.text.dropLast())
      #expect(text(made, home) == "")
      try home.write("mine\n".utf8, to: "ByteClub/\(made)")
      let second = try home.run("note", "today", variables: ["TZ": Self.zone.name])
      // After midnight it is another note.
      if second.text == first.text { #expect(second.status == 0 && !second.said.contains("Made ")) }
    }
    #expect(days.map { "\($0).md" }.contains(made))
    #expect(text(made, home) == "mine\n")
  }

  @Test func `the settings say where the day's note is and how it begins`() throws {
    let home = try home(
      ["templates/today.md": "usual", "templates/daily.md": "# {title} of {member}\n"],
      notes: #"{"today":"daily/{year}/{month}-{day} {member}","todayTemplate":"templates/daily.md"}"#)
    var made = ""
    let days = try days {
      let today = try home.run("note", "today", variables: ["BYTECLUB_MEMBER": "ann/b"])
      #expect(today.status == 0, "\(today.said)")
      made = String(today.text.dropLast())
    }
    let names = days.map { "daily/\($0.prefix(4))/\($0.dropFirst(5)) ann-b.md" }
    #expect(names.contains(made))
    let title = made.split(separator: "/").last?.dropLast(3) ?? ""
    #expect(text(made, home) == "# \(title) of ann/b\n")
  }

  @Test func `the usual template of the day's note is templates/today`() throws {
    let home = try home(["templates/today.md": "# {date}\n"])
    let made = String(try home.run("note", "today").text.dropLast())
    #expect(text(made, home) == "# \(made.dropLast(3))\n")
  }

  @Test func `a day's note at a place that no note can have is refused`() throws {
    let home = try home(notes: #"{"today":"../{date}"}"#)
    let refused = try home.run("note", "today")
    #expect(refused.status == 1 && refused.text.isEmpty && !refused.said.isEmpty)
  }
}
