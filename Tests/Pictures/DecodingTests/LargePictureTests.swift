import Decoding
@testable import Imaging
import TestKit
import Testing

/// A picture of 100 megapixels, as a panorama is.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LargePictureTests {
  private static let size = PixelSize(width: 14_144, height: 7072)

  /// A strip of 16 rows that is encoded once; its coded rows of blocks stand for the whole height.
  private static func file() throws -> [UInt8] {
    // With a restart marker after each row of blocks, every row is coded alike.
    let strip = try Encoder.jpeg(Pixels(width: size.width, height: 16, colour: 0x4080C0), quality: 95)
    var parts = try JPEGParts(strip)
    let across = (size.width + 7) / 8
    parts.segments = parts.segments.map { segment in
      guard segment.marker == 0xC0 else { return segment }
      var body = segment.body
      (body[1], body[2]) = (UInt8(size.height >> 8), UInt8(size.height & 255))
      return JPEGParts.Segment(marker: 0xC0, body: body)
    }
    parts.segments.append(
      JPEGParts.Segment(marker: 0xDD, body: [UInt8(across >> 8), UInt8(across & 255)]))
    let one = try Self.row(strip)
    var file = parts.bytes
    file.removeLast(parts.scans.count)
    let header = Array(parts.scans.prefix(4 + Int(parts.scans[parts.scans.startIndex + 3]) - 2))
    file += header
    let rows = (size.height + 7) / 8
    for row in 0..<rows {
      file += one
      file += row + 1 < rows ? [0xFF, 0xD0 + UInt8(row % 8)] : [0xFF, 0xD9]
    }
    return file
  }

  /// The coded bits of one row of blocks: all of a strip that is one block high.
  private static func row(_ strip: [UInt8]) throws -> [UInt8] {
    let low = try Encoder.jpeg(Pixels(width: size.width, height: 8, colour: 0x4080C0), quality: 95)
    let scans = try JPEGParts(low).scans
    let header = 2 + Int(scans[scans.startIndex + 3])
    return Array(scans.dropFirst(header).dropLast(2))
  }

  /// The most memory that a process had, in MB.
  private static func peak(of process: some CustomStringConvertible) throws -> Int {
    let status = try String(contentsOfFileAt: "/proc/\(process)/status")
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) / 1024
  }

  @Test func `its views and parts cost the worker less than 250 MB`() async throws {
    let content = try PictureContent(try Self.file())
    let header = try content.header()
    #expect(header.size == Self.size && header.hasAreas)
    let pool = try WorkerKit.pool()
    let before = WorkerKit.children()
    let small = try await pool.pixels(
      .thumbnail(box: PixelSize(width: 1768, height: 884)), of: content, orientation: .upright)
    #expect(small.pixels.size == PixelSize(width: 1768, height: 884) && !small.isDamaged)
    let base = header.size(eighths: 2)
    for orientation in [Orientation.upright, .quarterRight] {
      let shown = try await pool.pixels(
        .decode(atLeast: orientation.apply(to: base)), of: content, orientation: orientation)
      #expect(shown.pixels.size == orientation.apply(to: base))
    }
    let part = PixelRect(x: 11_000, y: 6000, width: 2800, height: 1000)
    let detail = try await pool.pixels(.area(part, eighths: 8), of: content, orientation: .upright)
    let colour = detail.pixels[1400, 500]
    #expect(abs(Int(colour >> 8 & 255) - 0x80) <= 2)
    let worker = try #require(WorkerKit.children().subtracting(before).first)
    let peak = try Self.peak(of: worker)
    #expect(peak < 250)
  }
}
