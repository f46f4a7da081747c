import FileStores
import TestKit
import Testing

@testable import ClubServices
@testable import Imaging

/// Photos that go into albums and out of them.
@Suite struct PhotoMoveTests {
  private typealias Door = ClubServices.Door
  private let world: NotesWorld
  private let workshop: PhotoWorkshop
  private let pier: StorePath
  private let oslo: StorePath

  init() throws {
    (world, workshop) = (try NotesWorld(), try PhotoWorkshop())
    (pier, oslo) = (try StorePath("photos/pier.jpg"), try StorePath("photos/oslo"))
  }

  /// The texts of all files of a store, by path.
  private func texts(_ store: any FileStore) async throws -> [String: String] {
    var texts: [String: String] = [:]
    var cursor: ListCursor?
    repeat {
      let page = try await store.list(.root, ListOptions(.names, recursive: true), after: cursor)
      for entry in page.entries where entry.kind == .file {
        texts["\(entry.path)"] = String(decoding: try await store.readAll(entry.path).bytes, as: UTF8.self)
      }
      cursor = page.next
    } while cursor != nil
    return texts
  }

  @Test(
    arguments: [WrittenVersionsTests.Place.memory, .folder, .webDAV, .bucket], RemarkStoresTests.Front.allCases)
  func `caption, remarks and tour follow into a new album, and back`(
    place: WrittenVersionsTests.Place, front: RemarkStoresTests.Front
  ) async throws {
    let store = try await WrittenVersionsTests.store(place, world)
    for name in ["pier.jpg", "pier.jpg.md", "pier.jpg.json", "pier.jpg.png", "quay.jpg"] {
      _ = try await store.put(DataSource("of \(name)".utf8), at: try StorePath("photos/\(name)"), mode: .create)
    }
    let machine = try CopyWorld(store)
    let process = front == .nothing ? nil : try machine.start()
    let notes = try process?.notes ?? world.service(store: store)
    defer { withExtendedLifetime(machine) {} }
    let photos = try workshop.service(store: process?.store ?? store)
    try await notes.names { _ in }
    try await photos.list { _ in }
    _ = try await notes.say("Low tide.", .whole, about: pier)
    let first = try await texts(store)
    #expect(first.count == 6)

    machine.server.isAway = front == .awayCopy
    let moved = try await photos.move(pier, to: oslo).path
    #expect("\(moved)" == "photos/oslo/pier.jpg")
    if machine.server.isAway {
      #expect(try await texts(store) == first)
      await back(machine, process, notes)
    }
    let stays = ["photos/pier.jpg.png", "photos/quay.jpg"]
    let there = first.map { path, text in
      (stays.contains(path) ? path : path.replacing("photos/", with: "photos/oslo/"), text)
    }
    #expect(try await texts(store) == Dictionary(uniqueKeysWithValues: there))

    machine.server.isAway = front == .awayCopy
    #expect(try await photos.move(moved, to: try StorePath("photos")).path == pier)
    if machine.server.isAway { await back(machine, process, notes) }
    #expect(try await texts(store) == first)
    #expect(try await notes.talk(about: pier).remarks.map(\.text) == ["Low tide."])
  }

  private func back(_ machine: CopyWorld, _ process: CopyWorld.Process?, _ notes: NotesService) async {
    machine.server.isAway = false
    process?.connection.observe(.answered)
    #expect(await notes.sendNames().isEmpty)
  }

  @Test func `a taken name, the same album and an album in place of a photo are refused, and nothing moves`()
    async throws
  {
    let service = try workshop.service()
    for name in ["pier.jpg", "pier.jpg.md", "oslo/pier.jpg", "quay.jpg"] {
      try await workshop.put("photos/\(name)", Array(name.utf8))
    }
    let before = try await texts(workshop.store.base)
    #expect(await photoFault { _ = try await service.move(pier, to: oslo) }?.kind == .exists)
    #expect(await photoFault { _ = try await service.move(pier, to: pier.parent) }?.kind == .badInput)
    try await service.list { _ in }
    let fault = await photoFault { _ = try await service.move(pier, to: try StorePath("photos/quay.jpg")) }
    #expect(fault?.message == "\"photos/quay.jpg\" is a photo, so it can be no album.")
    #expect(await photoFault { _ = try await service.move(pier, to: oslo, named: "x.txt") }?.kind == .badName)
    #expect(try await texts(workshop.store.base) == before)
    #expect(try await "\(service.move(pier, to: oslo, named: "mole").path)" == "photos/oslo/mole.jpg")
    #expect(try await texts(workshop.store.base)["photos/oslo/mole.jpg.md"] == "pier.jpg.md")
  }

