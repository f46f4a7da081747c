import FileStores
import TestKit
import Testing

@testable import ClubServices

/// Albums that move as a whole, and go into the trash and back.
@Suite struct AlbumMoveTests {
  private typealias Door = ClubServices.Door

  private let world: NotesWorld
  private let workshop: PhotoWorkshop
  private let oslo, target, pier, quay, hill: StorePath

  init() throws {
    (world, workshop) = (try NotesWorld(), try PhotoWorkshop())
    (oslo, target) = (try StorePath("photos/oslo"), try StorePath("photos/norway/oslo"))
    (pier, quay) = (try StorePath("photos/oslo/pier.jpg"), try StorePath("photos/oslo/quay.jpg"))
    hill = try StorePath("photos/bergen/hill.jpg")
  }

  /// The texts of all files of a store, by path.
  private func texts(_ store: any FileStore) async throws -> [String: String] {
    var texts: [String: String] = [:]
    for entry in try await store.contents(of: .root) where entry.kind == .file {
      texts["\(entry.path)"] = String(decoding: try await store.readAll(entry.path).bytes, as: UTF8.self)
    }
    return texts
  }

  /// The store answers again, and gets all that waits but texts of these kinds.
  private func back(
    _ machine: CopyWorld, _ process: CopyWorld.Process?, leaves kinds: [WaitingText.Kind] = []
  ) async throws {
    guard let process, machine.server.isAway else { return }
    await machine.back(process)
    #expect(await process.notes.sendNames().isEmpty)
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(try await process.notes.waiting().map(\.kind) == kinds)
  }

  @Test(
    arguments: [WrittenVersionsTests.Place.memory, .folder, .webDAV], RemarkStoresTests.Front.allCases)
  func `captions, remarks, tours and doors follow an album to a new place, into the trash, and back`(
    place: WrittenVersionsTests.Place, front: RemarkStoresTests.Front
  ) async throws {
    let store = try await WrittenVersionsTests.store(place, world)
    for name in [
      "oslo/pier.jpg", "oslo/pier.jpg.md", "oslo/pier.jpg.json", "oslo/quay.jpg", "oslo/2024/boat.jpg", "oslo/map.txt",
      "bergen/hill.jpg",
    ] {
      _ = try await store.put(DataSource("of \(name)".utf8), at: try StorePath("photos/\(name)"), mode: .create)
    }
    let machine = try CopyWorld(store)
    defer { withExtendedLifetime(machine) {} }
    let process = front == .nothing ? nil : try machine.start()
    let notes = try process?.notes ?? world.service(store: store)
    let photos = try workshop.service(club: notes.club, notes: notes)
    try await notes.names { _ in }
    try await photos.list { _ in }
    _ = try await notes.say("Low tide.", .whole, about: pier)
    for end in [hill, quay] {
      _ = try await notes.addDoors(
        try Door(to: end, from: pier, yaw: 35, pitch: -2), in: pier,
        back: try Door(to: pier, from: end, yaw: 215, pitch: 2), in: end, id: TalkItem.newID)
    }
    try await photos.list { _ in }
    try await process?.copy.keepTexts()
    let first = try await texts(store)
    #expect(first.count == 10)

    machine.server.isAway = front == .awayCopy
    let moved = try await photos.moveAlbum(oslo, to: target)
    #expect(moved == FolderMoved(from: oslo, to: target, count: 8))
    if machine.server.isAway { #expect(try await texts(store) == first) }
    let (newPier, newQuay) = (target.descending(pier.name), target.descending(quay.name))
    #expect(photos.known.entry(at: newPier) != nil && photos.known.entry(at: pier) == nil)
    try await back(machine, process)
    let there = Dictionary(
      uniqueKeysWithValues: first.map { ($0.replacing("photos/oslo/", with: "photos/norway/oslo/"), $1) })
    let after = try await texts(store)
    #expect(after.keys.sorted() == there.keys.sorted())
    for (path, text) in there where !path.hasSuffix(".talk.md") { #expect(after[path] == text) }
    func check() async throws {
      #expect(try await notes.talk(about: newPier).remarks.map(\.text) == ["Low tide."])
      for (photo, ends) in [(newPier, [hill, newQuay]), (newQuay, [newPier]), (hill, [newPier])] {
        let doors = try await notes.talk(about: photo).doors
        #expect(doors.compactMap { $0.door.target(from: photo) } == ends)
      }
    }
    try await check()

    machine.server.isAway = front == .awayCopy
    let trashed = try await photos.trashAlbum(target)
    #expect(trashed.files.count == 8 && trashed.failure == nil && trashed.isLeft == machine.server.isAway)
    #expect(photos.known.entry(at: newPier) == nil)
    try await back(machine, process)
    let rest = ["photos/bergen/hill.jpg", "photos/bergen/hill.jpg.talk.md"]
    #expect(try await texts(store).keys.sorted() == rest)

    let restored = try await photos.restore(album: trashed)
    #expect(restored.files.count == 8 && restored.failure == nil)
    #expect(photos.known.entry(at: newPier) != nil)
    #expect(try await texts(store) == after)
    try await check()
  }

  @Test func `the photos folder stays, and an album goes neither into itself nor out of the photos folder`()
    async throws
  {
    let photos = try workshop.service()
    try await workshop.put("photos/oslo/pier.jpg", [1])
    for (from, to, kind) in [
      ("photos", "photos/a", StoreError.Kind.badInput), ("photos/oslo", "photos", .badInput),
      ("photos/oslo", "photos/oslo/a", .badInput), ("photos/oslo", "a", .badName), ("a", "photos/a", .badName),
      ("photos/none", "photos/a", .notFound),
    ] {
      let fault = await photoFault { _ = try await photos.moveAlbum(try StorePath(from), to: try StorePath(to)) }
      #expect(fault?.kind == kind, "\(from) to \(to): \(String(describing: fault))")
    }
    let photosFolder = try StorePath("photos")
    #expect(await photoFault { _ = try await photos.trashAlbum(photosFolder) }?.kind == .badInput)
    #expect(try await workshop.bytes("photos/oslo/pier.jpg") == [1])
  }

  @Test func `a caption that waits goes with its album, and makes none anew`() async throws {
    let machine = try CopyWorld()
    for name in ["oslo/pier.jpg", "oslo/quay.jpg"] { try await machine.put("of \(name)", at: "photos/\(name)") }
    let process = try machine.start()
    let photos = try workshop.service(club: process.notes.club, notes: process.notes)
    _ = try await process.names()
    try await photos.list { _ in }
    machine.server.isAway = true
    await process.copy.probe()
    let caption = try Caption.path(of: pier)
    _ = try await process.notes.save(caption, base: nil, text: bytes("At dusk."), draft: nil)
    #expect(try await photos.moveAlbum(oslo, to: target).to == target)
    let movedCaption = try Caption.path(of: target.descending(pier.name))
    #expect(try await process.notes.waiting().compactMap(\.path).contains(movedCaption))
    let trashed = try await photos.trashAlbum(target)
    #expect(trashed.files.count == 3)
    try await back(machine, process, leaves: [.discarded])
    #expect(try await machine.memory.contents(of: .root).allSatisfy { $0.kind == .folder })
  }
}
