import ClubServices
import FileStores
import Foundation
import TestKit
import Testing
import TextUI

@testable import Imaging
@testable import Screens
@testable import byteclub

/// A walk from the keys of one member, through a club in a folder, to the cells of another member's screen.
@Suite struct ShownWalkTests {
  enum Mode: CaseIterable {
    case halfBlocks, sixteenColours, ascii, pixels

    var abilities: TerminalAbilities {
      switch self {
      case .halfBlocks: TerminalAbilities(colors: .trueColor)
      case .sixteenColours: TerminalAbilities(colors: .sixteen)
      case .ascii: TerminalAbilities(colors: .none, asciiOnly: true)
      case .pixels: TerminalAbilities(colors: .trueColor, graphics: .kitty, cell: Size(4, 8))
      }
    }
  }

  /// A sphere of bright and dark squares: what is drawn says where it looks.
  private struct Squares: Sendable {
    private static let side = 6.0
    private let isBright: [Bool]

    init(_ seed: UInt64) {
      var random = SeededNumbers(seed)
      isBright = (0..<1800).map { _ in Bool.random(using: &random) }
    }

    func isBright(_ yaw: Double, _ pitch: Double) -> Bool {
      let turned = (yaw + 180).truncatingRemainder(dividingBy: 360)
      let column = Int((turned < 0 ? turned + 360 : turned) / Self.side) % 60
      return isBright[min(29, max(0, Int((90 - pitch) / Self.side))) * 60 + column]
    }

    /// True for what is shown within a degree of the direction.
    func has(_ bright: Bool, near direction: (yaw: Double, pitch: Double)) -> Bool {
      for right in [-1.0, 0, 1] {
        for up in [-1.0, 0, 1] where isBright(direction.yaw + right, direction.pitch + up) == bright { return true }
      }
      return false
    }

    func pyramid() throws -> Pyramid {
      var pixels = Pixels(width: 1440, height: 720)
      for y in 0..<720 {
        for x in 0..<1440 {
          pixels[x, y] = isBright((Double(x) + 0.5) / 4 - 180, 90 - (Double(y) + 0.5) / 4) ? 0xFF_FFFF : 0
        }
      }
      return try Pyramid(pixels)
    }
  }

  /// Time, photo and view after an event.
  private struct Seen {
    let milliseconds: Int
    let photo: StorePath
    let look: LookAround
  }

  /// One member at a terminal, whose clock moves with the events.
  private final class Member {
    private static let size = Size(120, 30)
    private(set) var state: ClubState
    private(set) var asked: [PhotosEffect] = []
    private(set) var milliseconds: Int64 = 5_000_000
    private let photos: [StorePath: Pyramid]
    private let tours: [StorePath: PhotoTour]

    init(
      _ mode: Mode, photos: [StorePath: Pyramid], table: EntryTable, tours: [StorePath: PhotoTour] = [:],
      reducedMotion: Bool = false
    ) {
      (self.photos, self.tours) = (photos, tours)
      let frame = Frame(
        size: Self.size, abilities: mode.abilities, keys: .standard, club: "home", reducedMotion: reducedMotion)
      state = ClubScreen.start(frame, downloadDirectory: "~", club: "home", photosLayout: .list).0
      press("2", after: 0)
      happen(.files(.listed(table)))
    }

    func happen(_ action: PhotosAction) { apply(.photos(action)) }

    private func apply(_ action: ClubAction) {
      for case .run(.photos(let effect), _) in ClubScreen.update(&state, action) {
        guard case .view(let path, _) = effect, let pyramid = photos[path] else {
          asked.append(effect)
          continue
        }
        var header = PictureHeader(format: .jpeg, storedSize: pyramid.size)
        var facts = PanoramaFacts()
        facts.projection = "equirectangular"
        facts.fullSize = header.size
        header.panorama = facts
        if let tour = tours[path] { happen(.toured(path, .success(tour))) }
        happen(.viewed(path, pyramid, full: header.size, header: header, isWhole: true))
      }
    }

