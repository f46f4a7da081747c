import ClubServices
import FileStores
import TextUI

@testable import Screens

/// The scenes of albums.
extension Scene {
  /// nil for the other scenes. An album has the given name.
  func albumRobot(_ size: Size, _ name: [UInt8]) -> Robot? {
    guard [.albums, .albumsNew, .albumsGrid, .albumsFind, .albumInside, .albumMove].contains(self) else { return nil }
    let title = name == Array("challenge-for-ray.md".utf8) ? Array("oslo".utf8) : name
    let robot = Robot(size, layout: self == .albumsGrid ? .grid : .list)
    robot.press("2")
    var names = ["bergen/fish market.jpg", "bergen/funicular.jpg", "garage.jpg", "roof.jpg"].map { Array($0.utf8) }
    names += (1...12).map { title + Array("/walk \($0).jpg".utf8) }
    names += ["pier/low tide.jpg", "pier/\(String(decoding: title, as: UTF8.self))"].map {
      title + Array("/\($0).jpg".utf8)
    }
    var table = Samples.table(bytes: names, folder: "photos")
    let entries = (0..<table.total).map { number in
      Samples.entry(table.path(at: number), size: 27_000_000, ago: 3600 * Int64(number + 1))
    }
    table.merge(entries)
    robot.happen(.photos(.listed(table)))
    let box = robot.state.photos.thumbnailBox
    for path in robot.state.photos.visiblePaths.prefix(2) {
      robot.happen(photos: .thumbnail(path, .success(Samples.thumbnail(columns: box.width, rows: box.height))))
    }
    let new = entries.map(\.path).filter { $0.relative(to: Samples.path("photos"))?.starts(with: title) == true }
    let marks = new.prefix(3).map { ($0, NewsMark(revision: Revision("r2"), before: nil)) }
    switch self {
    case .albumsNew:
      robot.happen(photos: .files(.news(Dictionary(uniqueKeysWithValues: marks), isListed: true)))
      robot.press("j")
    case .albumsFind:
      robot.press("/")
      robot.type("f")
    case .albumInside: robot.press("j", "Enter", "j")
    case .albumMove:
      robot.press("G", "Space", "k", "Space", "m")
      robot.type("n")
      robot.press("Backspace", "Down")
    default: break
    }
    return robot
  }
}
