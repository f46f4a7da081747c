import FileStores
import Imaging
import Synchronization
import TestKit
import Testing

@testable import ClubServices

@Suite struct `Small copies that the store makes` {
  let workshop: PhotoWorkshop
  let service: PhotosService
  let copies: ScriptedCopies

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
    copies = ScriptedCopies(workshop.store)
    workshop.store.make(copies)
  }

  private func put(_ names: String...) async throws -> [StorePath] {
    var paths: [StorePath] = []
    for (number, name) in names.enumerated() {
      let bytes = try name.hasSuffix("md") ? Array("no picture".utf8) : PhotoWorkshop.jpeg(blue: UInt32(20 * number))
      paths.append(try await workshop.put("photos/\(name)", bytes).path)
    }
    return paths
  }

  /// What each path got: the width, or why not.
  private func widths(
    _ paths: [StorePath], box: Int = 90, by service: PhotosService? = nil
  ) async -> [StorePath: Result<Int, StoreError>] {
    var got: [StorePath: Result<Int, StoreError>] = [:]
    await (service ?? self.service).thumbnails(of: paths, maxWidth: box, maxHeight: box) { path, result in
      got[path] = result.map(\.width)
    }
    return got
  }

  @Test func `are asked for together, and no photo is read`() async throws {
    let paths = try await put("a.jpg", "b.jpg", "c.jpg", "d.jpg")
    let got = await widths(paths)
    #expect(got.count == 4 && got.values.allSatisfy { (try? $0.get()) == 90 })
    #expect(copies.asked == [["photos/a.jpg", "photos/b.jpg", "photos/c.jpg"], ["photos/d.jpg"]])
    #expect(workshop.store.reads == 0)
  }

  @Test func `of listed photos cost no look-up`() async throws {
    let paths = try await put("a.jpg", "b.jpg", "c.md", "d.jpg")
    try await service.list { _ in }
    let got = await widths([paths[0], paths[1], paths[3]])
    #expect(got.count == 3 && got.values.allSatisfy { (try? $0.get()) == 90 })
    #expect(workshop.store.looks == copies.looks)
  }

  @Test func `of a photo that has changed since it was listed are those of the new one`() async throws {
    let paths = try await put("a.jpg")
    try await service.list { _ in }
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg(blue: 200))
    copies.refuse(["photos/a.jpg": .unsupported])
    #expect(try await widths(paths)[paths[0]]?.get() == 90)
  }

  @Test func `are asked for in as many questions at once as the store takes, and come as they are answered`()
    async throws
  {
    let paths = try await put("a.jpg", "b.jpg", "c.jpg", "d.jpg")
    let latch = Gate()
    copies.hold(1, questions: 3) { path in if path == "photos/a.jpg" { await latch.wait() } }
    let came = Mutex<[StorePath]>([])
    let service = service
    let task = Task {
      await service.thumbnails(of: paths, maxWidth: 90, maxHeight: 90) { path, _ in came.withLock { $0.append(path) } }
    }
    // The first question is not answered, and the others go on beside it.
    while came.withLock({ $0.count }) < 3 { await Task.yield() }
    latch.open()
    await task.value
    #expect(came.withLock { Set($0) } == Set(paths) && came.withLock { $0.last } == paths[0])
  }

  @Test func `are kept, also for the next process`() async throws {
    let paths = try await put("a.jpg")
    _ = await widths(paths)
    _ = await widths(paths)
    _ = await widths(paths, by: try workshop.service())
    #expect(copies.asked.count == 1 && workshop.store.reads == 0)
    // Another content is asked for anew.
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg(blue: 200))
    _ = await widths(paths)
    #expect(copies.asked.count == 2)
  }

  @Test func `are made of the photo where the store makes none`() async throws {
    let paths = try await put("a.jpg", "b.jpg")
    copies.refuse(["photos/b.jpg": .unsupported])
    let got = await widths(paths)
    #expect(got.values.allSatisfy { (try? $0.get()) == 90 } && got.count == 2)
    #expect(workshop.store.reads == 1)
  }

  @Test func `are made of the photos from then on, when the server does not know the call`() async throws {
    let paths = try await put("a.jpg", "b.jpg")
    copies.refuse(["": .unsupported])
    #expect(await widths(paths).values.allSatisfy { (try? $0.get()) == 90 })
    let more = try await put("c.jpg")
    _ = await widths(more)
    #expect(copies.asked.count == 1 && workshop.store.reads == 3)
  }

  @Test func `fail one by one, and no photo is read for it`() async throws {
    let paths = try await put("a.jpg", "b.jpg") + [StorePath("photos/gone.jpg")]
    copies.refuse(["photos/b.jpg": .offline])
    let got = await widths(paths)
    #expect((try? got[paths[0]]?.get()) == 90)
    #expect(kind(got[paths[1]]) == .offline && kind(got[paths[2]]) == .notFound)
    #expect(workshop.store.reads == 0)
  }

  @Test func `are not asked for where larger ones are wanted than the store makes`() async throws {
    let paths = try await put("a.jpg")
    _ = await widths(paths, box: 600)
    #expect(copies.asked.isEmpty && workshop.store.reads == 1)
  }

  @Test func `serve a single thumbnail, too`() async throws {
    let paths = try await put("a.jpg")
    let entry = try await service.entry(at: paths[0])
    #expect(try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90).width == 90)
    #expect(copies.asked == [["photos/a.jpg"]] && workshop.store.reads == 0)
  }

  private func kind(_ result: Result<Int, StoreError>?) -> StoreError.Kind? {
    if case .failure(let error)? = result { error.kind } else { nil }
  }
}

