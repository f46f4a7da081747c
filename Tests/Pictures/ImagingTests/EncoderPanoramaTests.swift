import Imaging
import Testing

@Suite struct EncoderPanoramaTests {
  @Test func `A JPEG that is marked says what it was marked with, and shows what it showed`() throws {
    let pixels = Pixels(width: 64, height: 32, colour: 0x336699)
    let plain = try Encoder.jpeg(pixels, quality: 90)
    var facts = PanoramaFacts()
    facts.projection = "equirectangular"
    facts.fullSize = PixelSize(width: 64, height: 32)
    facts.crop = PixelRect(x: 0, y: 0, width: 64, height: 32)
    facts.headingDegrees = 0
    facts.initialFieldOfViewDegrees = 75.5
    let marked = Encoder.marked(plain, as: facts)
    #expect(try PictureHeader.read(marked).panorama == facts)
    #expect(try PictureHeader.read(plain).panorama == nil)
    #expect(Array(marked.prefix(4)) == Array(plain.prefix(4)), "JFIF's own segment stays the first")
    #expect(marked.count > plain.count && marked.suffix(500) == plain.suffix(500))
  }
}
