import ClubServices
import Database
import Decoding
import FileStores
import Foundation
import Imaging
import Synchronization
import TestKit
import Testing
import TextUI

@testable import Screens
@testable import byteclub

/// Effects of the viewer and the grid, over a club in a folder.
@Suite struct PanoramaEffectTests {
  private final class Scene: Sendable {
    private struct NoDesktop: DesktopOpener {
      func open(_ path: StorePath) async throws(StoreError) -> String { "" }
      func open(address: String) async throws(StoreError) -> String { "" }
      func open(file: String) async throws(StoreError) -> String { "" }
    }

    let folder: String
    let root: String
    let photos: PhotosPerformer
    let notes: NotesService
    let memory: PhotosMemory

    init() throws {
      folder = TemporaryFolder.newPath()
      root = folder + "/Club"
      try FileManager.default.createDirectory(atPath: root + "/photos", withIntermediateDirectories: true)
      for (name, width, isSphere) in [("1.jpg", 400, true), ("2.jpg", 800, false), ("3.jpg", 250, false)] {
        var jpeg = try Encoder.jpeg(Pixels(width: width, height: 200, colour: 0x336699), quality: 80)
        if isSphere {
          var facts = PanoramaFacts()
          facts.projection = "equirectangular"
          facts.fullSize = PixelSize(width: width, height: 200)
          jpeg = Encoder.marked(jpeg, as: facts)
        }
        try Data(jpeg).write(to: URL(filePath: "\(root)/photos/\(name)"))
      }
      let setup = try ClubSetup(StartOptions(folder: root), environment: Environment(["HOME": folder]))
      let open = try OpenClub(setup)
      let memory = PhotosMemory(state: folder + "/state", club: root)
      self.memory = memory
      notes = open.notes
      photos = PhotosPerformer(
        service: PhotosService(
          club: open.club,
          thumbnails: ThumbnailCache(
            directory: folder + "/cache", catalogue: try CatalogueDatabase(path: ":memory:"), pool: setup.pool),
          transfers: open.transfers, storeWord: "folder:", pool: setup.pool,
          decoder: InProcessDecoder(pool: setup.pool)),
        files: MemberFiles(home: folder), desktop: NoDesktop(), photosFolder: try StorePath("photos"),
        kinds: KindMemory(kind: { memory.kind($0) }, keep: { memory.remember($0, $1) }))
    }

    deinit { removeFolder(folder) }

    func perform(_ effect: PhotosEffect) async -> [String] {
      let told = Mutex<[String]>([])
      await photos.perform(
        effect,
        Sender { action, _ in
          let word: String? =
            switch action {
            case .toured(let path, .success(let tour)): "tour of \(path): \(tour.marks.map(\.label))"
            case .toured(let path, .failure(let error)): "no tour of \(path): \(error.kind)"
            case .viewed(_, _, let full, _, let isWhole, let kind):
              "\(isWhole ? "whole" : "coarse") \(full.width) \(kind.map(\.rawValue) ?? "as guessed")"
            case .ready(let path, let photo): "ready \(path) \(photo.full.width) \(photo.pyramid.size.width)"
            case .kindFound(let path, let kind): "\(path) is \(kind)"
            case .shaped(let shapes):
              "shapes " + shapes.sorted { $0.key < $1.key }.map { "\($0.value)" }.joined(separator: " ")
            default: nil
            }
          if let word { told.withLock { $0.append(word) } }
        })
      return told.withLock { $0 }
    }
  }

  private let first = StorePath.root.descending(Array("photos/1.jpg".utf8)[...])
  private let second = StorePath.root.descending(Array("photos/2.jpg".utf8)[...])
  private let third = StorePath.root.descending(Array("photos/3.jpg".utf8)[...])

