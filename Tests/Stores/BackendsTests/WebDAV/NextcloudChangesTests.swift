import FileStores
import TestKit
import Testing

@testable import Backends

/// Changes by the ETags of folders, and the requests that they cost.
@Suite(.serialized) struct NextcloudChangesTests {
  private struct Scene {
    let cloud: NextcloudDouble
    let store: WebDAVStore
    let other: WebDAVStore
    let changes: any ChangeFeed
    var cursor: ChangeCursor

    /// Twenty folders of two files each, and one file three levels down.
    init() async throws {
      cloud = try NextcloudDouble.shared
      let club = cloud.newClub()
      (store, other) = try await (cloud.open(club), cloud.open(club))
      for number in 0..<20 {
        for name in ["a", "b"] { try await Scene.write(other, "folder \(number)/\(name).md", "text") }
      }
      try await Scene.write(other, "one/two/three/deep.md", "text")
      changes = try #require(store.capabilities.changes)
      cursor = try await changes.start()
      _ = cloud.takeRecorded()
    }

    static func write(_ store: WebDAVStore, _ path: String, _ text: String) async throws {
      _ = try await store.put(DataSource(text.utf8), at: try StorePath(path), mode: .overwrite)
    }

    /// The changes since the last call, as `+path` and `-path`, and the number of requests that they cost.
    mutating func poll() async throws -> (changes: Set<String>, requests: Int) {
      _ = cloud.takeRecorded()
      let news = try await changes.poll(since: cursor)
      cursor = news.cursor
      #expect(!news.mustRelist)
      let words = news.changes.map { change in
        switch change {
        case .present(let entry): "+\(entry.path)"
        case .absent(let path): "-\(path)"
        }
      }
      return (Set(words), cloud.takeRecorded().count)
    }
  }

  @Test(.atNextcloud) func `a club in which nothing has changed costs one request`() async throws {
    var scene = try await Scene()
    for _ in 0..<3 {
      let news = try await scene.poll()
      #expect(news.changes.isEmpty && news.requests == 1)
    }
  }

  @Test(.atNextcloud) func `a change costs a request for each folder above it`() async throws {
    var scene = try await Scene()
    try await Scene.write(scene.other, "folder 7/a.md", "new text")
    var news = try await scene.poll()
    #expect(news.changes == ["+folder 7/a.md"] && news.requests == 3, "\(news)")
    try await Scene.write(scene.other, "one/two/three/deep.md", "new text")
    news = try await scene.poll()
    #expect(news.changes == ["+one/two/three/deep.md"] && news.requests == 5, "\(news)")
    news = try await scene.poll()
    #expect(news.changes.isEmpty && news.requests == 1)
  }

  @Test(.atNextcloud) func `what goes with its folder, or comes with one, is news`() async throws {
    var scene = try await Scene()
    try await scene.other.delete(try StorePath("one"), ifRevision: nil)
    _ = try await scene.other.move(try StorePath("folder 3"), to: try StorePath("renamed"), ifRevision: nil)
    let news = try await scene.poll()
    #expect(
      news.changes == [
        "-one", "-one/two", "-one/two/three", "-one/two/three/deep.md", "-folder 3", "-folder 3/a.md", "-folder 3/b.md",
        "+renamed", "+renamed/a.md", "+renamed/b.md",
      ], "\(news)")
    try await Scene.write(scene.other, "one/two/again.md", "text")
    #expect(try await scene.poll().changes == ["+one", "+one/two", "+one/two/again.md"])
  }

  @Test(.atNextcloud) func `a folder that a file replaces loses its content`() async throws {
    var scene = try await Scene()
    try await scene.other.delete(try StorePath("folder 5"), ifRevision: nil)
    try await Scene.write(scene.other, "folder 5", "a file")
    #expect(try await scene.poll().changes == ["+folder 5", "-folder 5/a.md", "-folder 5/b.md"])
  }

  @Test(.atNextcloud) func `at a server with shallow tags every folder is listed`() async throws {
    try NextcloudDouble.shared.misbehave(.shallowTags)
    defer { try? NextcloudDouble.shared.misbehave() }
    var scene = try await Scene()
    #expect(scene.store.server.known?["folders"] == "shallow")
    try await Scene.write(scene.other, "one/two/three/deep.md", "new text")
    let news = try await scene.poll()
    #expect(news.changes == ["+one/two/three/deep.md"] && news.requests == 24, "\(news)")
  }
}

@Suite(.serialized) struct NextcloudSpaceTests {
  @Test(.atNextcloud) func `a full server says how much is free`() async throws {
    let cloud = try NextcloudDouble.shared
    let store = try await cloud.open(cloud.newClub()) { $0.chunkBytes = 7 << 20 }
    cloud.leave(room: 3 << 20)
    defer { cloud.leave(room: nil) }
    let path = try StorePath("big.jpg")
    let uploads = try #require(store.capabilities.uploads)
    let session = try await uploads.begin(path, size: nil)
    for isUpload in [false, true] {
      let error = await #expect(throws: StoreError.self) {
        let bytes = [UInt8](repeating: 1, count: 4 << 20)
        if isUpload {
          _ = try await uploads.append(bytes[...], to: session, at: 0)
        } else {
          _ = try await store.put(DataSource(bytes), at: path, mode: .create)
        }
      }
      #expect(error?.kind == .quota)
      #expect(error?.message == "\(cloud.origin) has no space left: 3 MiB are free.")
    }
  }

  @Test(.atNextcloud) func `the test of the server tells the used and the free space`() async throws {
    let cloud = try NextcloudDouble.shared
    cloud.leave(room: 5 << 30)
    defer { cloud.leave(room: nil) }
    let findings = try await cloud.open(cloud.newClub(), isFirst: true).server.findings()
    #expect(WebDAVSelfTest().sentences(findings).contains("the server's space: 0 KiB used, 5120 MiB free"))
  }

  @Test(.atNextcloud) func `a server without a limit tells the used space alone`() async throws {
    let cloud = try NextcloudDouble.shared
    let findings = try await cloud.open(cloud.newClub(), isFirst: true).server.findings()
    #expect(findings["used"] != nil && findings["free"] == nil)
  }

  @Test(
    arguments: [(0, "0 KiB"), (1 << 20, "1 MiB"), (10 << 30, "10 GiB"), (10_737_418_239, "10239 MiB")]
      as [(UInt64, String)])
  func `space is rounded down`(row: (bytes: UInt64, text: String)) {
    #expect(WebDAVSpace.text(row.bytes) == row.text)
  }
}
