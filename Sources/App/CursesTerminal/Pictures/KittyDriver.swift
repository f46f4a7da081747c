internal import Basics
internal import TextUI

/// kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol). A picture is sent once, and its parts
/// are placed: moving one takes some 60 bytes.
struct KittyDriver: PictureDriver {
  /// Pictures that may be shown again are kept by the terminal, up to these numbers.
  private static let mostImages = 12
  private static let mostPixels = 24_000_000

  private struct Image {
    let identity: CanvasPicture.Identity
    let number: Int
    let pixels: Int
  }

  /// The least recently shown first.
  private var images: [Image] = []
  private var placements: [PicturePart: Placement] = [:]
  /// Images that the terminal may keep although the screen was lost.
  private var lost: [Int] = []
  /// nil if the terminal has to get all bytes of a picture.
  private let memory: SharedPictures?

  init(_ memory: SharedPictures? = nil) { self.memory = memory }

  private struct Placement: Hashable {
    let image: Int
    let number: Int
  }

  var isInCells: Bool { false }

  mutating func show(_ parts: [PicturePart], _ frame: PictureFrame) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in lost { bytes.append(KittySequence.removing(number)) }
    lost = []
    let wanted = Set(parts)
    var gone = placements.filter { !wanted.contains($0.key) }
    for part in parts {
      let isPlaced = placements[part] != nil
      guard let image = use(part, frame, &bytes), !isPlaced else { continue }
      var number: Int
      // A placement that moves does not flicker.
      if let old = gone.first(where: { $0.value.image == image }) {
        number = old.value.number
        gone[old.key] = nil
        placements[old.key] = nil
      } else {
        let taken = Set(placements.values.filter { $0.image == image }.map(\.number))
        number = 1
        while taken.contains(number) { number += 1 }
      }
      placements[part] = Placement(image: image, number: number)
      bytes.append(moveTo: Point(part.cells.x, part.cells.y))
      bytes.append(KittySequence.placing(part, image: image, number: number))
    }
    for (part, placement) in gone.sorted(by: { ($0.value.image, $0.value.number) < ($1.value.image, $1.value.number) })
    {
      placements[part] = nil
      bytes.append(KittySequence.command("a=d,d=i,i=\(placement.image),p=\(placement.number),q=2"))
    }
    dropOld(&bytes)
    return bytes
  }

  mutating func forget() {
    lost += images.map(\.number)
    images = []
    placements = [:]
  }

  var leaving: [UInt8] { images.flatMap { KittySequence.removing($0.number) } }

  /// Sends the picture unless the terminal has it. nil if it is gone from the frame.
  private mutating func use(_ part: PicturePart, _ frame: PictureFrame, _ bytes: inout [UInt8]) -> Int? {
    if let index = images.firstIndex(where: { $0.identity == part.identity }) {
      let image = images.remove(at: index)
      images.append(image)
      return image.number
    }
    guard let pixels = frame.pixels(of: part) else { return nil }
    let taken = Set(images.map(\.number))
    var number = 1
    while taken.contains(number) { number += 1 }
    if let name = memory?.share(pixels.bytes) {
      bytes.append(KittySequence.sharing(pixels, name, image: number))
    } else {
      for chunk in KittySequence.sending(pixels, image: number) { bytes += chunk }
    }
    images.append(Image(identity: part.identity, number: number, pixels: pixels.width * pixels.height))
    return number
  }

  private mutating func dropOld(_ bytes: inout [UInt8]) {
    let shown = Set(placements.values.map(\.image))
    var total = images.reduce(0) { $0 + $1.pixels }
    var count = images.count
    images.removeAll { image in
      guard count > Self.mostImages || total > Self.mostPixels, !shown.contains(image.number) else { return false }
      count -= 1
      total -= image.pixels
      bytes.append(KittySequence.removing(image.number))
      return true
    }
  }
}

enum KittySequence {
  /// The longest piece of base64 in one sequence, as the protocol demands.
  private static let chunk = 4096

  /// `q=2` among the keys suppresses answers.
  static func command(_ keys: String) -> [UInt8] { Array("\u{1B}_G\(keys)\u{1B}\\".utf8) }

  /// With its placements and its pixels.
  static func removing(_ image: Int) -> [UInt8] { command("a=d,d=I,i=\(image),q=2") }

  /// The sequences that give the terminal a picture.
  static func sending(_ pixels: PicturePixels, image: Int) -> [[UInt8]] {
    var keys = "a=t,f=24,s=\(pixels.width),v=\(pixels.height),i=\(image),q=2"
    var content = pixels.bytes
    // PNG takes half the bytes and half the time of the protocol's own compression (`o=z`), which has no filters.
    if let file = PNGWriter.file(of: pixels) {
      keys = "a=t,f=100,i=\(image),q=2"
      content = file
    }
    let text = Base64.encoded(content)
    return stride(from: 0, to: text.count, by: chunk).map { start in
      let end = min(start + chunk, text.count)
      let more = end < text.count ? 1 : 0
      var bytes: [UInt8] = []
      bytes.reserveCapacity(end - start + 64)
      bytes.append("\u{1B}_G\(start == 0 ? keys + "," : "")m=\(more);")
      bytes += text[start..<end]
      bytes.append("\u{1B}\\")
      return bytes
    }
  }

  /// The terminal reads the pixels in shared memory.
  static func sharing(_ pixels: PicturePixels, _ name: String, image: Int) -> [UInt8] {
    let keys = "a=t,t=s,f=24,s=\(pixels.width),v=\(pixels.height),S=\(pixels.bytes.count),i=\(image),q=2"
    return command("\(keys);\(Base64.text(of: Array(name.utf8)))")
  }

  /// Behind the text (`z=-1`), at the cursor, which stays (`C=1`).
  static func placing(_ part: PicturePart, image: Int, number: Int) -> [UInt8] {
    let source = part.source
    var keys = "a=p,i=\(image),p=\(number),x=\(source.x),y=\(source.y),w=\(source.width),h=\(source.height)"
    if part.isStretched { keys += ",c=\(part.cells.width),r=\(part.cells.height)" }
    return command(keys + ",C=1,z=-1,q=2")
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ bytes: [UInt8]) { append(contentsOf: bytes) }
}