  @Test func `the tour comes before the photo, and a broken one leaves the photo`() async throws {
    let scene = try Scene()
    let file = URL(filePath: scene.root + "/photos/1.json")
    try Data(#"{"hotSpots":[{"yaw":1,"pitch":2,"text":"Here"}]}"#.utf8).write(to: file)
    #expect(
      await scene.perform(.view(first, onDisk: nil)) == [
        "tour of photos/1.jpg: [\"Here\"]", "whole 400 as guessed",
      ])
    try Data("{".utf8).write(to: file)
    #expect(
      await scene.perform(.view(first, onDisk: nil)) == ["no tour of photos/1.jpg: corrupt", "whole 400 as guessed"])
  }

  @Test func `a chosen kind is there at the next view, and not for another content`() async throws {
    let scene = try Scene()
    _ = await scene.perform(.keepKind(.cylinder, of: second))
    #expect(await scene.perform(.view(second, onDisk: nil)) == ["whole 800 cylinder"])
    #expect(await scene.perform(.kinds([second])) == ["photos/2.jpg is cylinder"])
    let other = try Encoder.jpeg(Pixels(width: 300, height: 100, colour: 0x445566), quality: 80)
    try Data(other).write(to: URL(filePath: scene.root + "/photos/2.jpg"))
    #expect(await scene.perform(.view(second, onDisk: nil)) == ["whole 300 as guessed"])
  }

  @Test func `neighbours are made ready, and one that is gone is left out`() async throws {
    let scene = try Scene()
    try FileManager.default.removeItem(atPath: scene.root + "/photos/3.jpg")
    #expect(
      await scene.perform(.prefetch([third, second, first])) == [
        "ready photos/2.jpg 800 800", "ready photos/1.jpg 400 400",
      ])
  }

  @Test func `kinds are found in the photos' first bytes`() async throws {
    let scene = try Scene()
    #expect(
      await scene.perform(.kinds([first, second, third])) == [
        "photos/1.jpg is sphere", "photos/2.jpg is sweep", "photos/3.jpg is flat",
      ])
  }

  @Test func `shapes are found in the photos' first bytes, and a photo without them has none`() async throws {
    let scene = try Scene()
    try Data("no picture".utf8).write(to: URL(filePath: "\(scene.root)/photos/4.jpg"))
    let paths = [first, second, third, try StorePath("photos/4.jpg"), try StorePath("photos/none.jpg")]
    #expect(await scene.perform(.shapes(paths)) == ["shapes 2.0 4.0 1.25 nan nan"])
  }

  @Test func `a cancelled look at shapes says nothing`() async throws {
    let scene = try Scene()
    let told = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await scene.perform(.shapes([first, second]))
    }.value
    #expect(told == [])
  }

  @Test func `photos and albums go into an album, and back`() async throws {
    let scene = try Scene()
    let (album, target) = (try StorePath("photos/oslo"), try StorePath("photos/trips/oslo"))
    func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(scene.root)/photos/\(name)") }
    _ = await scene.perform(.files(.move([first], to: album)))
    #expect(isThere("oslo/1.jpg") && !isThere("1.jpg"))
    _ = await scene.perform(.files(.moveFolder(album, to: target)))
    #expect(isThere("trips/oslo/1.jpg") && !isThere("oslo"))
    let moved = FolderMoved(from: album, to: target, count: 1)
    _ = await scene.perform(.files(.undo(.moveFolder(moved))))
    #expect(isThere("oslo/1.jpg") && !isThere("trips/oslo"))
  }

  @Test func `one list of all notes is remembered across starts, for each club`() throws {
    let scene = try Scene()
    OrderMemory(state: scene.folder + "/state", club: scene.root).remember(isFlat: true, of: "notes")
    let later = OrderMemory(state: scene.folder + "/state", club: scene.root)
    #expect(later.isFlat("notes") && !later.isFlat("photos") && later.order(of: "notes") == ListOrder())
    #expect(!OrderMemory(state: scene.folder + "/state", club: "elsewhere").isFlat("notes"))
  }

  @Test func `the choices for the grid are remembered across starts`() throws {
    let scene = try Scene()
    #expect(scene.memory.grid == GridChoice())
    let choice = GridChoice(text: "size -3 heads off preview on")
    scene.memory.remember(choice)
    #expect(PhotosMemory(state: scene.folder + "/state", club: scene.root).grid == choice)
    #expect(PhotosMemory(state: scene.folder + "/state", club: "elsewhere").grid == GridChoice())
  }

  @Test func `layout and kinds are remembered across starts, the latest of many`() throws {
    let scene = try Scene()
    #expect(scene.memory.layout == .auto && scene.memory.kind(["a"]) == nil)
    scene.memory.remember(.list)
    for start in stride(from: 0, to: 1100, by: 100) {
      scene.memory.remember(.sphere, (start..<start + 100).map { "photo \($0)" })
    }
    scene.memory.remember(.flat, ["photo 1099", "another word"])
    let later = PhotosMemory(state: scene.folder + "/state", club: scene.root)
    #expect(later.layout == .list && later.kind(["another word"]) == .flat && later.kind(["photo 1099"]) == .flat)
    #expect(later.kind(["photo 500"]) == .sphere && later.kind(["photo 3"]) == nil)
    let other = PhotosMemory(state: scene.folder + "/state", club: "elsewhere")
    #expect(other.layout == .auto && other.kind(["photo 500"]) == nil)
  }

  @Test func `the copies of photos on this machine are remembered across starts, the newest of many`() throws {
    let scene = try Scene()
    let copies = try (0..<600).map { number in
      let entry = FileEntry(
        path: try StorePath([0x70, 0x2F, 0xFF] + Array("\(number)".utf8)), kind: .file, size: UInt64(number),
        modified: Timestamp(seconds: Int64(number)), revision: Revision("r\(number)"),
        contentHash: ContentHash(of: [UInt8(number % 256)]))
      return DiskCopy(entry: entry, file: "/home/ray/\"\n\(number).jpg")
    }
    scene.memory.remember(copies)
    let later = PhotosMemory(state: scene.folder + "/state", club: scene.root)
    #expect(later.copies == copies.suffix(500).reversed())
    let moved = DiskCopy(entry: try #require(copies.last).entry, file: "/elsewhere/a.jpg")
    later.add([moved])
    #expect(scene.memory.copies.first == moved && scene.memory.copies.count == 500)
    later.remember([])
    #expect(scene.memory.copies.isEmpty)
    #expect(PhotosMemory(state: scene.folder + "/state", club: "elsewhere").copies.isEmpty)
  }

  @Test func `the wall gets a photo with its kind and its words, and the reason why another is none`() async throws {
    let scene = try Scene()
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(filePath: "\(scene.root)/photos/\(name)"))
    }
    try write("At low tide\n", "1.jpg.md")
    try write("- **ann** 2026-11-26 18:04Z k3f9q2xa: That is the vice.\n", "1.jpg.talk.md")
    try write("no picture at all", "4.jpg")
    let wall = WallPerformer(photos: scene.photos, notes: scene.notes)
    let silent = Sender<WallAction> { _, _ in }
    let path = try StorePath("photos/1.jpg")
    let action = try await wall.answer(to: .read([path], isFine: false), silent)
    guard case .read(let photo)? = action else {
      Issue.record("no photo was read: \(String(describing: action))")
      return
    }
    #expect(photo.path == path && photo.photo.full.width == 400 && photo.words.caption == "At low tide")
    #expect(photo.words.remarks == ["ann: That is the vice."])
    await #expect(throws: StoreError.self) {
      _ = try await wall.answer(to: .read([try StorePath("photos/4.jpg")], isFine: true), silent)
    }
  }
}
