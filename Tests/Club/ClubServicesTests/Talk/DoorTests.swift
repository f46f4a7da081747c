import FileStores
import Imaging
import JSON
import TestKit
import Testing

@testable import ClubServices

@Suite struct DoorTests {
  private typealias Door = ClubServices.Door
  private let world: NotesWorld
  private let pier: StorePath
  private let quay: StorePath
  private static let head = "# Remarks on pier.jpg\n\n"

  init() throws {
    world = try NotesWorld()
    (pier, quay) = (try StorePath("photos/pier.jpg"), try StorePath("photos/2024/the quay.jpg"))
  }

  private static func item(_ id: String, _ rest: String, by member: String = "ann") -> String {
    "- **\(member)** 2026-11-26 18:04Z \(id) \(rest)\n"
  }

  private static func talk(_ items: String...) -> Talk { Talk(Array((head + items.joined()).utf8)) }

  /// Ids of which each is the letter eight times.
  private static func ids(_ letters: String) -> () -> String {
    var rest = Array(letters)
    return { String(repeating: rest.isEmpty ? "z" : rest.removeFirst(), count: 8) }
  }

  private func makeDoors(_ service: NotesService, _ letters: String = "ab") async throws -> StoreError? {
    try await service.addDoors(
      try Door(to: quay, from: pier, yaw: 35, pitch: -2), in: pier,
      back: try Door(to: pier, from: quay, yaw: 215, pitch: 2), in: quay, id: Self.ids(letters))
  }

  @Test("A hot spot says who brought a remark under another name", arguments: ["ann", "eve"])
  func compared(author: String) async throws {
    let store = AuthoredStore(world.memory, author: author)
    let photos = try PhotoWorkshop().service(store: store, notes: try world.service(store: store))
    try await world.put(Self.head + Self.item("aaaaaaaa", "@132,-8: The vice."), at: "photos/pier.jpg.talk.md")
    #expect(try await photos.tour(of: pier)?.marks.map(\.label) == ["ann: The vice."])
    #expect(try await photos.tour(of: pier)?.marks.allSatisfy { $0.remark != nil && $0.door == nil } == true)
    let labels = await photos.comparedTour(of: pier)?.marks.map(\.label)
    #expect(labels == (author == "ann" ? nil : ["ann? brought by eve: The vice."]))
  }

  @Test(
    "An address is relative to the file that has it",
    arguments: [
      ("photos/quay.jpg", "photos", "quay.jpg"), ("photos/a/b c.jpg", "photos", "a/b%20c.jpg"),
      ("photos/quay.jpg", "photos/2024", "../quay.jpg"), ("photos/a/x.jpg", "photos/b/c", "../../a/x.jpg"),
      ("photos/(1)[2].jpg", "photos", "%281%29%5B2%5D.jpg"), ("photos/photos/x.jpg", "photos", "photos/x.jpg"),
    ])
  func addresses(_ target: String, _ folder: String, _ address: String) throws {
    let (target, photo) = (try StorePath(target), try StorePath(folder + "/here.jpg"))
    #expect(Door.address(of: target, from: photo.parent) == address)
    #expect(try Door(to: target, from: photo, yaw: 0, pitch: 0).target(from: photo) == target)
  }

  @Test(
    "A door is written in one form, and read as it was",
    arguments: [
      ("To the quay", "quay.jpg", 35.0, -2.0, "door [To the quay](quay.jpg) @35.0,-2.0"),
      ("a ] and \\ b", "../q.jpg", -180, 90, "door [a \\] and \\\\ b](../q.jpg) @-180.0,90.0"),
    ])
  func forms(_ label: String, _ address: String, _ yaw: Double, _ pitch: Double, _ written: String) throws {
    let door = try #require(Door(label: label, address: address, yaw: yaw, pitch: pitch))
    let item = TalkItem(member: "ann", time: Timestamp(seconds: 0), id: "k3f9q2xa", aim: .door(door), text: "")
    #expect(item.markdown == "- **ann** 1970-01-01 00:00Z k3f9q2xa \(written)\n")
    let talk = Talk(Array(item.markdown.utf8))
    #expect(talk.doors.map(\.door) == [door] && talk.remarks.isEmpty && talk.strange.isEmpty)
  }

