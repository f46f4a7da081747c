import FileStores
import TestKit
import Testing

@testable import ClubServices
@testable import Imaging

@Suite struct `Walks in the club` {
  private let workshop: PhotoWorkshop
  private let world: NotesWorld
  private let service: PhotosService

  init() throws {
    (workshop, world) = (try PhotoWorkshop(), try NotesWorld())
    service = try workshop.service(notes: try world.service(store: workshop.store))
  }

  private func recorder() -> WalkRecorder {
    let header = PictureHeader(format: .jpeg, storedSize: PixelSize(width: 400, height: 200))
    var look = LookAround(PictureGeometry(header, as: .sphere), window: PixelSize(width: 80, height: 40))
    var recorder = WalkRecorder()
    for second in 0..<3 {
      recorder.add(second < 2 ? "a%20b.jpg" : "gone.jpg", look, atMilliseconds: Int64(second * 1000))
      look.turn(rightDegrees: 30, upDegrees: 0)
    }
    return recorder
  }

  @Test func `are kept under a free name, read again, and are news`() async throws {
    try await workshop.put("photos/a b.jpg", try PhotoWorkshop.jpeg())
    let first = try await service.keep(recorder(), title: "Around the pier")
    #expect("\(first.path)" == "photos/Around the pier.walk.json" && first.waiting == nil)
    #expect(
      "\(try await service.keep(recorder(), title: "Around the pier").path)" == "photos/Around the pier (2).walk.json")
    try await service.list { _ in }
    let open = try await service.walk(at: first.path)
    #expect(open.walk.title == "Around the pier" && open.walk.member == "ann")
    #expect(open.photos == [try StorePath("photos/a b.jpg"), nil])
    #expect(open.name(ofPhoto: 0) == "a b.jpg" && open.bringer == nil)
    let kinds = try await world.service(store: workshop.store).happenings().map(\.kind)
    #expect(kinds.contains(.walk("Around the pier")) && kinds.count == 3)
  }

  @Test(arguments: [("ann", nil), ("eve", "eve"), (nil, nil)] as [(String?, String?)])
  func `have their name compared with the author of the version`(author: String?, bringer: String?) async throws {
    let kept = try await service.keep(recorder(), title: "Around the pier")
    let signed = try workshop.service(
      store: SignedStore(base: workshop.store, author: author), notes: try world.service(store: workshop.store))
    #expect(try await signed.walk(at: kept.path).bringer == bringer)
  }

  @Test(arguments: ["", ".hidden", "a/b", "a\u{1B}b"])
  func `have titles that a file can have`(title: String) async {
    #expect(await photoFault { _ = try await service.keep(recorder(), title: title) }?.kind == .badName)
  }

  @Test func `of nothing are refused, and a damaged file says why`() async throws {
    #expect(await photoFault { _ = try await service.keep(WalkRecorder(), title: "x") }?.kind == .badInput)
    try await workshop.put("photos/x.walk.json", Array("{}".utf8))
    let path = try StorePath("photos/x.walk.json")
    let fault = await photoFault { _ = try await service.walk(at: path) }
    #expect(fault?.message == "\"photos/x.walk.json\" is not a walk that byteclub can play: it is no walk.")
    try await workshop.put("photos/x.walk.json", [UInt8](repeating: 0x20, count: Walk.mostBytes + 1))
    #expect(await photoFault { _ = try await service.walk(at: path) }?.kind == .tooLarge)
  }

  @Test func `have names of their own, whatever photos and folders are called`() async throws {
    let jpeg = try PhotoWorkshop.jpeg()
    for name in ["Pier.walk.jpg", "quay.jpg"] { try await workshop.put("photos/\(name)", jpeg) }
    try await workshop.put("photos/Quay.walk.json/inside.txt", [1])
    // A folder has the name.
    #expect("\(try await service.keep(recorder(), title: "Quay").path)" == "photos/Quay (2).walk.json")
    let walk = try await service.keep(recorder(), title: "Pier").path
    #expect("\(walk)" == "photos/Pier.walk.json")
    #expect("\(try await service.keep(recorder(), title: "Pier.walk.jpg").path)" == "photos/Pier.walk.jpg.walk.json")
    var listed: [String] = []
    try await service.list { listed += $0.map { "\($0.path)" } }
    #expect(listed.sorted() == ["photos/Pier.walk.jpg", "photos/quay.jpg"])
    let news = try await world.service(store: workshop.store).happenings()
    func kinds(_ path: String) -> [Happening.Kind] { news.filter { "\($0.thing)" == path }.map(\.kind) }
    #expect(kinds("photos/Pier.walk.jpg") == [.file] && kinds("photos/Pier.walk.json") == [.walk("Pier")])
    #expect(kinds("photos/Quay.walk.json").isEmpty)
    // The walk is no tour of the photo, and the photo no walk.
    #expect(try await service.tour(of: StorePath("photos/Pier.walk.jpg")) == nil)
    #expect(await photoFault { _ = try await service.walk(at: StorePath("photos/Pier.walk.jpg")) }?.kind == .corrupt)
    #expect(
      await photoFault { _ = try await service.rename(StorePath("photos/quay.jpg"), to: "Pier.walk.json") } != nil)
    let renamed = try await service.rename(StorePath("photos/quay.jpg"), to: "Pier (2).walk.jpg")
    #expect(try await service.tour(of: renamed.path) == nil)
    #expect(try await service.walk(at: walk).walk.title == "Pier")
    #expect("\(try await service.keep(recorder(), title: "Pier").path)" == "photos/Pier (2).walk.json")
    #expect(try await service.tour(of: renamed.path) == nil)
  }

  @Test func `lead to no file outside the photos`() async throws {
    let text = #"{"version":1,"title":"t","member":"eve","photos":["../../etc/x.jpg","../note.md","/x.jpg"],"#
    try await workshop.put("photos/x.walk.json", Array((text + #""views":[[0,0,0,0,90]]}"#).utf8))
    #expect(try await service.walk(at: StorePath("photos/x.walk.json")).photos == [nil, nil, nil])
  }
}

/// A store that knows who wrote each file, always the same member.
private struct SignedStore: StoreAround {
  let base: any FileStore
  let author: String?

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let entry = try await base.read(path, options, receive)
    return FileEntry(path: entry.path, kind: .file, size: entry.size, revision: entry.revision, member: author)
  }
}
