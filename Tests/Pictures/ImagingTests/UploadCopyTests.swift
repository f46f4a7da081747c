@testable import Imaging
import TestKit
import Testing

/// Copies for sending, whose metadata ExifTool reads.
@Suite struct UploadCopyTests {
  private static let program = "/usr/bin/exiftool"

  @discardableResult
  private func exifTool(_ arguments: [String]) throws -> String {
    let outcome = try Spawn(Self.program, arguments, environment: ["LC_ALL": "C.UTF-8"]).finish()
    #expect(outcome.status == 0, "\(outcome.said)")
    return outcome.text
  }

  /// A file with a place wherever ExifTool can write one.
  private func file(_ folder: TemporaryFolder, _ format: PictureFormat) throws -> [UInt8] {
    let pixels = SamplePictures.gradient(80, 40)
    let bytes = try Encoder.file(pixels, format, quality: nil)
    let name = "picture.\(format.rawValue)"
    try folder.write(name, bytes)
    var tags = [
      "-GPS:GPSLatitude=48.2", "-GPS:GPSLatitudeRef=N", "-GPS:GPSLongitude=16.37", "-GPS:GPSLongitudeRef=E",
      "-XMP-exif:GPSLatitude=48.2", "-XMP-photoshop:City=Vienna", "-XMP-iptcExt:LocationCreatedCity=Vienna",
      "-IFD0:Orientation=6", "-IFD0:Make=Maker", "-ExifIFD:DateTimeOriginal=2024:05:31 18:04:09",
      "-ExifIFD:FocalLength=4.2", "-ExifIFD:ExifImageWidth=80", "-ExifIFD:ExifImageHeight=40",
      "-XMP-GPano:ProjectionType=equirectangular", "-XMP-GPano:FullPanoWidthPixels=80",
      "-XMP-GPano:FullPanoHeightPixels=40", "-XMP-GPano:CroppedAreaLeftPixels=0", "-XMP-GPano:CroppedAreaTopPixels=0",
      "-XMP-GPano:CroppedAreaImageWidthPixels=80", "-XMP-GPano:CroppedAreaImageHeightPixels=40",
      "-XMP-GPano:PoseHeadingDegrees=90",
    ]
    if format == .jpeg { tags += ["-IPTC:City=Vienna", "-Comment=in Vienna"] }
    if format == .png { tags += ["-PNG:Comment=in Vienna"] }
    // Without the two kilobytes of spaces that it puts at the end of a packet.
    try exifTool(["-n", "-q", "-overwrite_original", "-api", "Compact=NoPadding"] + tags + [folder.file(name)])
    return try #require(folder.bytes(name))
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let word = Array(text.utf8)
    // The first byte alone decides nearly everywhere, and quickly.
    return bytes.indices.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }

