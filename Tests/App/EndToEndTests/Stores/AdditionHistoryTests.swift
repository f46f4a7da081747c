import Foundation
import TestKit
import Testing

/// The README's example, `note append`, by the real program at each kind of store, and the history that it leaves.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PythonPackages.python != nil, Comment(rawValue: PythonPackages.reason))
) struct AdditionHistoryTests {
  private static let texts = [50, 51, 52].map { last in (1...last).map { "line \($0)\n" }.joined() }

  private func check(_ facts: [String: Any], _ secrets: [String: String] = [:]) throws {
    let scene = try TransferScene()
    try scene.set("lab", facts)
    func run(_ words: String...) throws -> Spawn.Outcome {
      let outcome = try scene.start(words + ["--club", "lab"], secrets).finish()
      #expect(outcome.status == 0, "\(words): \(outcome.said)")
      return outcome
    }
    func history() throws -> [(revision: String, size: Int)] {
      let document = try JSONSerialization.jsonObject(with: Data(try run("note", "history", "log", "--json").output))
      let results = try #require((document as? [String: Any])?["results"] as? [[String: Any]])
      return try results.map { (try #require($0["revision"] as? String), try #require($0["size"] as? Int)) }
    }
    let begin = Self.texts[0]
    try scene.home.write(begin, to: "log")
    _ = try run("note", "put", "log", scene.home.path + "/log")
    for line in ["line 51", "line 52"] { _ = try run("note", "append", "log", line) }
    let versions = try history()
    #expect(versions.map(\.size) == Self.texts.reversed().map(\.utf8.count))
    for (version, text) in zip(versions.reversed(), Self.texts) {
      _ = try run("note", "restore", "log", version.revision)
      #expect(try run("note", "cat", "log").text == text)
    }
    #expect(Set(try history().map(\.size)) == Set(Self.texts.map(\.utf8.count)))
  }

  @Test func `at a WebDAV server each version is the whole note`() throws {
    let served = try TemporaryFolder()
    let cloud = try PythonServer("webdav_server.py", [served.file("own"), served.file("dav")])
    defer { cloud.stop() }
    try check(["store": "webdav", "url": "http://127.0.0.1:\(cloud.port)/"], ["BYTECLUB_TOKEN": "any"])
  }

  @Test func `in a bucket each version is the whole note`() throws {
    let bucket = try Bucket()
    try check(bucket.settings(through: bucket.port), bucket.secrets)
  }

  @Test func `in a folder each version is the whole note`() throws {
    let folder = try TemporaryFolder()
    try check(["store": "folder", "path": folder.path])
  }
}
