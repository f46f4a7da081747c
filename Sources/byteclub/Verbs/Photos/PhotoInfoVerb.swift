import ArgumentParser
import ClubServices
import FileStores
import Imaging
import JSON

/// `byteclub photo info`.
struct PhotoInfoVerb: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show facts about a photo: size, camera, date, panorama.",
    discussion: Examples.text(["byteclub photo info garage.jpg": "one fact a line"]))

  @Argument(help: "The photo.") var name: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let club = session.open.club
    let info = try await session.open.photos.info(try await PhotoName.entry(name, club).path)
    let header = info.header
    var json: [JSONMember] = []
    if case .object(let members) = PhotoName.json(info.entry, club) {
      json = members.filter { $0.key != "contentHash" }
    }
    func add(_ key: String, _ value: JSONValue) { json.append(JSONMember(key, value)) }
    add("contentHash", .string(info.contentHash.hex))
    add("format", .string(header.format.rawValue))
    add("width", .number(header.size.width))
    add("height", .number(header.size.height))
    if let text = header.cameraMake { add("cameraMake", .string(text)) }
    if let text = header.cameraModel { add("cameraModel", .string(text)) }
    if let date = header.captured { add("captured", .string(date.description)) }
    if let projection = header.panorama?.projection { add("projection", .string(projection)) }
    add("hasPosition", .bool(header.hasPosition))
    let facts = PhotoFacts.list(info, name: name)
    let lines = facts.map { fact in
      let gap = String(repeating: " ", count: max(1, 14 - fact.name.count))
      return "\(fact.name):\(gap)\(fact.value)"
    }
    return Answer([Record(.object(json), lines: lines)])
  }
}