  @Test(arguments: PictureFormat.written)
  func `a place in a packet of UTF-16 or UTF-32 goes, too, and panorama facts stay`(format: PictureFormat) throws {
    let pixels = SamplePictures.gradient(80, 40)
    let bytes = try Encoder.file(pixels, format, quality: nil)
    let text = "<rdf City='Vienna' GPano:ProjectionType='equirectangular' GPano:PoseHeadingDegrees='90'/>"
    let wide = text.utf8.flatMap { [UInt8](repeating: 0, count: 3) + [$0] }
    for packet in [utf16(text, isBig: true), utf16(text, isBig: false), wide] {
      var metadata = try PictureMetadata(of: bytes, format)
      metadata.xmp = packet
      let original = try metadata.put(into: bytes, format, header: try PictureHeader.read(bytes))
      let copy = try UploadCopy.withoutPlace(original)
      #expect(!contains(copy.filter { $0 != 0 }, "Vienna"))
      let heading = try PictureHeader.read(copy).panorama?.headingDegrees
      if packet != wide { #expect(heading == 90) }
    }
  }

  @Test(arguments: PictureFormat.written)
  func `a copy without the place has all else that matters, and the same pixels`(format: PictureFormat) throws {
    let folder = try TemporaryFolder()
    let original = try file(folder, format)
    #expect(contains(original, "Vienna"))
    #expect(try PictureHeader.read(original).hasPosition)
    var trailed = original
    if format == .jpeg { trailed += Array("a film taken in Vienna".utf8) }
    let copy = try UploadCopy.withoutPlace(trailed)
    try folder.write("copy.\(format.rawValue)", copy)
    let said = try exifTool(["-n", "-a", "-G1", "-s", folder.file("copy.\(format.rawValue)")])
    for word in ["GPS", "Vienna", "48.2", "16.37", "City", "Warning", "Error"] {
      #expect(!said.contains(word), "\(said)")
    }
    #expect(!contains(copy, "Vienna"))
    let (before, after) = (try PictureHeader.read(original), try PictureHeader.read(copy))
    #expect(!after.hasPosition)
    #expect(after.orientation == .quarterRight && after.cameraMake == "Maker" && after.captured == before.captured)
    #expect(after.focalLengthMillimetres == 4.2)
    #expect(after.panorama?.fullSize == PixelSize(width: 80, height: 40) && after.panorama?.headingDegrees == 90)
    #expect(try Decoder.decode(copy).pixels == Decoder.decode(original).pixels)
    // A copy of a copy changes nothing.
    #expect(try UploadCopy.withoutPlace(copy) == copy)
  }

  @Test(arguments: PictureFormat.written, [true, false])
  func `a smaller copy is upright and says its own sizes`(format: PictureFormat, withPlace: Bool) throws {
    let folder = try TemporaryFolder()
    let original = try file(folder, format)
    let work = PictureWork.copy(maxEdge: 40, format: format, quality: 80)
    let result = try original.withUnsafeBytes { bytes throws(ImageError) in
      try work.perform(
        on: PictureInput(bytes), orientation: .quarterRight, limits: PictureLimits(), isCancelled: { false })
    }
    guard case .file(let bytes, let size) = result else {
      Issue.record("It is no file.")
      return
    }
    #expect(size == PixelSize(width: 20, height: 40))
    let copy = try UploadCopy.describing(bytes, as: original, withPlace: withPlace)
    try folder.write("copy.\(format.rawValue)", copy)
    let said = try exifTool(["-n", "-a", "-G1", "-s", folder.file("copy.\(format.rawValue)")])
    #expect(!said.contains("Warning") && !said.contains("Error"), "\(said)")
    let header = try PictureHeader.read(copy)
    #expect(header.hasPosition == withPlace)
    #expect(said.contains("Vienna") == withPlace)
    #expect(header.size == size && header.orientation == .upright && header.cameraMake == "Maker")
    #expect(
      header.panorama?.crop.map { PixelSize(width: $0.width, height: $0.height) } == PixelSize(width: 40, height: 20))
    #expect(said.contains("ExifImageWidth                  : 20"))
    #expect(try Decoder.decode(copy).pixels.size == size)
  }

  @Test func `nothing that hides in EXIF data survives a copy without the place`() throws {
    let thumbnail = UploadCopyTests.withPlace(try Encoder.jpeg(SamplePictures.gradient(40, 20), quality: 60))
    var exif = HandmadeExif(orientation: 3, make: "Maker", taken: "2024:05:31 18:04:09", hasPosition: true)
    exif.thumbnail = thumbnail
    exif.more = [exif.text(0x927C, "the maker's note: Vienna")]
    for isLittle in [true, false] {
      exif.isLittle = isLittle
      let original = insert(exif.segment(), into: try Encoder.jpeg(SamplePictures.gradient(80, 40), quality: 80))
      #expect(contains(original, "Vienna"))
      let copy = try UploadCopy.withoutPlace(original)
      #expect(!contains(copy, "Vienna"))
      let header = try PictureHeader.read(copy)
      #expect(!header.hasPosition && header.orientation == .upsideDown && header.cameraMake == "Maker")
      #expect(header.thumbnail != nil)
    }
  }