    func send(_ event: InputEvent, after pause: Int64 = 80) {
      milliseconds += pause
      ClubScreen.eventsCame(&state, milliseconds: milliseconds)
      if let action = ClubScreen.action(for: event, in: state) { apply(action) }
    }

    func press(_ name: String, after pause: Int64 = 80) { Key(name).map { send(.key($0), after: pause) } }

    /// The middle of the window, and the pixels in it that are surely bright or dark.
    func drawn(_ mode: Mode) throws -> (window: PixelSize, pixels: [(x: Double, y: Double, isBright: Bool)]) {
      var canvas = Canvas(Self.size)
      ClubScreen.draw(state, on: &canvas)
      let grid = canvas.grid
      var pixels: [(x: Double, y: Double, isBright: Bool)] = []
      func add(_ x: Int, _ y: Int, _ isBright: Bool?) {
        if let isBright { pixels.append((Double(x) + 0.5, Double(y) + 0.5, isBright)) }
      }
      if mode == .pixels {
        let picture = try #require(grid.pictures.values.first { $0.cells.height > 2 }).pixels()
        for y in stride(from: 0, to: picture.height, by: 4) {
          for x in stride(from: picture.width / 4, to: picture.width * 3 / 4, by: 4) {
            let value = picture.bytes[3 * (y * picture.width + x)]
            add(x, y, value > 200 ? true : value < 56 ? false : nil)
          }
        }
        return (PixelSize(width: picture.width, height: picture.height), pixels)
      }
      let part = try #require(state.photos.viewer).picturePart(Size(Self.size.width, state.frame.bodyHeight))
      for y in 0..<part.height {
        for x in stride(from: part.width / 4, to: part.width * 3 / 4, by: 2) {
          let cell = grid[part.x + x, 1 + part.y + y]
          add(x, 2 * y, Self.isBright(cell, cell.style.foreground, mode))
          add(x, 2 * y + 1, Self.isBright(cell, cell.style.background, mode))
        }
      }
      return (HalfBlocks.pixels(columns: part.width, rows: part.height), pixels)
    }

    /// nil for what is neither, and for a cell that is no part of the picture.
    private static func isBright(_ cell: Cell, _ colour: Color, _ mode: Mode) -> Bool? {
      if mode == .ascii { return cell.base == 0x40 ? true : cell.base == 0x20 ? false : nil }
      guard cell.base == 0x2580, let colour = colour.rgbValue else { return nil }
      if mode == .sixteenColours {
        let shown = XtermPalette.index16(colour)
        return shown == 15 || shown == 7 ? true : shown == 0 ? false : nil
      }
      return colour & 255 > 200 ? true : colour & 255 < 56 ? false : nil
    }
  }

  private let folder = TemporaryFolder.newPath()
  private let (a, b): (StorePath, StorePath)
  private let squares: [StorePath: Squares]

  init() throws {
    (a, b) = (try StorePath("photos/a.jpg"), try StorePath("photos/b.jpg"))
    squares = [a: Squares(1), b: Squares(2)]
    try FileManager.default.createDirectory(atPath: folder + "/Club/photos", withIntermediateDirectories: true)
    for name in ["a", "b"] {
      let jpeg = try Encoder.jpeg(Pixels(width: 8, height: 4, colour: 0), quality: 80)
      try Data(jpeg).write(to: URL(filePath: "\(folder)/Club/photos/\(name).jpg"))
    }
  }

