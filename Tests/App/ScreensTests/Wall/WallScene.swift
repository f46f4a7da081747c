import ClubServices
import FileStores
import TextUI

@testable import Imaging
@testable import Screens

extension Samples {
  /// A photo as the wall gets it; a sphere by its name.
  static func wallPhoto(_ path: StorePath, words: WallWords = WallWords()) throws -> WallPhoto {
    let name = String(decoding: path.name, as: UTF8.self)
    let header: PictureHeader
    if name.hasPrefix("sphere") {
      header = sphereHeader()
    } else {
      let size = name.hasPrefix("sweep") ? PixelSize(width: 4000, height: 400) : PixelSize(width: 320, height: 240)
      header = PictureHeader(format: .jpeg, storedSize: size)
    }
    let scale = max(1, header.size.width / 400)
    let pixels = panorama(width: header.size.width / scale, height: header.size.height / scale)
    return WallPhoto(path, ReadyPhoto(try pyramid(pixels), full: header.size, header: header), words: words)
  }

  static var wallWords: WallWords {
    var words = WallWords()
    (words.member, words.caption) = ("mia", "Low tide at the old pier, seen from the quay")
    words.remarks = ["ray: That is the vice.", "ann: Two metres at high tide."]
    return words
  }
}

extension Robot {
  /// The wall over the tab of photos; the first photo is in sight, the second one is read.
  convenience init(
    wall photos: [String], size: Size = Size(80, 24),
    abilities: TerminalAbilities = TerminalAbilities(colors: .trueColor),
    keys: KeyTable = .standard, reducedMotion: Bool = false, words: WallWords = Samples.wallWords
  ) {
    self.init(photos: photos, size: size, abilities: abilities, keys: keys, reducedMotion: reducedMotion)
    happen(.photos(.command(.photosWall)))
    showOnWall(photos.sorted()[0], words: words)
    take()
  }

  var wall: WallState? { state.wall }

  /// The name of the photo in sight.
  var wallName: String? { wall?.viewer.map { String(decoding: $0.path.name, as: UTF8.self) } }

  func showOnWall(_ name: String, words: WallWords = WallWords()) {
    guard let photo = try? Samples.wallPhoto(Samples.path("photos/\(name)"), words: words) else { return }
    happen(.wall(.read(photo)))
  }

  /// Another member brings a photo, or changes one.
  func bring(_ names: String..., ago: Int64 = 0) {
    let changes = names.map { ChangeSet.Change.present(Samples.entry("photos/\($0)", ago: ago, member: "mia")) }
    happen(photos: .changed(ChangeSet(changes: changes, cursor: ChangeCursor("2"))))
  }
}

/// The wall as it looks, with sample content; names and words come from others.
enum WallScene: String, CaseIterable {
  case words, keys, sphere, sweep, code, empty, emptyCode, fault, offline, paused

  func robot(
    _ size: Size, _ graphics: GraphicsMode = .halfBlocks, name: String = "pier.jpg",
    words: WallWords = Samples.wallWords
  ) -> Robot {
    let abilities = TerminalAbilities(colors: .trueColor, graphics: graphics, cell: Size(8, 16))
    let page = ShownDropPage(Samples.dropPage(giver: nil), code: ClubsSamples.qr, warnings: [])
    if self == .empty || self == .emptyCode {
      let robot = Robot(photos: [], size: size, abilities: abilities)
      robot.happen(.photos(.command(.photosWall)))
      if self == .emptyCode { robot.happen(photos: .dropPageMade(page)) }
      robot.happen(.wall(.hushed))
      return robot
    }
    let first = self == .sphere ? "sphere.jpg" : self == .sweep ? "sweep.jpg" : name
    let robot = Robot(wall: [first, "zebra.jpg"], size: size, abilities: abilities, words: words)
    if self != .keys { robot.happen(.wall(.hushed)) }
    switch self {
    case .code: robot.happen(photos: .dropPageMade(page))
    case .fault:
      let error = StoreError(.corrupt, "\"zebra.jpg\" is damaged: it ends in the middle.")
      robot.happen(.wall(.failed(.read([Samples.path("photos/zebra.jpg")], isFine: false), error)))
    case .offline:
      robot.happen(.connection(.offline(since: Samples.now - 720, StoreError(.offline, "The server is away."))))
    case .paused: robot.press("Space")
    case .words, .keys, .sphere, .sweep, .empty, .emptyCode: break
    }
    return robot
  }
}
