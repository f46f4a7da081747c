public import ClubServices
internal import FileStores
public import Imaging
internal import TextUI

/// A fact of a photo in words, the same in the app and on the command line.
public struct PhotoFact: Sendable, Hashable {
  public let name: String
  public let value: String

  init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  /// The facts of a photo, in the order in which they are shown.
  /// - Parameter name: as the member knows it.
  /// - Parameter changed: the time of the last change in words.
  /// - Parameter kind: how the member sees the photo, if that is a choice.
  public static func all(
    of info: PhotoInfo, named name: String, changed: String?, shownAs kind: PictureKind? = nil
  ) -> [PhotoFact] {
    let (header, entry) = (info.header, info.entry)
    var facts = [PhotoFact("Name", name)]
    facts.append(PhotoFact("Size", entry.size.map(size) ?? "unknown"))
    facts.append(picture(header, bytes: entry.size))
    if let changed { facts.append(PhotoFact("Changed", changed)) }
    if let member = entry.member { facts.append(PhotoFact("By", member)) }
    facts += taking(header)
    if let panorama = header.panorama { facts += Self.panorama(panorama) }
    let guess = PictureGeometry(header)
    let isGuess = kind == nil || kind == guess.kind
    facts.append(
      PhotoFact("Shown as", (kind ?? guess.kind).word + (isGuess ? ". \(guess.reason)" : " (your choice).")))
    facts += header.partsNotShown.map { PhotoFact("Not shown", $0) }
    if let revision = entry.revision { facts.append(PhotoFact("Revision", revision.value)) }
    return facts + [PhotoFact("Content hash", info.contentHash.hex)]
  }

  /// `4032 x 3024, 12.2 megapixels, jpeg, with a film of 3.1 MiB`
  /// - Parameter bytes: of the file, of which a film is a part.
  static func picture(_ header: PictureHeader, bytes: UInt64? = nil) -> PhotoFact {
    let size = header.size
    let tenths = (size.width * size.height + 50_000) / 100_000
    var words = "\(size), \(tenths / 10).\(tenths % 10) megapixels, \(header.format)"
    if header.hasFilm {
      let film = header.filmBytes.flatMap { film in film > 0 && film < bytes ?? 0 ? ByteCount.text(film) : nil }
      words += ", with a film" + (film.map { " of \($0)" } ?? "")
    }
    return PhotoFact("Picture", words)
  }

  /// When, with which camera, how and where the picture was taken.
  static func taking(_ header: PictureHeader) -> [PhotoFact] {
    var facts: [PhotoFact] = []
    func add(_ name: String, _ value: String?) { if let value, !value.isEmpty { facts.append(PhotoFact(name, value)) } }
    add("Taken", header.captured?.zoned)
    // Many models begin with the maker's name.
    let isNamed = header.cameraMake.map { header.cameraModel?.lowercased().hasPrefix($0.lowercased()) == true } ?? false
    add("Camera", [isNamed ? nil : header.cameraMake, header.cameraModel].compactMap { $0 }.joined(separator: " "))
    add("Lens", header.lens)
    add("Focal length", header.focalLengthWords)
    add("Exposure", header.exposure.words)
    if header.hasPosition { add("Place", header.position?.description ?? "the file has one that cannot be read") }
    if let heading = header.panorama?.headingDegrees ?? header.imageDirectionDegrees {
      add("Heading", "\(Int(heading.rounded())) degrees (\(Compass.name(of: heading)))")
    }
    return facts
  }

  private static func panorama(_ panorama: PanoramaFacts) -> [PhotoFact] {
    var facts: [PhotoFact] = []
    if let projection = panorama.projection { facts.append(PhotoFact("Panorama", projection)) }
    if let full = panorama.fullSize { facts.append(PhotoFact("Full panorama", "\(full)")) }
    return facts
  }

  private static func size(_ bytes: UInt64) -> String {
    bytes < 1024 ? ByteCount.text(bytes) : "\(ByteCount.text(bytes)) (\(Int(clamping: bytes).grouped) bytes)"
  }
}

enum Compass {
  private static let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

  static func name(of heading: Double) -> String { names[Int((heading / 45).rounded()) % names.count] }

  /// The mark at a heading in whole degrees: `dot` each 15 degrees, a word each 45, nil between them. Without a compass it
  /// counts degrees to both sides of the picture's middle.
  static func mark(at degrees: Int, hasNorth: Bool, dot: String) -> String? {
    guard degrees % 15 == 0 else { return nil }
    guard degrees % 45 == 0 else { return dot }
    return hasNorth ? name(of: Double(degrees)) : "\(degrees > 180 ? degrees - 360 : degrees)\u{B0}"
  }
}