  @Test(
    "A door of another form is kept as it is",
    arguments: [
      "door [x](quay.jpg)", "door [x] @1,2", "door [x](a b.jpg) @1,2", "door [x]() @1,2", "door [x](q.jpg) @400,0",
      "door [x](q.jpg) @nan,0", "door [x(q.jpg) @1,2", "door x @1,2", "door [x](q.jpg) @1",
      "door [x](\(String(repeating: "q", count: 5000))) @1,2",
    ])
  func strangeDoors(_ text: String) {
    let talk = Self.talk(Self.item("aaaaaaaa", text))
    #expect(talk.doors.isEmpty && talk.strange.count == 1)
  }

  @Test func `any member corrects where a door leads, and only its own withdraws it`() {
    let door = Self.item("aaaaaaaa", "door [quay](quay.jpg) @1.0,2.0")
    let fixed = Self.talk(door, Self.item("bbbbbbbb", "fix aaaaaaaa: [the quay](harbour.jpg)", by: "ray"))
    #expect(fixed.doors.map(\.door.address) == ["harbour.jpg"] && fixed.doors.map(\.door.label) == ["the quay"])
    #expect(fixed.doors.map(\.door.yaw) == [1] && fixed.strange.isEmpty)
    let kept = Self.talk(
      door, Self.item("bbbbbbbb", "gone aaaaaaaa", by: "eve"), Self.item("cccccccc", "fix aaaaaaaa: no link"),
      Self.item("dddddddd", "+1 aaaaaaaa"))
    #expect(kept.doors.map(\.door.address) == ["quay.jpg"] && kept.strange.count == 3)
    #expect(Self.talk(door, Self.item("bbbbbbbb", "gone aaaaaaaa")).doors.isEmpty)
  }

  @Test func `of a thousand doors the first two hundred are shown`() {
    let items = (0..<1000).map { Self.item(String(10_000_000 + $0), "door [\($0)](q.jpg) @1.0,2.0") }
    #expect(Talk(Array(items.joined().utf8)).doors.count == Talk.mostDoors)
  }

