import Backends
import ClubServices
import Database
import Decoding
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing
import TextUI

@testable import Screens
@testable import byteclub

/// The performers over a store each of whose calls fails twice before it succeeds: what is asked for once comes by
/// itself.
@Suite struct TryingAgainTests {
  private final class Scene: Sendable {
    private struct NoDesktop: DesktopOpener {
      func open(_ path: StorePath) async throws(StoreError) -> String { "" }
      func open(address: String) async throws(StoreError) -> String { "" }
      func open(file: String) async throws(StoreError) -> String { "" }
    }

    let clock = ManualClock(advancesOnSleep: true)
    let folder: String
    let notes: NotesPerformer
    let photos: PhotosPerformer

    init() async throws {
      folder = TemporaryFolder.newPath()
      let root = folder + "/Club"
      try FileManager.default.createDirectory(atPath: root + "/photos", withIntermediateDirectories: true)
      try Data("the text".utf8).write(to: URL(filePath: root + "/a.md"))
      for name in ["1", "2", "3"] {
        try Data(SamplePicture.jpeg).write(to: URL(filePath: "\(root)/photos/\(name).jpg"))
      }
      let setup = try ClubSetup(StartOptions(folder: root), environment: Environment(["HOME": folder]))
      let open = try OpenClub(setup)
      let club = Club(
        name: "home", place: root, memberName: { "ray" }, store: FaultyStore(open.club.store, seed: 1, share: 1),
        photosFolder: try StorePath("photos"))
      notes = NotesPerformer(
        service: NotesService(
          club: club, outbox: try OutboxDatabase(path: folder + "/outbox"), drafts: open.drafts,
          folderAt: { path throws(StoreError) in try FolderStore(root: path, pool: setup.pool) },
          editsDirectory: folder + "/edits"),
        journal: open.drafts, editor: { ExternalProgram([$0]) }, desktop: NoDesktop(), clock: clock)
      photos = PhotosPerformer(
        service: PhotosService(
          club: club,
          thumbnails: ThumbnailCache(
            directory: folder + "/cache", catalogue: try CatalogueDatabase(path: ":memory:"), pool: setup.pool),
          transfers: open.transfers, storeWord: "folder:", pool: setup.pool,
          decoder: InProcessDecoder(pool: setup.pool)),
        files: MemberFiles(home: folder), desktop: NoDesktop(), photosFolder: try StorePath("photos"), clock: clock)
    }

    deinit { removeFolder(folder) }

    /// The reports, shortened.
    func perform(_ effect: NotesEffect) async -> [String] {
      let told = Mutex<[String]>([])
      await notes.perform(
        effect,
        Sender { action, _ in
          let word =
            switch action {
            case .failed(_, let error): "failed, again in \(error.retryAfter.map { "\($0)" } ?? "no time")"
            case .opened(let note, _, _): String(decoding: note.bytes, as: UTF8.self)
            default: "\(action)"
            }
          told.withLock { $0.append(word) }
        })
      return told.withLock { $0 }
    }

    func perform(_ effect: PhotosEffect) async -> [String] {
      let told = Mutex<[String]>([])
      await photos.perform(
        effect,
        Sender { action, _ in
          let word: String? =
            switch action {
            case .thumbnail(let path, .success): "\(path)"
            case .thumbnail(let path, .failure): "no \(path)"
            case .viewed(_, _, _, _, let isWhole, _): isWhole ? "whole" : "coarse"
            case .failed(_, let error): "failed, again in \(error.retryAfter.map { "\($0)" } ?? "no time")"
            default: nil
            }
          if let word { told.withLock { $0.append(word) } }
        })
      return told.withLock { $0 }
    }
  }

  /// Pauses that double from a second on, up to half a minute.
  private func grows(_ pauses: [Duration]) -> Bool {
    !pauses.isEmpty && pauses == pauses.indices.map { .seconds(min(30, 1 << min($0, 5))) }
  }

  @Test func `a note is read when its store has recovered`() async throws {
    let scene = try await Scene()
    let told = await scene.perform(.open(try StorePath("a.md"), .read))
    #expect(told.last == "the text" && told.first == "failed, again in 1.0 seconds")
    #expect(grows(scene.clock.slept) && scene.clock.slept.count == told.count - 1)
  }

  @Test func `a photo is shown when its store has recovered`() async throws {
    let scene = try await Scene()
    let told = await scene.perform(.view(try StorePath("photos/1.jpg"), onDisk: nil))
    #expect(told.last == "whole" && told.first == "failed, again in 1.0 seconds")
    #expect(grows(scene.clock.slept))
  }

  @Test func `thumbnails that failed are tried again together, after one pause for all`() async throws {
    let scene = try await Scene()
    let paths = try ["1", "2", "3"].map { try StorePath("photos/\($0).jpg") }
    let told = await scene.perform(.thumbnails(paths, columns: 24, rows: 3))
    #expect(Array(told.prefix(3)) == ["no photos/1.jpg", "no photos/2.jpg", "no photos/3.jpg"])
    #expect(Set(told.filter { !$0.hasPrefix("no") }) == ["photos/1.jpg", "photos/2.jpg", "photos/3.jpg"])
    #expect(grows(scene.clock.slept) && scene.clock.slept.count < told.count - 3)
  }

  @Test func `thumbnails that failed before are not asked for before a pause`() async throws {
    let scene = try await Scene()
    let told = await scene.perform(.thumbnails([], failed: [try StorePath("photos/1.jpg")], columns: 24, rows: 3))
    #expect(told.last == "photos/1.jpg")
    #expect(scene.clock.slept.count == told.count)
  }
}
