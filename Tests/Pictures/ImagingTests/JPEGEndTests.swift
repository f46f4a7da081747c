@testable import Imaging
import TestKit
import Testing

/// JPEGs without a mark of their end, as Samsung's phones wrote panoramas: a trailer follows the last row at once.
@Suite struct JPEGEndTests {
  private static let trailers: [[UInt8]] = [
    [], Array("MotionPhoto_Data\0\0\0\u{18}ftypmp42".utf8) + [UInt8](repeating: 0, count: 4000) + Array("SEFT".utf8),
    [0xFF, 0xD8, 0xFF, 0xE0], [0xFF, 0xC0, 0, 17], [0xFF, 0xDA], [0xFF], [UInt8](repeating: 0, count: 100_000),
  ]

  private func damage(_ file: [UInt8]) throws -> Bool {
    let picture = try Decoder.decode(file)
    let checked = kind { () throws(ImageError) in try Decoder.check(input(file)) }
    #expect(checked == (picture.isDamaged ? .corrupt : nil))
    return picture.isDamaged
  }

  @Test(arguments: trailers.indices)
  func `a picture with all its rows is whole, whatever follows them`(index: Int) throws {
    let pixels = SamplePictures.gradient(64, 48)
    let file = try Encoder.jpeg(pixels, quality: 90)
    let open = Array(file.dropLast(2)) + Self.trailers[index]
    #expect(try !damage(open))
    #expect(try Decoder.decode(open).pixels == Decoder.decode(file).pixels)
    #expect(try Thumbnail.make(open, maxEdge: 8).pixels == Thumbnail.make(file, maxEdge: 8).pixels)
    #expect(try !damage(HandmadeJPEG(width: 40, height: 40).bytes().dropLast(2) + Self.trailers[index]))
  }

  @Test func `a progressive picture without its end is whole if no scan is missing`() throws {
    let file = try Encoder.jpeg(SamplePictures.checkerboard(64, 48, square: 5), quality: 90, isProgressive: true)
    #expect(try !damage(Array(file.dropLast(2))))
    #expect(try !damage(file.dropLast(2) + [UInt8](repeating: 0, count: 5000)))
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    for scan in scans.dropFirst() { #expect(try damage(Array(file[..<scan]))) }
    #expect(try !damage(file[..<scans[1]] + [0xFF, 0xD9]))
  }

  @Test func `a picture with missing rows stays damaged`() throws {
    let pixels = SamplePictures.checkerboard(64, 64, square: 3)
    let file = try Encoder.jpeg(pixels, quality: 90)
    let scan = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDA }) + 14
    // The last bytes may be no more than the end of a code of zeros.
    for length in scan..<(file.count - 6) { #expect(try damage(Array(file.prefix(length))), "\(length)") }
  }

  private func little(_ value: Int, _ length: Int) -> [UInt8] { big(value, length).reversed() }

  @Test func `a copy without the place ends where Samsung's trailer begins`() throws {
    let file = try Encoder.jpeg(SamplePictures.gradient(64, 48), quality: 90)
    let film = Array("a film taken in Vienna".utf8)
    let directory =
      Array("SEFH".utf8) + little(1, 4) + little(1, 4) + little(0, 2) + little(0x08E0, 2) + little(film.count, 4)
      + little(film.count, 4)
    let trailer = film + directory + little(directory.count, 4) + Array("SEFT".utf8)
    let open = Array(file.dropLast(2)) + trailer
    #expect(try PictureHeader.read(open).panoramaMark == .samsungTrailer)
    let copy = try UploadCopy.withoutPlace(open)
    #expect(copy == (try UploadCopy.withoutPlace(file)))
    // Without its directory nobody knows where the film begins.
    #expect(kind { () throws(ImageError) in try UploadCopy.withoutPlace(file.dropLast(2) + film) } == .corrupt)
  }
}