  @Test func `a door and the way back are items of the two files, and each is made once`() async throws {
    let service = try world.service()
    #expect(try await makeDoors(service) == nil)
    #expect(
      try await world.text("photos/pier.jpg.talk.md")
        == Self.head + "- **ann** 2031-01-09 12:00Z aaaaaaaa door [the quay](2024/the%20quay.jpg) @35.0,-2.0\n")
    #expect(
      try await world.text("photos/2024/the quay.jpg.talk.md")
        == "# Remarks on the quay.jpg\n\n- **ann** 2031-01-09 12:00Z bbbbbbbb door [pier](../pier.jpg) @-145.0,2.0\n")
    #expect(try await makeDoors(service, "cd") == nil)
    #expect(try await service.talk(about: pier).doors.map(\.id) == ["aaaaaaaa"])
    #expect(try await service.talk(about: quay).doors.map(\.id) == ["bbbbbbbb"])
  }

  @Test func `doors that are made while the store is away wait, and are shown`() async throws {
    let service = try world.service()
    world.store.fail(StoreError(.offline, "Away."))
    #expect(try await makeDoors(service)?.kind == .offline)
    #expect(try await service.talk(about: pier).doors.map(\.door.address) == ["2024/the%20quay.jpg"])
    world.store.fail(nil)
    for waiting in try await service.unsent() { _ = try await service.sendUnsent(waiting.id) }
    #expect(try await world.text("photos/2024/the quay.jpg.talk.md").contains("door [pier](../pier.jpg)"))
  }

  @Test func `a way back that cannot be made is said, and the door is there`() async throws {
    let service = try world.service()
    let long = Talk.head(of: quay) + String(repeating: "x", count: Talk.mostBytes)
    try await world.put(long, at: "photos/2024/the quay.jpg.talk.md")
    var fault: StoreError?
    do {
      _ = try await makeDoors(service)
    } catch {
      fault = error as? StoreError
    }
    #expect(
      fault?.kind == .tooLarge && fault?.message.hasPrefix("The door to \"\(quay)\" is made, but not the way") == true)
    #expect(try await service.talk(about: pier).doors.count == 1)
  }

  @Test func `a rename adds a correction to the other file, which changes nothing else, and back again`() async throws {
    let service = try world.service()
    _ = try await makeDoors(service)
    let before = try await world.text("photos/2024/the quay.jpg.talk.md")
    let mole = try StorePath("photos/mole.jpg")
    _ = try await world.store.move(try Talk.path(of: pier), to: try Talk.path(of: mole), ifRevision: nil)
    try await service.photoMoved(pier, to: mole, id: Self.ids("c"))
    #expect(
      try await world.text("photos/2024/the quay.jpg.talk.md")
        == before + "- **ann** 2031-01-09 12:00Z cccccccc fix bbbbbbbb: [mole](../mole.jpg)\n")
    let back = try await service.talk(about: quay).doors
    #expect(back.map { $0.door.target(from: quay) } == [mole] && back.map(\.door.label) == ["mole"])
    #expect(try await service.talk(about: mole).doors.map { $0.door.target(from: mole) } == [quay])
    _ = try await world.store.move(try Talk.path(of: mole), to: try Talk.path(of: pier), ifRevision: nil)
    try await service.photoMoved(mole, to: pier, id: Self.ids("d"))
    #expect(try await service.talk(about: quay).doors.map { $0.door.target(from: quay) } == [pier])
    #expect(try await world.text("photos/2024/the quay.jpg.talk.md").hasPrefix(before))
  }

  @Test func `a rename that cannot mend the doors of a file names it, and the command that does`() async throws {
    let service = try world.service()
    _ = try await makeDoors(service)
    let file = try await world.text("photos/2024/the quay.jpg.talk.md")
    let rest = String(repeating: "x", count: Talk.mostBytes - file.utf8.count - 10)
    try await world.put(file + rest, at: "photos/2024/the quay.jpg.talk.md")
    let mole = try StorePath("photos/mole.jpg")
    _ = try await world.store.move(try Talk.path(of: pier), to: try Talk.path(of: mole), ifRevision: nil)
    do throws(StoreError) {
      try await service.photoMoved(pier, to: mole, id: Self.ids("c"))
      Issue.record("no error")
    } catch {
      let start = "Renamed \"photos/pier.jpg\" to \"photos/mole.jpg\", but the doors in "
      #expect(error.kind == .tooLarge)
      #expect(
        error.message.hasPrefix(start + "\"photos/2024/the quay.jpg.talk.md\" lead to \"photos/pier.jpg\" still. "))
      #expect(error.remedy.hasSuffix("byteclub talk fix \"photos/2024/the quay.jpg\" ID \"[mole](../mole.jpg)\""))
    }
  }

  @Test func `a door is withdrawn with the way back, and another member's stays`() async throws {
    let service = try world.service()
    _ = try await makeDoors(service)
    #expect(try await service.withdrawDoor("aaaaaaaa", in: pier) == nil)
    #expect(try await service.talk(about: pier).doors.isEmpty)
    #expect(try await service.talk(about: quay).doors.isEmpty)
    let hers = Self.item("eeeeeeee", "door [q](q.jpg) @1.0,2.0", by: "eve")
    try await world.put(Self.head + hers, at: "photos/pier.jpg.talk.md")
    #expect(await kind { _ = try await service.withdrawDoor("eeeeeeee", in: pier) } == .notPermitted)
    #expect(try await world.text("photos/pier.jpg.talk.md") == Self.head + hers)
  }

  @Test(arguments: [true, false])
  func `doors to what is gone lead to the photo that gets its remarks`(hasRemarks: Bool) async throws {
    let (service, mole) = (try world.service(), try StorePath("photos/mole.jpg"))
    _ = try await makeDoors(service)
    try await world.put("a picture", at: "photos/mole.jpg")
    if hasRemarks { _ = try await service.say("Nice.", .whole, about: mole, id: Self.ids("c")) }
    _ = try await service.joinTalk(ofGone: pier, to: mole, id: Self.ids("d"))
    let back = try await service.talk(about: quay).doors
    #expect(back.map { $0.door.target(from: quay) } == [mole] && back.map(\.door.label) == ["mole"])
    #expect(try await service.talk(about: mole).doors.map { $0.door.target(from: mole) } == [quay])
  }

  @Test func `a remark that waits follows its photo to the new name`() async throws {
    let service = try world.service()
    world.store.fail(StoreError(.offline, "Away."))
    _ = try await service.say("Later.", .whole, about: pier, id: Self.ids("a"))
    world.store.fail(nil)
    try await service.photoMoved(pier, to: try StorePath("photos/mole.jpg"), id: Self.ids("b"))
    #expect(try await service.unsent().map { "\($0.path)" } == ["photos/mole.jpg.talk.md"])
  }

  @Test func `a way back that was made on another day stays`() async throws {
    let service = try world.service()
    let back = Self.item("bbbbbbbb", "door [p](../pier.jpg) @1.0,2.0").replacing("2026-11-26", with: "2026-11-20")
    try await world.put(
      Self.head + Self.item("aaaaaaaa", "door [q](2024/the%20quay.jpg) @1.0,2.0"), at: "photos/pier.jpg.talk.md")
    try await world.put(Self.head + back, at: "photos/2024/the quay.jpg.talk.md")
    #expect(try await service.withdrawDoor("aaaaaaaa", in: pier) == nil)
    #expect(try await service.talk(about: pier).doors.isEmpty)
    #expect(try await service.talk(about: quay).doors.map(\.id) == ["bbbbbbbb"])
  }

  @Test func `a door has no answers, and another member's is not withdrawn`() async throws {
    let service = try world.service()
    try await world.put(
      Self.head + Self.item("eeeeeeee", "door [q](q.jpg) @1.0,2.0", by: "eve"), at: "photos/pier.jpg.talk.md")
    for (aim, refusal) in [
      (TalkItem.Aim.reply(to: "eeeeeeee"), StoreError.Kind.badInput), (.agreement(with: "eeeeeeee"), .badInput),
      (.correction(of: "eeeeeeee"), .badInput), (.withdrawal(of: "eeeeeeee"), .notPermitted),
    ] {
      #expect(await kind { _ = try await service.say("x", aim, about: pier, id: Self.ids("a")) } == refusal)
    }
  }

  @Test func `doors are scenes of Pannellum, which byteclub reads again`() async throws {
    let service = try world.service()
    _ = try await makeDoors(service)
    let tour = try await service.tour(byDoorsOf: pier)
    #expect(tour.scenes.keys.sorted() == ["2024/the%20quay.jpg", "pier.jpg"])
    let read = try TourReader.read(Array(tour.pannellum(first: "pier.jpg").encoded.utf8))
    #expect(read == tour)
    #expect(read.scenes["pier.jpg"]?.hotSpots.map(\.text) == ["the quay"])
    #expect(read.scenes["2024/the%20quay.jpg"]?.hotSpots.map(\.yawDegrees) == [-145])
  }

  @Test func `a photo without doors is one scene`() async throws {
    let tour = try await world.service().tour(byDoorsOf: pier)
    #expect(tour == Tour(scenes: ["pier.jpg": Tour.Scene(title: "pier", panorama: "pier.jpg")]))
  }
}

