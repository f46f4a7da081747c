import Foundation

/// A small JPEG of 160 x 80 pixels.
public enum SamplePicture {
  public static let jpeg = [UInt8](Data(base64Encoded: text) ?? Data())

  /// The width and height in a JPEG's frame header; nil if there is none.
  public static func size(of jpeg: [UInt8]) -> (width: Int, height: Int)? {
    guard jpeg.starts(with: [0xFF, 0xD8]) else { return nil }
    var at = 2
    while at + 8 < jpeg.count, jpeg[at] == 0xFF {
      let marker = jpeg[at + 1]
      if (0xC0...0xC2).contains(marker) {
        return (Int(jpeg[at + 7]) << 8 | Int(jpeg[at + 8]), Int(jpeg[at + 5]) << 8 | Int(jpeg[at + 6]))
      }
      at += 2 + (Int(jpeg[at + 2]) << 8 | Int(jpeg[at + 3]))
    }
    return nil
  }

  private static let text =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71"
    + "////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4"
    + "+Pj4+Pj4+Pj/wAARCABQAKADASIAAhEBAxEB/8QAGAABAQEBAQAAAAAAAAAAAAAAAgEABAX/xAAVEAEBAAAAAAAAAAAAAAAAAAAA"
    + "Ef/EABkBAQEBAQEBAAAAAAAAAAAAAAIBAAMFBP/EABYRAQEBAAAAAAAAAAAAAAAAAAABEf/aAAwDAQACEQMRAD8A8qLCix9WhKEW"
    + "FFiacoxYUWNpShFhRYmlKMWFFiacoxoUWJpSjFhRYmnKMaHGjaUoxYUWJpSjGhxomnK5IsKLHTXiyhFhRYmnKMWFFiaUoRYUWNpS"
    + "jFhRYmnKEWFFiaUoxYUWJpyjGhxomlKMWFFjaUoxocaJpyuSLCix014soRYUWJpyjFhRYmlKEWFFiaUoxYUWNpyhFhRYmlKMWFFi"
    + "acoxocaJpSjFhRYmlKMaHGjacrkiwosdNeLKEWFFiacoxYUWJpShFhRYmnKMWFFiaUoRYUWNpSjFhRYmnKMaHGiaUoxYUWJpSjGh"
    + "xomnK5IsKLHXXiyhFhRYmnKMWFFiaUoRYUWJpyjFhRYmlKEWFFjaUoxYUWJpyjGhRYmlKMWFFiaUoxocaJpyv//Z"
}