  /// Turns over the seam, up and down, zooms, rests, and goes through a door.
  private func record(_ member: Member) throws -> [Seen] {
    member.press("Enter")
    member.press("W")
    let start = member.milliseconds
    var seen: [Seen] = []
    func note() throws {
      let viewer = try #require(member.state.photos.viewer)
      seen.append(
        Seen(milliseconds: Int(member.milliseconds - start), photo: viewer.path, look: try #require(viewer.look)))
    }
    func drag(_ count: Int, right: Int, down: Int, after pause: Int64 = 80) throws {
      var point = Point(60, 14)
      member.send(.mouse(.init(.press, at: point)), after: pause)
      try note()
      for _ in 0..<count {
        point = Point(point.x + right, point.y + down)
        member.send(.mouse(.init(.drag, at: point)))
        try note()
      }
      member.send(.mouse(.init(.release, at: point)))
      try note()
    }
    func press(_ keys: [String], after pause: Int64 = 80) throws {
      for key in keys {
        member.press(key, after: pause)
        try note()
      }
    }
    try note()
    try drag(14, right: -4, down: 0)
    try drag(6, right: -1, down: 1)
    try press(["+", "+", "Right", "Right", "Down", "-"])
    try drag(5, right: 1, down: 0, after: 800)
    try press(["Tab"])
    try press(["Enter"], after: 400)
    try drag(12, right: 5, down: -1)
    return seen
  }

  @Test("A walk is shown within a degree of what its member saw", arguments: Mode.allCases)
  func shown(_ mode: Mode) async throws {
    defer { removeFolder(folder) }
    let setup = try ClubSetup(StartOptions(folder: folder + "/Club"), environment: Environment(["HOME": folder]))
    let service = try OpenClub(setup).photos
    let table = try await service.table(of: StorePath("photos")).0
    let photos = try squares.mapValues { try $0.pyramid() }
    let door = PhotoMark(
      yawDegrees: -130, pitchDegrees: 5, label: "b", target: .photo(b, Tour.Arrival(), own: Tour.View(yawDegrees: -170))
    )
    let ann = Member(
      .halfBlocks, photos: photos, table: table,
      tours: [a: PhotoTour(view: Tour.View(yawDegrees: 150), marks: [door])], reducedMotion: true)
    let seen = try record(ann)
    #expect(seen.first?.photo == a && seen.last?.photo == b)
    for key in ["W", "x", "Enter"] { ann.press(key) }
    guard case .keepWalk(let recorder, let title)? = ann.asked.last else {
      Issue.record("Nothing is kept.")
      return
    }
    let path = try await service.keep(recorder, title: title).path
    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/Club/\(path)"))
    let walk = try await service.walk(at: path)
    #expect(bytes.count <= Walk.mostBytes && walk.walk.views.count < seen.count * 2 / 3)

    let turns = zip([nil] + seen, seen).filter { $0?.photo != $1.photo || $0?.look != $1.look }.map(\.1)
    let ray = Member(mode, photos: photos, table: table)
    ray.happen(.walkRead(walk))
    var (elapsed, found, compared) = (-1, 0, 0)
    while let film = ray.state.photos.film, film.elapsed > elapsed {
      elapsed = film.elapsed
      let moment = try #require(turns.last { $0.milliseconds <= elapsed })
      #expect(ray.state.photos.viewer?.path == moment.photo)
      let (window, pixels) = try ray.drawn(mode)
      #expect(pixels.count > 200)
      let squares = try #require(squares[moment.photo])
      func strays(_ look: LookAround) -> Int {
        var look = look
        look.resize(to: window)
        return pixels.count { !squares.has($0.isBright, near: look.direction(atX: $0.x, y: $0.y)) }
      }
      // After a rest the film turns to the next view in the last tenth of a second: it is between two recorded views then.
      let isTurning = moment.milliseconds < elapsed && turns.contains { (1..<100).contains($0.milliseconds - elapsed) }
      if !isTurning {
        compared += 1
        #expect(strays(moment.look) == 0, "\(strays(moment.look)) of \(pixels.count) at \(elapsed)")
      }
      // Two degrees away, it is found out.
      var other = moment.look
      other.turn(rightDegrees: 2.5, upDegrees: 0)
      if strays(other) > 0 { found += 1 }
      ray.happen(.turned)
    }
    #expect(ray.state.photos.film == nil && elapsed + Film.tick >= seen.last?.milliseconds ?? .max)
    #expect(found * 80 >= elapsed && compared * 100 >= elapsed)
  }
}
