extension Encoder {
  /// A JPEG with what it says about itself as a panorama, as Google's Photo Sphere XMP in a segment of its own. What is
  /// nil in `facts` is not said.
  /// - Parameter jpeg: as `jpeg` makes it: nothing says so in it yet.
  public static func marked(_ jpeg: [UInt8], as facts: PanoramaFacts) -> [UInt8] {
    var fields = ""
    func add(_ name: String, _ value: (some CustomStringConvertible)?) {
      if let value { fields += " GPano:\(name)=\"\(value)\"" }
    }
    add("ProjectionType", facts.projection)
    add("FullPanoWidthPixels", facts.fullSize?.width)
    add("FullPanoHeightPixels", facts.fullSize?.height)
    add("CroppedAreaLeftPixels", facts.crop?.x)
    add("CroppedAreaTopPixels", facts.crop?.y)
    add("CroppedAreaImageWidthPixels", facts.crop?.width)
    add("CroppedAreaImageHeightPixels", facts.crop?.height)
    add("PoseHeadingDegrees", facts.headingDegrees)
    add("PosePitchDegrees", facts.pitchDegrees)
    add("PoseRollDegrees", facts.rollDegrees)
    add("InitialViewHeadingDegrees", facts.initialHeadingDegrees)
    add("InitialViewPitchDegrees", facts.initialPitchDegrees)
    add("InitialHorizontalFOVDegrees", facts.initialFieldOfViewDegrees)
    let packet =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
      + "<rdf:Description rdf:about=\"\" xmlns:GPano=\"http://ns.google.com/photos/1.0/panorama/\"\(fields)/>"
      + "</rdf:RDF></x:xmpmeta>"
    let body = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
    // JFIF wants its own segment to be the first (ITU-T T.871, section 10.1).
    var at = 2
    if jpeg.count > 6, jpeg[2] == 0xFF, jpeg[3] == 0xE0 { at = min(jpeg.count, 4 + (Int(jpeg[4]) << 8 | Int(jpeg[5]))) }
    let length = body.count + 2
    return jpeg.prefix(at) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body + jpeg.dropFirst(at)
  }
}
