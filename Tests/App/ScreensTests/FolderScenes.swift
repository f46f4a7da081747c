import ClubServices
import FileStores
import TextUI

@testable import Screens

/// The scenes of folders of notes.
extension Scene {
  /// nil for the other scenes. A folder and a note in it have the given name.
  func folderRobot(_ size: Size, _ name: [UInt8]) -> Robot? {
    let scenes: [Scene] = [
      .folders, .folderInside, .folderEmpty, .foldersFlat, .foldersFind, .folderMove, .folderTrash,
    ]
    guard scenes.contains(self) else { return nil }
    let title = name == Array("challenge-for-ray.md".utf8) ? Array("trips".utf8) : name
    let robot = Robot(size, isFlat: self == .foldersFlat)
    var names = ["Welcome.md", "challenges/pull-ups.md", "challenges/2025/rope.md", "tide tables.txt"].map {
      Array($0.utf8)
    }
    names += (1...30).map { title + Array("/2026/oslo/day \($0).md".utf8) }
    names += ["README", "packing list.md", "2026/tickets.md"].map { title + Array("/\($0)".utf8) }
    names.append(title + Array("/2026/".utf8) + name)
    var builder = EntryTable.Builder(folder: .root)
    let entries = names.enumerated().map { number, name in
      Samples.entry(Samples.path(name), size: 2_000, ago: 5000 * Int64(number + 1))
    }
    builder.add(entries)
    let folder = Samples.path(title)
    builder.add(
      folders: [folder, Samples.path("ideas")], others: [.root: 1, folder.descending(Array("2026".utf8)[...]): 14])
    var table = builder.finish()
    table.merge(entries)
    robot.happen(.listed(table))
    let marks = entries.suffix(3).map { ($0.path, NewsMark(revision: Revision("r2"), before: nil)) }
    robot.happen(.files(.news(Dictionary(uniqueKeysWithValues: marks), isListed: true)))
    switch self {
    case .folderInside:
      robot.state.notes.files.albums.firstIndex { $0.path == title }.map { row in
        for _ in 0..<row { robot.press("j") }
      }
      robot.press("Enter", "Enter", "j")
    case .folderEmpty:
      robot.happen(.files(.folderMade(Samples.path("ideas/new"))))
      robot.press("Enter")
    case .foldersFind:
      robot.press("/")
      robot.type("d")
    case .folderMove:
      robot.press("G", "Space", "k", "Space", "m", "Down")
    case .folderTrash: robot.press("D")
    default: break
    }
    robot.take()
    return robot
  }
}
