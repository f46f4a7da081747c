import ClubServices
import FileStores
import TestKit
import Testing
import TextUI

@testable import Imaging
@testable import Screens

/// The photos over works that end in any order, between changes of the size of the terminal.
@Suite struct `The photos at rest` {
  /// The screen, and works as the loop and the performer do them.
  private struct Scene {
    private struct Work {
      let effect: PhotosEffect
      let key: String?
      var done = 0
      var isCancelled = false
    }

    /// In pixels; nil for a header that cannot be read.
    static let photos: [(name: String, size: PixelSize, isRead: Bool)] = [
      ("beach.jpg", PixelSize(width: 16, height: 8), true), ("door.jpg", PixelSize(width: 45, height: 80), true),
      ("fair.jpg", PixelSize(width: 120, height: 30), false), ("hill.jpg", PixelSize(width: 80, height: 60), true),
    ]

    private var state: PhotosState
    private var frame: Frame
    private var works: [Work] = []
    private var random: SeededNumbers
    private let count: Int

    init(_ count: Int, _ layout: PhotosLayout, seed: UInt64) {
      (self.count, random) = (count, SeededNumbers(seed))
      frame = Frame(
        size: Size(80, 24), abilities: TerminalAbilities(colors: .trueColor), keys: .standard, club: "home: ~/ByteClub")
      state = PhotosScreen.start(frame, downloadDirectory: "~", layout: layout)
      happen(.shown)
      happen(.listed(Samples.table(Self.photos.prefix(count).map(\.name), folder: "photos")))
    }

    private mutating func happen(_ action: PhotosAction) {
      for command in state.update(action, &frame) {
        switch command {
        case .run(let effect, let key):
          cancel(key)
          works.append(Work(effect: effect, key: key))
        case .cancel(let key): cancel(key)
        default: break
        }
      }
    }

    private mutating func cancel(_ key: String?) {
      guard let key else { return }
      for index in works.indices where works[index].key == key { works[index].isCancelled = true }
    }

    mutating func resize(_ size: Size) {
      frame.size = size
      happen(.resized)
    }

    /// A step of any work. A cancelled one may have something to say that is on its way already.
    mutating func step() {
      guard let index = works.indices.randomElement(using: &random) else { return }
      var work = works[index]
      let isLate = work.isCancelled && Bool.random(using: &random)
      switch work.effect {
      case .shapes(let paths) where !work.isCancelled || isLate:
        works.remove(at: index)
        happen(.shaped(Dictionary(uniqueKeysWithValues: paths.map { ($0, Self.shape(of: $0)) })))
      case .thumbnails(let paths, _, let columns, let rows, let boxes, let resolution)
      where work.done < paths.count && (!work.isCancelled || isLate):
        let path = paths[work.done]
        work.done += 1
        if work.isCancelled || work.done == paths.count { works.remove(at: index) } else { works[index] = work }
        guard let size = Self.photo(path)?.size else { return }
        let box = boxes[path] ?? Size(columns, rows)
        do {
          let pixels = Pixels(width: size.width, height: size.height, colour: 0x66AAEE)
          happen(
            .thumbnail(path, .success(try ShownPicture(pixels, columns: box.width, rows: box.height, in: resolution))))
        } catch {
          Issue.record("No thumbnail: \(error)")
        }
      default: works.remove(at: index)
      }
    }

    mutating func rest() { while !works.isEmpty { step() } }

    private static func photo(_ path: StorePath) -> (name: String, size: PixelSize, isRead: Bool)? {
      photos.first { path.name.elementsEqual($0.name.utf8) }
    }

    private static func shape(of path: StorePath) -> Float {
      guard let photo = photo(path), photo.isRead else { return GridLayout.unreadShape }
      return Float(photo.size.width) / Float(photo.size.height)
    }

    mutating func next() -> Int { random.below(6) }

    /// The places of the cells, and the sizes of the pictures in them.
    var sight: [String] {
      (0..<count).map { cell in
        let path = Samples.path("photos/\(Self.photos[cell].name)")
        guard case .picture(let picture)? = state.thumbnails[path] else { return "nothing" }
        let place = state.grid.map { " at \($0.layout.frame(of: cell))" } ?? ""
        return "\(path)\(place): \(picture.columns) x \(picture.rows)"
      }
    }
  }

  @Test(arguments: 1...4, [PhotosLayout.auto, .list])
  func `is the same after any order of shapes, pictures and sizes`(count: Int, layout: PhotosLayout) throws {
    var plain = Scene(count, layout, seed: 0)
    plain.rest()
    #expect(!plain.sight.contains("nothing"))
    for seed in 1...120 as ClosedRange<UInt64> {
      var scene = Scene(count, layout, seed: seed)
      let sizes = [Size(10, 3), Size(1, 1), Size(160, 50), Size(40, 12), Size(120, 40), Size(80, 24)]
      for _ in 0..<12 {
        scene.resize(sizes[scene.next()])
        for _ in 0..<scene.next() { scene.step() }
      }
      scene.resize(Size(80, 24))
      scene.rest()
      try #require(scene.sight == plain.sight, "seed \(seed)")
    }
  }
}