@Suite struct `Doors in a photo's tour` {
  private let workshop: PhotoWorkshop
  private let world: NotesWorld
  private let service: PhotosService
  private let pier: StorePath
  private let quay: StorePath

  init() throws {
    (workshop, world) = (try PhotoWorkshop(), try NotesWorld())
    service = try workshop.service(notes: try world.service(store: workshop.store))
    (pier, quay) = (try StorePath("photos/pier.jpg"), try StorePath("photos/quay.jpg"))
  }

  private func marks() async throws -> [PhotoMark] { try await service.tour(of: pier)?.marks ?? [] }

  @Test func `are beside the spots of a file, and lead to photos of the club`() async throws {
    try await workshop.put("photos/pier.json", Array(#"{"hotSpots":[{"yaw":1,"pitch":2,"text":"spot"}]}"#.utf8))
    try await workshop.put("photos/quay.jpg", try PhotoWorkshop.jpeg())
    #expect(
      try await service.addDoor(from: pier, yawDegrees: 10, pitchDegrees: 5, headingDegrees: nil, to: quay) == nil)
    let found = try await marks()
    #expect(found.map(\.label) == ["spot", "quay"])
    #expect(found.last?.target == .photo(quay, Tour.Arrival(), own: Tour.View()))
    // Without a compass the way back is in the opposite direction of the picture.
    let back = try #require(try await service.tour(of: quay)?.marks.first)
    #expect(back.yawDegrees == -170 && back.pitchDegrees == -5 && back.label == "pier")
  }

  @Test func `to a photo that is gone, or out of the club, say so`() async throws {
    try await workshop.put("photos/pier.jpg", [1])
    let items = ["quay.jpg", "../../etc/x.jpg", "note.md"].enumerated().map { index, address in
      "- **ann** 2026-11-26 18:04Z aaaaaaa\(index) door [x](\(address)) @1.0,2.0\n"
    }
    try await workshop.put("photos/pier.jpg.talk.md", Array((Talk.head(of: pier) + items.joined()).utf8))
    try await service.list { _ in }
    #expect(
      try await marks().map(\.target) == [
        .broken("\"photos/quay.jpg\" is not in the club any more. It may be in the trash, or have another name."),
        .broken("\"../../etc/x.jpg\" is no photo of this club, so byteclub does not go there."),
        .broken("\"note.md\" is no photo of this club, so byteclub does not go there."),
      ])
  }

