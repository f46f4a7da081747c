import FileStores
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Talk files at every kind of store.
@Suite struct RemarkStoresTests {
  typealias Place = WrittenVersionsTests.Place

  /// The layer between the services and the store. With `awayCopy` the store does not answer during the renames.
  enum Front: CaseIterable { case nothing, copy, awayCopy }

  private static let places: [Place] = [
    .memory, .memoryWithVersions, .folder, .folderWithVersions, .webDAV, .bucket, .bucketWithVersions,
  ]

  private let world: NotesWorld
  private let walk: StorePath

  init() throws {
    world = try NotesWorld()
    walk = try StorePath("walk.md")
  }

  @Test(arguments: places, Front.allCases)
  func `remarks follow their note and photo to a new name, into the trash, and back`(
    place: Place, front: Front
  ) async throws {
    try await follow(try await WrittenVersionsTests.store(place, world), front: front)
  }

  @Test(
    .enabled(if: ServedProgram.path != nil, "byteclub-serve is not built"), .servedByProgram,
    arguments: [Place.dropbox, .dropboxV1], Front.allCases)
  func `remarks follow their note and photo to a new name, into the trash, and back over byteclub's own server`(
    place: Place, front: Front
  ) async throws {
    try await follow(try await WrittenVersionsTests.store(place, world), front: front)
  }

  @Test(arguments: places)
  func `two hundred remarks by four members at once, two of them offline at first, are there once each`(
    place: Place
  ) async throws {
    try await sayTogether(try await WrittenVersionsTests.store(place, world))
  }

  @Test(
    .enabled(if: ServedProgram.path != nil, "byteclub-serve is not built"), .servedByProgram,
    arguments: [Place.dropbox, .dropboxV1])
  func `two hundred remarks by four members at once over byteclub's own server are there once each`(
    place: Place
  ) async throws {
    try await sayTogether(try await WrittenVersionsTests.store(place, world))
  }

  private func follow(_ store: any FileStore, front: Front) async throws {
    let pier = try StorePath("photos/pier.jpg")
    for path in ["walk.md", "walk.md.txt", "photos/pier.jpg", "photos/pier.jpg.md", "photos/pier.jpg.png"] {
      _ = try await store.put(DataSource("of \(path)".utf8), at: try StorePath(path), mode: .create)
    }
    let machine = try CopyWorld(store)
    let process = front == .nothing ? nil : try machine.start()
    let notes = try process?.notes ?? world.service(store: store)
    let workshop = try PhotoWorkshop()
    defer { withExtendedLifetime((machine, workshop)) {} }
    let photos = try workshop.service(store: process?.store ?? store)
    try await notes.names { _ in }
    try await photos.list { _ in }
    for thing in [walk, pier] { _ = try await notes.say("About \(thing).", .whole, about: thing) }
    let first = try await texts(store)
    #expect(first.count == 7 && first["walk.md.talk.md"] != nil && first["photos/pier.jpg.talk.md"] != nil)

    machine.server.isAway = front == .awayCopy
    let tour = try await notes.rename(walk, to: "tour.md").path
    let mole = try await photos.rename(pier, to: "mole.jpg").path
    if machine.server.isAway {
      #expect(try await texts(store) == first)
      machine.server.isAway = false
      process?.connection.observe(.answered)
      #expect(await notes.sendNames().isEmpty)
    }
    let others = ["walk.md.txt", "photos/pier.jpg.png"]
    var renamed: [String: String] = [:]
    for (path, text) in first {
      let new = path.replacing("walk", with: "tour").replacing("pier", with: "mole")
      renamed[others.contains(path) ? path : new] = text
    }
    #expect(try await texts(store) == renamed)

    let (note, photo) = (try await notes.trash(tour).id, try await photos.trash(mole).id)
    #expect(try await texts(store).keys.sorted() == others.sorted())

    #expect(try await notes.restore(note).path == tour)
    #expect(try await photos.restore(photo).path == mole)
    #expect(try await texts(store) == renamed)
    #expect(try await notes.talk(about: tour).remarks.map(\.text) == ["About walk.md."])
    #expect(try await notes.talk(about: mole).remarks.map(\.text) == ["About photos/pier.jpg."])
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

  /// Each member has a name, an outbox and a local copy of its own.
  private func sayTogether(_ store: any FileStore) async throws {
    _ = try await store.put(DataSource("a".utf8), at: walk, mode: .create)
    let watched = WatchedPuts(store)
    let names = ["ann", "ben", "eve", "ray"]
    let machines = try names.map { _ in try CopyWorld(watched) }
    defer { withExtendedLifetime(machines) {} }
    let members = try zip(machines, names).map { try $0.start(member: $1) }
    for member in members { _ = try await member.names() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, (machine, member)) in zip(machines, members).enumerated() {
        group.addTask { [walk] in
          var random = SystemRandomNumberGenerator()
          machine.server.isAway = number > 1
          for remark in 0..<50 {
            if remark == 25, number > 1 {
              #expect(try await member.notes.unsent().count == 25)
              await machine.back(member)
              try await member.notes.sendAll(conflicts: false) { _, _ in }
            }
            _ = try await member.notes.say("\(remark)", .whole, about: walk) { TalkItem.newID(using: &random) }
          }
        }
      }
      try await group.waitForAll()
    }
    for member in members {
      try await member.notes.sendAll(conflicts: false) { _, _ in }
      #expect(try await member.notes.unsent().isEmpty)
    }
    let path = try Talk.path(of: walk)
    let talk = Talk(try await store.readAll(path, limit: Talk.mostBytes).bytes)
    #expect(
      talk.remarks.map { "\($0.member) \($0.text)" }.sorted()
        == names.flatMap { name in (0..<50).map { "\(name) \($0)" } }.sorted())
    #expect(Set(talk.remarks.map(\.id)).count == 200 && talk.strange.isEmpty)
    watched.checkAdditions(at: path)
  }
}

/// Notes each put that went well, with its bytes.
private final class WatchedPuts: StoreAround {
  let base: any FileStore
  private let puts = Mutex<[(path: StorePath, mode: WriteMode, bytes: [UInt8])]>([])

  init(_ base: any FileStore) { self.base = base }

  var capabilities: Capabilities { base.capabilities }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    var reading = try await source.open(at: 0)
    var bytes: [UInt8] = []
    while let chunk = try await reading.next() { bytes += chunk }
    let entry = try await base.put(source, at: path, mode: mode)
    let put = (path, mode, bytes)
    puts.withLock { $0.append(put) }
    return entry
  }

  /// One put makes the file, and no put is without a condition; each other one begins with the bytes of all that are shorter.
  func checkAdditions(at path: StorePath) {
    let puts = puts.withLock { $0 }.filter { $0.path == path }
    #expect(!puts.contains { $0.mode == .overwrite })
    #expect(puts.count { $0.mode == .create } == 1)
    let texts = puts.map(\.bytes).sorted { $0.count < $1.count }
    for (old, new) in zip(texts, texts.dropFirst()) {
      #expect(new.count > old.count && new.starts(with: old))
    }
  }
}
