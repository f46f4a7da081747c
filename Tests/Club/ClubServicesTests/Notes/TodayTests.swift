import ClubServices
import FileStores
import Testing

/// The day's note and the templates of a club. The world's clock stands at noon of 2031-01-09, UTC.
@Suite struct TodayTests {
  private func shown(_ template: NoteTemplate?) -> String? {
    template.map { String(decoding: $0.filled(title: "T").text, as: UTF8.self) }
  }

  @Test(arguments: [
    (0, "2031-01-09.md"), (11 * 3600 + 3599, "2031-01-09.md"), (12 * 3600, "2031-01-10.md"),
    (-12 * 3600, "2031-01-09.md"), (-12 * 3600 - 1, "2031-01-08.md"),
  ])
  func `the day is that of the member's zone`(row: (offset: Int, path: String)) async throws {
    let found = try await NotesWorld().service().dayNote(DayNote()) { _ in row.offset }
    #expect("\(found.path)" == row.path && shown(found.template) == "")
  }

  @Test func `a missing note begins with its template, and one that is there has none`() async throws {
    let world = try NotesWorld()
    try await world.put("# {title}\n{date} {member}\n", at: "templates/today.md")
    let service = try world.service()
    let settings = DayNote(pattern: "daily/{date}")
    let found = try await service.dayNote(settings) { _ in 0 }
    #expect("\(found.path)" == "daily/2031-01-09.md" && shown(found.template) == "# T\n2031-01-09 ann\n")
    try await world.put("mine", at: "daily/2031-01-09.md")
    #expect(try await service.dayNote(settings) { _ in 0 }.template == nil)
  }

  @Test func `another template can be set`() async throws {
    let world = try NotesWorld()
    try await world.put("{time}", at: "log.md")
    let found = try await world.service().dayNote(DayNote(template: "log.md")) { _ in 90 * 60 }
    #expect(shown(found.template) == "13:30")
  }

  @Test(arguments: ["", ".{date}", "photos/{date}.md", "../{date}", "a\u{1B}b"])
  func `a path that no note can have is refused`(pattern: String) async throws {
    let service = try NotesWorld().service()
    await #expect(throws: StoreError.self) { try await service.dayNote(DayNote(pattern: pattern)) { _ in 0 } }
  }

  @Test func `the notes of the folder of templates are listed by name`() async throws {
    let world = try NotesWorld()
    let service = try world.service()
    #expect(try await service.templates().isEmpty)
    for name in ["trip.md", "Answer.txt", "plain", ".hidden.md", "pier.jpg", "sub/x.md"] {
      try await world.put("x", at: "templates/\(name)")
    }
    #expect(
      try await service.templates().map { "\($0)" } == ["Answer.txt", "plain", "trip.md"].map { "templates/\($0)" })
    #expect("\(try await service.template(named: "trip"))" == "templates/trip.md")
    #expect("\(try await service.template(named: "templates/trip"))" == "templates/trip.md")
    let error = await #expect(throws: StoreError.self) { try await service.template(named: "tripp") }
    #expect(error?.kind == .notFound && error?.remedy.contains("\"trip.md\"") == true)
  }

  @Test func `the folder of templates may have capital letters, as Obsidian's`() async throws {
    let world = try NotesWorld()
    for name in ["Today.md", "Trip.md"] { try await world.put("x {{title}}", at: "Templates/\(name)") }
    let service = try world.service()
    #expect(try await service.templates().map { "\($0)" } == ["Templates/Today.md", "Templates/Trip.md"])
    #expect("\(try await service.template(named: "trip"))" == "Templates/Trip.md")
    #expect(shown(try await service.dayNote(DayNote()) { _ in 0 }.template) == "x T")
  }

  @Test func `a template that names another one or itself stays text, and one that is no text is refused`() async throws
  {
    let world = try NotesWorld()
    let text = "![[templates/a]] {templates/b} {{include a}}"
    try await world.put(text, at: "templates/a.md")
    let service = try world.service()
    #expect(shown(try await service.template(at: StorePath("templates/a.md")) { _ in 0 }) == text)
    try await world.put("a\u{0}b", at: "templates/b.md")
    await #expect(throws: StoreError.self) { try await service.template(at: StorePath("templates/b.md")) { _ in 0 } }
  }
}