/// Makes small copies, at most three a question, as a server would.
final class ScriptedCopies: StoreThumbnails {
  /// It holds this.
  private unowned let store: WatchedPhotoStore
  private let state = Mutex((asked: [[String]](), refused: [String: StoreError.Kind]()))

  init(_ store: WatchedPhotoStore) { self.store = store }

  private let manner = Mutex<(batch: Int, questions: Int, hold: (@Sendable (String) async -> Void)?)>((3, 1, nil))
  private let count = Mutex(0)

  var batchFiles: Int { manner.withLock { $0.batch } }
  var questionsAtOnce: Int { manner.withLock { $0.questions } }
  /// Look-ups that making copies took.
  var looks: Int { count.withLock { $0 } }
  /// So many photos a question, so many questions at once, each of which waits for `body`.
  func hold(_ batch: Int, questions: Int, _ body: @escaping @Sendable (String) async -> Void) {
    manner.withLock { $0 = (batch, questions, body) }
  }
  var largestSide: Int { 512 }
  var asked: [[String]] { state.withLock { $0.asked } }
  /// What is refused, by path; "" refuses the whole call.
  func refuse(_ refused: [String: StoreError.Kind]) { state.withLock { $0.refused = refused } }

  func thumbnails(
    of paths: [StorePath], side: Int
  ) async throws(StoreError) -> [Result<StoreThumbnail, StoreError>] {
    let refused = state.withLock { state in
      state.asked.append(paths.map(\.description))
      return state.refused
    }
    let hold = manner.withLock { $0.hold }
    for path in paths { await hold?(path.description) }
    if let kind = refused[""] { throw StoreError(kind, "No.") }
    var results: [Result<StoreThumbnail, StoreError>] = []
    for path in paths {
      if let kind = refused[path.description] {
        results.append(.failure(StoreError(kind, "No copy of it.", path: path)))
        continue
      }
      do throws(StoreError) {
        let bytes = try await store.base.readAll(path).bytes
        count.withLock { $0 += 1 }
        let entry = try await store.entry(at: path)
        guard let small = try? Thumbnail.make(bytes, maxEdge: side),
          let jpeg = try? Encoder.jpeg(small.pixels, quality: 85)
        else {
          throw StoreError(.unsupported, "No picture.", path: path)
        }
        results.append(.success(StoreThumbnail(of: entry, bytes: jpeg)))
      } catch {
        results.append(.failure(error))
      }
    }
    return results
  }
}
