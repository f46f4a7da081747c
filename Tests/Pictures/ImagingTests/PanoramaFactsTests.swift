import Testing

@testable import Imaging

@Suite struct PanoramaFactsTests {
  private func facts(_ packet: String) throws -> PanoramaFacts? {
    try PictureHeader.read(HandmadeJPEG(segments: xmpSegment(packet)).bytes()).panorama
  }

  private let fields = [
    ("ProjectionType", "equirectangular"), ("FullPanoWidthPixels", "8000"), ("FullPanoHeightPixels", "4000"),
    ("CroppedAreaLeftPixels", "100"), ("CroppedAreaTopPixels", "1000"), ("CroppedAreaImageWidthPixels", "7000"),
    ("CroppedAreaImageHeightPixels", "2000.0"), ("PoseHeadingDegrees", "350.5"), ("PosePitchDegrees", "-3"),
    ("PoseRollDegrees", "1.25"), ("InitialViewHeadingDegrees", "90"), ("InitialViewPitchDegrees", "5"),
    ("InitialHorizontalFOVDegrees", "75"), ("InitialVerticalFOVDegrees", "50"), ("InitialViewRollDegrees", "-2.5"),
    ("InitialCameraDolly", "-0.5"), ("UsePanoramaViewer", "False"), ("CaptureSoftware", "Camera 1.0"),
    ("StitchingSoftware", "Stitcher"), ("FirstPhotoDate", "2012-11-07T21:03:13.465Z"),
    ("LastPhotoDate", "2012-11-07T21:04:10.897Z"), ("SourcePhotosCount", "50"), ("ExposureLockUsed", "True"),
  ]

  private var expected: PanoramaFacts {
    var facts = PanoramaFacts()
    facts.projection = "equirectangular"
    facts.fullSize = PixelSize(width: 8000, height: 4000)
    facts.crop = PixelRect(x: 100, y: 1000, width: 7000, height: 2000)
    facts.headingDegrees = 350.5
    facts.pitchDegrees = -3
    facts.rollDegrees = 1.25
    facts.initialHeadingDegrees = 90
    facts.initialPitchDegrees = 5
    facts.initialFieldOfViewDegrees = 75
    facts.initialVerticalFieldOfViewDegrees = 50
    facts.initialRollDegrees = -2.5
    facts.usesViewer = false
    return facts
  }

  @Test func `GPano fields are read as attributes`() throws {
    let attributes = fields.map { "GPano:\($0.0) = '\($0.1)'" }.joined(separator: "\n")
    #expect(try facts("<rdf xmlns:GPano=\"http://ns.google.com/photos/1.0/panorama/\" \(attributes)/>") == expected)
  }