  @Test func `a caption that cannot follow keeps neither the photo nor the tour from moving`() async throws {
    let service = try workshop.service()
    for name in ["pier.jpg", "pier.jpg.md", "pier.jpg.json", "oslo/pier.jpg.md"] {
      try await workshop.put("photos/\(name)", Array(name.utf8))
    }
    try await service.list { _ in }
    let fault = await photoFault { _ = try await service.move(pier, to: oslo) }
    #expect(fault?.kind == .exists && fault?.message.contains("but not its caption") == true)
    let moved = oslo.descending(Array("pier.jpg".utf8)[...])
    #expect(fault?.path == moved && service.known.entry(at: moved) != nil && service.known.entry(at: pier) == nil)
    let after = try await texts(workshop.store.base)
    #expect(after["photos/oslo/pier.jpg.json"] == "pier.jpg.json" && after["photos/pier.jpg.md"] == "pier.jpg.md")
    #expect(after["photos/oslo/pier.jpg.md"] == "oslo/pier.jpg.md")
  }

  @Test func `doors lead on to the same photos from both ends`() async throws {
    let notes = try world.service(store: workshop.store)
    let photos = try workshop.service(notes: notes)
    let quay = try StorePath("photos/2024/quay.jpg")
    for path in [pier, quay] { try await workshop.put("\(path)", [1]) }
    try await photos.list { _ in }
    _ = try await notes.addDoors(
      try Door(to: quay, from: pier, yaw: 35, pitch: -2), in: pier,
      back: try Door(to: pier, from: quay, yaw: 215, pitch: 2), in: quay, id: TalkItem.newID)
    try await photos.list { _ in }
    /// Where the only door of each of the two leads.
    func ends(_ first: StorePath, _ second: StorePath) async throws -> [[StorePath?]] {
      var ends: [[StorePath?]] = []
      for photo in [first, second] {
        ends.append(try await notes.talk(about: photo).doors.map { $0.door.target(from: photo) })
      }
      return ends
    }
    let moved = try await photos.move(pier, to: oslo).path
    #expect(try await ends(moved, quay) == [[quay], [moved]])
    // The other end follows into the same album, then the first goes back.
    let other = try await photos.move(quay, to: oslo).path
    #expect(try await ends(moved, other) == [[other], [moved]])
    let home = try await photos.move(moved, to: pier.parent).path
    #expect(try await ends(home, other) == [[other], [home]])
  }

  @Test func `a walk and a shared tour find a moved photo by its name, if only one has it`() async throws {
    let service = try workshop.service(notes: try world.service(store: workshop.store))
    for name in ["pier.jpg", "quay.jpg"] { try await workshop.put("photos/\(name)", [1]) }
    let spot = #"{"yaw":1,"pitch":2,"sceneId":"q"}"#
    let tour = #"{"scenes":{"p":{"panorama":"pier.jpg","hotSpots":[\#(spot)]},"q":{"panorama":"quay.jpg"}}}"#
    try await workshop.put("photos/tour.json", Array(tour.utf8))
    let header = PictureHeader(format: .jpeg, storedSize: PixelSize(width: 400, height: 200))
    let look = LookAround(PictureGeometry(header, as: .sphere), window: PixelSize(width: 80, height: 40))
    var recorder = WalkRecorder()
    recorder.add("pier.jpg", look, atMilliseconds: 0)
    recorder.add("quay.jpg", look, atMilliseconds: 1000)
    let walk = try await service.keep(recorder, title: "Round").path
    try await service.list { _ in }
    let moved = try await service.move(pier, to: oslo).path
    try await service.list { _ in }
    let quay = try StorePath("photos/quay.jpg")
    #expect(try await service.walk(at: walk).photos == [moved, quay])
    guard case .photo(let end, _, _)? = try await service.tour(of: moved)?.marks.first?.target else {
      Issue.record("no hot spot")
      return
    }
    #expect(end == quay)
    try await workshop.put("photos/bergen/pier.jpg", [1])
    try await service.list { _ in }
    #expect(try await service.walk(at: walk).photos == [nil, quay])
  }

  @Test func `an upload goes into an album, and the next one of its name gets a number there`() async throws {
    let service = try workshop.service()
    let file = try workshop.local("dot.jpg", try PhotoWorkshop.jpeg())
    let plan = try await service.planUpload(file, into: oslo)
    #expect("\(plan.target)" == "photos/oslo/dot.jpg" && plan.renaming == nil)
    try await workshop.put("photos/oslo/dot.jpg", [1])
    try await workshop.put("photos/dot (2).jpg", [1])
    withExtendedLifetime(plan) {}
    #expect("\(try await service.planUpload(file, into: oslo).target)" == "photos/oslo/dot (2).jpg")
  }

  @Test func `a typed album is one of the club's, whatever its letter case`() async throws {
    let service = try workshop.service()
    try await workshop.put("photos/Oslo/a.jpg", [1])
    #expect("\(try await service.album(named: "oslo/"))" == "photos/Oslo")
    #expect("\(try await service.album(named: "bergen"))" == "photos/bergen")
    for (name, isAlbum) in [("Oslo", true), ("Oslo/", true), ("bergen", false), ("a.jpg", false)] {
      #expect(try await service.isAlbum(name) == isAlbum, "\(name)")
    }
  }
}
