import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub photo mv`.
struct PhotoMove: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "mv", abstract: "Rename a photo.",
    discussion: Examples.text(["byteclub photo mv img_0042.jpg garage.jpg": "rename it within its folder"]))

  @Argument(help: "The photo.") var name: String
  @Argument(help: "Its new name.") var newName: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let club = session.open.club
    let there = try await PhotoName.entry(name, club)
    var bare = newName
    // The same folder may be written in front of the new name, as `mv` has it.
    if newName.contains("/"), try PhotoName.path(newName, club).parent == there.path.parent {
      bare = String(decoding: try PhotoName.path(newName, club).name, as: UTF8.self)
    }
    let entry = try await session.open.photos.rename(there.path, to: bare)
    let shown = String(decoding: PhotoName.bytes(entry.path, club), as: UTF8.self)
    return Answer([Record(PhotoName.json(entry, club), line: nil)], notice: "Renamed \"\(name)\" to \"\(shown)\".")
  }
}
