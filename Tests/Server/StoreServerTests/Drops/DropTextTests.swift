import Imaging
import Testing

@testable import StoreServer

/// Texts of strangers.
struct DropTextTests {
  @Test(
    "A picture gets a name of its own kind, which leads nowhere and hides nothing",
    arguments: [
      ("IMG_1.JPG", "IMG_1.JPG"), ("../../etc/passwd", "passwd.jpg"), ("C:\\photos\\pier.jpeg", "pier.jpeg"),
      ("..", "photo.jpg"), ("", "photo.jpg"), (".hidden.jpg", "hidden.jpg"), ("a.png", "a.png.jpg"),
      ("a\u{0}b\n.jpg", "a_b_.jpg"), ("gpj.\u{202E}evil.jpg", "gpj._evil.jpg"), ("a.md", "a.md.jpg"),
      (".byteclub-x.jpg", "byteclub-x.jpg"), ("a .jpg", "a.jpg"), ("jpg", "jpg.jpg"), (".jpg", "jpg.jpg"),
    ] as [(String, String)])
  func fileNames(name: String, made: String) {
    #expect(DropText.fileName(name, .jpeg) == made)
  }

  @Test("A long name is cut before its ending, between letters")
  func longName() {
    let name = DropText.fileName(String(repeating: "ä", count: 400) + ".png", .png)
    #expect(name.hasSuffix("ä.png") && name.utf8.count <= 190)
  }

  @Test("A giver's name is one short line, and cannot say whose guest somebody is")
  func guests() {
    #expect(DropText.guest("  Mia\n\u{1B}[31m\u{202E} Olsen ") == "Mia 31m Olsen")
    #expect(DropText.guest("Mia (a guest of eve)") == "Mia a guest of eve")
    #expect(DropText.guest("\u{FF08}ann\u{FF09}") == "ann")
    #expect(DropText.guest(" \n\u{200B}") == nil)
    #expect(DropText.guest(String(repeating: "👩‍👩‍👧", count: 100)).map { $0.utf8.count <= 200 } == true)
  }

  @Test("A caption keeps its lines, and no other controls")
  func captions() {
    #expect(DropText.caption("\n At the pier\r\nin \u{7}May\u{202E}\n\n") == "At the pier\nin  May")
    #expect(DropText.caption(" \r\n ") == nil)
    #expect(DropText.caption(String(repeating: "x", count: 9_000))?.count == 2_000)
  }

  @Test("HEIC and AVIF are distinguished from films by their first bytes, and keep their ending")
  func kinds() {
    func format(_ brand: String) -> PictureFormat? {
      ([0, 0, 0, 24] + Array("ftyp\(brand)".utf8)).withUnsafeBytes { PictureFormat.recognise($0) }
    }
    for brand in ["heic", "heix", "hevc", "mif1", "msf1"] { #expect(format(brand) == .heic) }
    #expect(format("avif") == .avif && format("mp42") == nil && format("qt  ") == nil)
    #expect(DropText.fileName("IMG_1.HEIC", .heic) == "IMG_1.HEIC")
    #expect(DropText.fileName("IMG_1.heif", .heic) == "IMG_1.heif")
    #expect(DropText.fileName("a.avif", .heic) == "a.avif" && DropText.fileName("a.jpg", .heic) == "a.jpg.heic")
  }
}