  @Test(arguments: [true, false], ["", "\u{FEFF}"])
  func `GPano fields are read in UTF-16, with and without a byte order mark`(isBig: Bool, mark: String) throws {
    let attributes = fields.map { "GPano:\($0.0)='\($0.1)'" }.joined(separator: " ")
    let packet = utf16("\(mark)<rdf title='Überall' \(attributes)/>", isBig: isBig)
    #expect(try PictureHeader.read(HandmadeJPEG(segments: xmpSegment(packet)).bytes()).panorama == expected)
    // A cut unit, and a packet that is longer than any that is read.
    #expect(
      try PictureHeader.read(HandmadeJPEG(segments: xmpSegment(Array(packet.dropLast()))).bytes()).panorama == expected)
    let start: [UInt8] = isBig ? [0, 0x3C] : [0x3C, 0]
    #expect(XMPReader.utf8(ofUTF16: start + [UInt8](repeating: 0, count: XMPReader.maxBytes)) == nil)
  }

  @Test func `GPano fields are read as elements`() throws {
    let elements = fields.map { "<GPano:\($0.0)> \($0.1)\n</GPano:\($0.0)>".replacing("\n", with: " ") }
    #expect(try facts("<rdf>" + elements.joined() + "</rdf>") == expected)
  }

  @Test(arguments: [
    "-1", "NaN", "nan", "inf", "-inf", "1e300", "0", "99999999999999999999", "12.5", "0x", "", "&big;",
    String(repeating: "9", count: 5000), "80\u{1b}[31m",
  ])
  func `senseless sizes are left out`(text: String) throws {
    let packet = "GPano:ProjectionType=\"x\" GPano:FullPanoWidthPixels=\"\(text)\" GPano:FullPanoHeightPixels=\"9\""
    let facts = try #require(try facts(packet))
    #expect(facts.fullSize == nil)
    #expect(facts.crop == nil)
  }

  @Test func `a part that leaves the whole is left out`() throws {
    let packet = fields.map { "GPano:\($0.0)=\"\($0.0 == "CroppedAreaTopPixels" ? "2001" : $0.1)\"" }
    let facts = try #require(try facts(packet.joined(separator: " ")))
    #expect(facts.fullSize == PixelSize(width: 8000, height: 4000))
    #expect(facts.crop == nil)
  }

  @Test func `angles out of range are left out`() throws {
    let facts = try facts("GPano:ProjectionType='x' GPano:PoseRollDegrees='181' GPano:PosePitchDegrees='-91'")
    #expect(facts != nil && facts?.rollDegrees == nil)
    #expect(facts?.pitchDegrees == nil)
  }

  @Test(arguments: [("450", 90.0), ("361", 1), ("-90", 270), ("720", 0), ("360", 360), ("1e9", nil)])
  func `a heading of more than a turn is turned back`(text: String, degrees: Double?) throws {
    let facts = try facts("GPano:PoseHeadingDegrees='\(text)' GPano:InitialViewHeadingDegrees='\(text)'")
    #expect(facts?.headingDegrees == degrees && facts?.initialHeadingDegrees == degrees)
  }

  @Test(arguments: [384, -128])
  func `a part may go over the seam of the whole`(left: Int) throws {
    let crop =
      "ProjectionType equirectangular,FullPanoWidthPixels 512,FullPanoHeightPixels 256,CroppedAreaLeftPixels \(left),"
      + "CroppedAreaTopPixels 0,CroppedAreaImageWidthPixels 256,CroppedAreaImageHeightPixels 256"
    let geometry = try PanoramaSamples.geometry(256, 256, gpano: crop + ",PoseHeadingDegrees 0")
    #expect(geometry.kind == .sphere && geometry.horizontalDegrees == 180)
    // The picture's middle looks back.
    #expect(geometry.northYawDegrees.map(abs) == 180)
  }

  private static let address = "http://ns.google.com/photos/1.0/panorama/"

  @Test(arguments: [
    ("<x xmlns:ns3='\(address)' ns3:ProjectionType='equirectangular'/>", true),
    ("<x ns3:ProjectionType = \"equirectangular\" xmlns:ns3 = \"\(address)\"/>", true),
    ("<x xmlns:GPano='y'><ns3:ProjectionType xmlns:ns3='\(address)'/></x>", false),
    ("<ü:ProjectionType>equirectangular</ü:ProjectionType><y xmlns:ü='\(address)'/>", true),
    ("<x xmlns:GPano='http://example.org/' GPano:ProjectionType='equirectangular'/>", false),
    (
      "<x xmlns:GPano='\(address)'><y xmlns:GPano='http://example.org/'/>"
        + "<GPano:ProjectionType>equirectangular</GPano:ProjectionType></x>", true
    ),
    ("<x myGPano:ProjectionType='equirectangular'/>", false),
    ("<GPano:ProjectionType>\n   equirectangular \n</GPano:ProjectionType>", true),
    ("<x GPano:ProjectionType='\n equirectangular\t'/>", true),
    ("<x GPano:ProjectionType='equi rectangular'/>", false),
    ("<GPano:ProjectionType xml:lang='x-default'>equirectangular</GPano:ProjectionType>", true),
    ("<GPano:ProjectionType rdf:resource='x'/>equirectangular<y/>", false),
    ("<dc:title>GPano:ProjectionType is</dc:title><y>equirectangular</y>", false),
  ])
  func `the namespace counts, not its prefix`(packet: String, isSphere: Bool) throws {
    #expect((try facts(packet)?.isEquirectangular ?? false) == isSphere)
  }

  private let name = "0123456789ABCDEF0123456789ABCDEF"

  private func part(_ text: ArraySlice<UInt8>, _ offset: Int, of length: Int, name: String? = nil) -> [UInt8] {
    let mark = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array((name ?? self.name).utf8)
    return HandmadeJPEG.segment(0xE1, mark + big(length, 4) + big(offset, 4) + text)
  }

  @Test func `an extended packet is read where the first one names it`() throws {
    let packet = Array(fields.map { "<GPano:\($0.0)>\($0.1)</GPano:\($0.0)>" }.joined().utf8)
    let cuts = [0, 100, 111, 400, packet.count]
    let parts = zip(cuts, cuts.dropFirst()).map { part(packet[$0..<$1], $0, of: packet.count) }
    let note = xmpSegment("<x xmpNote:HasExtendedXMP='\(name)'/>")
    func facts(_ segments: [UInt8]) throws -> PanoramaFacts? {
      try PictureHeader.read(HandmadeJPEG(segments: segments).bytes()).panorama
    }
    #expect(try facts(note + parts.joined()) == expected)
    #expect(try facts(parts.reversed().joined() + note) == expected)
    #expect(try facts(xmpSegment("<x/>") + parts.joined()) == nil)
    let foreign = part(packet[...], 0, of: packet.count, name: String(name.reversed()))
    #expect(try facts(note + foreign) == nil)
    // Two plain packets count together, and the first field of a name counts.
    let first = xmpSegment("<x xmpNote:HasExtendedXMP='\(name)' GPano:ProjectionType='cylindrical'/>")
    #expect(try facts(first + parts.joined())?.projection == "cylindrical")
    #expect(try facts(xmpSegment("<x/>") + first)?.projection == "cylindrical")
    // Lost parts and lengths that lie cost facts at most.
    for index in parts.indices {
      var some = parts
      some.remove(at: index)
      _ = try facts(note + some.joined())
      for at in 0..<90 {
        var wrong = parts[index]
        wrong[at] ^= 0xFF
        _ = try? facts(note + wrong)
      }
    }
  }

  @Test func `a packet cut at any byte gives facts or none`() throws {
    let packet = fields.map { "<GPano:\($0.0)>\($0.1)</GPano:\($0.0)>" }.joined()
    for length in 0..<packet.utf8.count {
      let found = try facts(String(packet.prefix(length)))
      #expect(found == nil || found?.projection == nil || found?.projection == "equirectangular")
    }
    let nested = String(repeating: "<rdf:li>", count: 5000) + packet
    #expect(try facts(nested) == expected)
  }

  @Test func `other XMP says nothing about a panorama`() throws {
    #expect(try facts("<rdf dc:title='GPano'/>") == nil)
    #expect(try facts("<!DOCTYPE x [<!ENTITY a '&b;&b;'>]> &a;") == nil)
  }
}