  @Test(arguments: HostileTalk.all)
  func `of hostile remarks are short, on one line and on the sphere`(file: HostileTalk) async throws {
    try await workshop.put("photos/pier.jpg.talk.md", file.bytes)
    for mark in try await marks() {
      #expect(abs(mark.yawDegrees) <= 360 && abs(mark.pitchDegrees) <= 90)
      #expect(!mark.label.unicodeScalars.contains { $0.isHostile })
    }
    let long = "- **ann** 2026-11-26 18:04Z aaaaaaa1 @1,2: " + String(repeating: "word ", count: 9999)
    try await workshop.put("photos/pier.jpg.talk.md", Array(long.utf8))
    #expect(try await marks().map(\.label.count) == [304])
  }

  @Test func `follow a rename of the photo behind them`() async throws {
    try await workshop.put("photos/pier.jpg", try PhotoWorkshop.jpeg())
    try await workshop.put("photos/quay.jpg", try PhotoWorkshop.jpeg(blue: 99))
    try await service.list { _ in }
    _ = try await service.addDoor(from: pier, yawDegrees: 10, pitchDegrees: 5, headingDegrees: nil, to: quay)
    let renamed = try await service.rename(quay, to: "harbour.jpg")
    try await service.list { _ in }
    #expect(try await marks().map(\.target) == [.photo(renamed.path, Tour.Arrival(), own: Tour.View())])
    #expect(try await marks().map(\.label) == ["harbour"])
    #expect(try await service.tour(of: renamed.path)?.marks.map(\.label) == ["pier"])
  }
}
