import ClubServices
import FileStores
import Imaging
import TextUI

/// What is known of a photo, for people.
enum PhotoFacts {
  /// The facts with their names, in order.
  static func list(_ info: PhotoInfo, name: String) -> [(name: String, value: String)] {
    let header = info.header
    var facts: [(String, String)] = [("Name", name)]
    facts.append(("Picture", "\(header.size) pixels, \(header.format.rawValue)"))
    if let size = info.entry.size { facts.append(("File", "\(ByteCount.text(size)) (\(size) bytes)")) }
    if let time = info.entry.modified { facts.append(("Changed", RFC3339.text(Timestamp(seconds: time.seconds)))) }
    if let date = header.captured { facts.append(("Taken", date.description)) }
    let camera = [header.cameraMake, header.cameraModel].compactMap { $0 }.joined(separator: " ")
    if !camera.isEmpty { facts.append(("Camera", camera)) }
    if let projection = header.panorama?.projection { facts.append(("Panorama", projection)) }
    if header.hasPosition { facts.append(("Place", "the file contains the place")) }
    if let revision = info.entry.revision { facts.append(("Revision", revision.value)) }
    facts.append(("Content hash", info.contentHash.hex))
    return facts
  }
}