  @Test func `a copy keeps panorama facts that are in another packet, under another prefix, or packed`() throws {
    let name = "0123456789ABCDEF0123456789ABCDEF"
    let facts = "ProjectionType='equirectangular' ns3:FullPanoWidthPixels='80' ns3:FullPanoHeightPixels='40'"
    let packet = "<x xmlns:ns3='http://ns.google.com/photos/1.0/panorama/' ns3:\(facts)/>"
    let extended = HandmadeJPEG.segment(
      0xE1,
      Array("http://ns.adobe.com/xmp/extension/\0\(name)".utf8) + big(packet.utf8.count, 4) + big(0, 4)
        + Array(packet.utf8))
    let plain = try Encoder.jpeg(SamplePictures.gradient(80, 40), quality: 80)
    var png = HandmadePNG(width: 80, height: 40)
    png.chunks = [("iTXt", Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + HandmadePNG.stored(Array(packet.utf8)))]
    for original in [
      insert(xmpSegment("<x xmpNote:HasExtendedXMP='\(name)'/>") + extended, into: plain),
      insert(xmpSegment("<x dc:format='image/jpeg'/>") + xmpSegment(packet), into: plain),
      insert(xmpSegment(packet), into: plain), png.bytes(),
    ] {
      let before = try PictureHeader.read(original)
      #expect(before.panorama?.fullSize == PixelSize(width: 80, height: 40))
      #expect(try PictureHeader.read(UploadCopy.withoutPlace(original)).panorama == before.panorama)
      let small = try Encoder.jpeg(SamplePictures.gradient(40, 20), quality: 80)
      let copy = try PictureHeader.read(UploadCopy.describing(small, as: original, withPlace: false))
      #expect(copy.panorama?.fullSize == PixelSize(width: 40, height: 20))
    }
  }

  private static func withPlace(_ jpeg: [UInt8]) -> [UInt8] {
    insert(HandmadeJPEG.segment(0xFE, Array("in Vienna, in the garden".utf8)), into: jpeg)
  }

  @Test(arguments: PictureFormat.written)
  func `a file cut at any byte gives a copy without the place or an error`(format: PictureFormat) throws {
    let original = try file(try TemporaryFolder(), format)
    var numbers = SeededNumbers(8)
    for length in 0..<original.count {
      guard let copy = try? UploadCopy.withoutPlace(Array(original.prefix(length))) else { continue }
      #expect(!contains(copy, "Vienna"))
    }
    for _ in 0..<2000 {
      var changed = original
      for _ in 0...numbers.below(3) {
        changed[numbers.below(changed.count)] = UInt8(truncatingIfNeeded: numbers.below(256))
      }
      guard let copy = try? UploadCopy.withoutPlace(changed) else { continue }
      #expect(try !PictureHeader.read(copy).hasPosition)
    }
  }

  @Test func `a copy that would lose more than its size is refused`() throws {
    let file = HandmadePNG(width: 4, height: 4, depth: 8, colourType: 6) { _, _ in [1, 2, 3, 4] }.bytes()
    let header = try PictureHeader.read(file)
    #expect(kind { () throws(ImageError) in try UploadCopy.quality(of: header, nil, usual: 90) } == .unsupported)
    let plain = try PictureHeader.read(try Encoder.png(SamplePictures.gradient(4, 4)))
    #expect(kind { () throws(ImageError) in try UploadCopy.quality(of: plain, 60, usual: 90) } == .unsupported)
    #expect(try UploadCopy.quality(of: plain, nil, usual: 90) == nil)
    let jpeg = try PictureHeader.read(try Encoder.jpeg(SamplePictures.gradient(4, 4), quality: 80))
    #expect(try UploadCopy.quality(of: jpeg, 60, usual: 90) == 60)
    #expect(try UploadCopy.quality(of: jpeg, nil, usual: 90) == 90)
  }
}
