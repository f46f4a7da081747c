import Foundation
import TestKit
import Testing

/// A club goes by `byteclub club copy` through each kind of store and comes back. `scripts/conformance copy` does the same
/// with 1,100 files.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason))
) struct RoundTripTests {
  /// Names that some server or client gets wrong.
  private static let oddNames = [
    "a b.md", "plus+.md", "x=y.md", "50%.md", "%2F.md", "q?&;#.md", "it's.md", "[brackets].md", "~tilde.md", "a:b@c.md",
    "u\u{FC}ber.md", "o\u{308}de.md", "🌊 wave.md", "日本語.md", "trailing space .md", "'quoted\".md",
    "comma,.md", "$dollar!.md", "<tag>.md", "a\u{200B}b.md", "photos/2025 + trip/pier %20.jpg", "photos/é/e\u{301}.jpg",
  ]

  private static func club() -> [String: [UInt8]] {
    var numbers = SeededNumbers(20)
    var files: [String: [UInt8]] = ["empty.md": [], "photos/empty.jpg": []]
    for name in oddNames { files[name] = Array("The name of this file is \(name).\n".utf8) }
    for number in 0..<16 { files["note \(number).md"] = Array(repeating: 0x61, count: numbers.below(5000)) }
    // Larger than a part of an upload to S3.
    files["photos/large.jpg"] = TransferScene.picture(3, mebibytes: 17)
    return files
  }

  /// All files below a folder but byteclub's own. Names are their bytes, because Swift's strings hold both forms of an
  /// umlaut for equal.
  private func files(below folder: String) -> [[UInt8]: [UInt8]] {
    var found: [[UInt8]: [UInt8]] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init()
    where !name.hasPrefix(".byteclub") {
      var isFolder: ObjCBool = false
      let path = folder + "/" + name
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { continue }
      found[Array(name.utf8)] = FileManager.default.contents(atPath: path).map { Array($0) }
    }
    return found
  }

  @Test func `a club that goes from a folder to S3, WebDAV, a server and back is the same, byte by byte`() throws {
    let bucket = try Bucket()
    let scene = try TransferScene()
    let served = try TemporaryFolder()
    let cloud = try PythonServer("webdav_server.py", [served.file("own"), served.file("dav")])
    defer { cloud.stop() }
    let club = Self.club()
    for (name, bytes) in club { try scene.home.write(bytes, to: "from/" + name) }
    try scene.set("bucket", bucket.settings(through: bucket.port))
    try scene.set("cloud", ["store": "webdav", "url": "http://127.0.0.1:\(cloud.port)/"])
    let server = try ClubServer(scene.home, folder: "served")
    try scene.set("lab", ["store": "dropbox", "server": server.address, "folder": "/"])
    let variables = Bucket.keys.merging(["BYTECLUB_TOKEN": try server.admit("ann")]) { $1 }
    let goal = Dictionary(uniqueKeysWithValues: club.map { (Array($0.utf8), $1) })
    // Dropbox keeps names in NFC, and so does `byteclub serve`.
    let composed = Dictionary(
      uniqueKeysWithValues: club.map { (Array($0.precomposedStringWithCanonicalMapping.utf8), $1) })

    let stations = [scene.home.path + "/from", "bucket", "cloud", "lab", scene.home.path + "/back"]
    for (source, target) in zip(stations, stations.dropFirst()) {
      let copy = try scene.start(["club", "copy", source, target, "--progress", "none"], variables).finish()
      #expect(copy.status == 0 && copy.said.contains("\(club.count) files ("), "\(source) to \(target): \(copy.said)")
    }
    #expect(files(below: scene.home.path + "/back") == composed)
    #expect(files(below: scene.home.path + "/served") == composed)
    #expect(files(below: served.file("dav")) == goal)
    let names = try bucket.names().map { Array($0.utf8) }
    #expect(Set(names) == Set(goal.keys) && names.count == goal.count)
    #expect(try bucket.unfinished().isEmpty)

    let again = try scene.start(["club", "copy", "bucket", "cloud", "--json"], variables).finish()
    #expect(again.text.contains(#""written":0,"bytes":0,"kept":\#(club.count)"#), "\(again.text) \(again.said)")
  }
}
