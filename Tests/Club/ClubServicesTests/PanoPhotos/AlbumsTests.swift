import ClubServices
import FileStores
import Testing

@Suite struct `The albums of a club` {
  private typealias Photo = (name: [UInt8], seconds: Int64?)

  private static func photos(_ names: String...) -> [Photo] { names.map { (Array($0.utf8), nil) } }

  private func albums(_ photos: [Photo], in folder: String = "") -> Albums {
    Albums(in: Array(folder.utf8), of: photos.count) {
      photos[$0].name[...]
    } modified: {
      photos[$0].seconds.map { Timestamp(seconds: $0) }
    }
  }

  private func words(_ albums: Albums) -> [String] {
    albums.albums.map { "\(String(decoding: $0.path, as: UTF8.self)) \($0.count)" }
  }

  @Test func `are the folders directly in one, with the photos at all depths below`() {
    let photos = Self.photos("a.jpg", "oslo/1.jpg", "oslo/pier/2.jpg", "oslo/pier/deep/3.jpg", "oslo2/4.jpg", "z.jpg")
    let top = albums(photos)
    #expect(words(top) == ["oslo 3", "oslo2 1"] && top.photos == [0, 5])
    let oslo = albums(photos, in: "oslo")
    #expect(words(oslo) == ["oslo/pier 2"] && oslo.photos == [1])
    #expect(oslo.albums[0].name.elementsEqual("pier".utf8) && oslo.albums[0].parent == Array("oslo".utf8))
    #expect(top.albums[0].parent == nil && words(albums(photos, in: "oslo/pier")) == ["oslo/pier/deep 1"])
    #expect(words(albums(photos, in: "gone")).isEmpty && albums(photos, in: "gone").photos.isEmpty)
  }

  @Test func `have their newest photo as cover, and without dates their first`() {
    let dated: [Photo] = [("o/1.jpg", 10), ("o/p/2.jpg", 30), ("o/3.jpg", 20), ("q/4.jpg", nil), ("q/5.jpg", nil)]
      .map { (Array($0.0.utf8), $0.1) }
    let found = albums(dated).albums
    #expect(found.map { String(decoding: $0.cover, as: UTF8.self) } == ["o/p/2.jpg", "q/4.jpg"])
    #expect(found.map(\.newest) == [Timestamp(seconds: 30), nil])
  }

  @Test(arguments: [
    (false, false, ["c", "a", "b"]), (false, true, ["b", "a", "c"]), (true, false, ["b", "c", "a"]),
    (true, true, ["a", "c", "b"]),
  ])
  func `are in the order of the list, and keep their counts`(byDate: Bool, isReversed: Bool, order: [String]) {
    let photos: [Photo] = [("c/1.jpg", 2), ("a/1.jpg", nil), ("b/1.jpg", 3)].map { (Array($0.0.utf8), $0.1) }
    let sorted = albums(photos).sorted(byDate: byDate, isReversed: isReversed)
    #expect(sorted.albums.map { String(decoding: $0.name, as: UTF8.self) } == order)
    let counts = sorted.counts(of: ["a/1.jpg", "a/x/y.jpg", "gone/z.jpg", "a.jpg"].map { Array($0.utf8)[...] })
    #expect(counts == order.map { $0 == "a" ? 2 : 0 })
  }

  @Test func `with names that differ in case, form or controls alone are several, each with its own photos`() {
    let photos = Self.photos("Oslo/1.jpg", "oslo/2.jpg", "u\u{308}/3.jpg", "\u{FC}/4.jpg", "a\u{1B}[2J\n/5.jpg")
    #expect(albums(photos).albums.map(\.count) == [1, 1, 1, 1, 1])
    #expect(albums([(Array("x".utf8) + [0xFF, 0x2F] + Array("6.jpg".utf8), nil)]).albums[0].path == [0x78, 0xFF])
  }

  @Test func `may be named like a photo beside them`() {
    let found = albums(Self.photos("pier.jpg", "pier.jpg/1.jpg"))
    #expect(words(found) == ["pier.jpg 1"] && found.photos == [0])
  }

  @Test func `may be ten thousand, in any order`() {
    let photos: [Photo] = (0..<20_000).map { (Array("album \($0 % 10_000)/p\($0).jpg".utf8), nil) }
    let found = albums(photos)
    #expect(found.albums.count == 10_000 && found.albums.allSatisfy { $0.count == 2 })
    #expect(Albums.all(of: photos.count) { photos[$0].name[...] }.count == 10_000)
  }

  @Test func `end at 64 levels, where what is deeper is shown by its path`() {
    func folders(_ count: Int) -> String { (1...count).map { "d\($0)" }.joined(separator: "/") }
    let photos = Self.photos(folders(70) + "/p.jpg")
    #expect(words(albums(photos, in: folders(63))).count == 1 && !albums(photos, in: folders(63)).isDeepest)
    let deepest = albums(photos, in: folders(Albums.mostDepth))
    #expect(deepest.isDeepest && deepest.albums.isEmpty && deepest.photos == [0])
    #expect(Albums.album(of: photos[0].name[...]) == Array(folders(64).utf8))
    #expect(Albums.all(of: 1) { _ in photos[0].name[...] }.count == 64)
  }

  @Test(arguments: [
    ("oslo", "Oslo"), ("OSLO/pier", "Oslo/Pier"), ("new", "new"), ("oslo/new", "Oslo/new"), ("two", "two"),
    ("u\u{308}", "\u{FC}"), ("/oslo/", "Oslo"), ("", ""),
  ])
  func `are meant by a name in another case or form, unless several are alike`(typed: String, path: String) {
    let all = ["Oslo", "Oslo/Pier", "TWO", "Two", "\u{FC}"].map { Array($0.utf8) }
    #expect(Albums.meant(by: Array(typed.utf8), among: all) == Array(path.utf8))
  }

  @Test(
    arguments: [
      ("", "photos"), ("/", "photos"), ("oslo", "photos/oslo"), ("oslo/", "photos/oslo"), ("a/b c/", "photos/a/b c"),
      (".x", nil), ("a/.x", nil), ("a//b", nil), ("..", nil), ("a\u{1B}b", nil), ("a\u{FFFD}", nil),
      (Array(repeating: "d", count: 65).joined(separator: "/"), nil),
    ] as [(String, String?)])
  func `have names that a list shows`(typed: String, path: String?) throws {
    let folder = try StorePath("photos")
    do throws(StoreError) {
      let album = try PhotosService.album(named: typed, below: folder)
      #expect("\(album)" == path)
    } catch {
      #expect(path == nil && error.kind == .badName)
    }
  }
}
