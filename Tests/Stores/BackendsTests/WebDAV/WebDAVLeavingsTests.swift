import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Backends

/// The leavings of byteclubs that were killed, and uploads in pieces, at a real Apache.
@Suite(.serialized, .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"))
struct WebDAVLeavingsTests {
  private static func make(_ path: String, isFolder: Bool = false, age: Duration) throws {
    if isFolder {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else {
      try Data("left".utf8).write(to: URL(filePath: path))
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    try setAge(age, path)
  }

  private static func setAge(_ age: Duration, _ path: String) throws {
    let time = Date(timeIntervalSinceNow: -Double(age.components.seconds))
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
  }

  private static func write(_ store: WebDAVStore, _ name: String) async throws {
    _ = try await store.put(DataSource("text".utf8), at: StorePath(name), mode: .create)
    await store.sweep.withLock { $0 }?.value
  }

  @Test(.served(by: .apache)) func `a sweep takes what is older than two days, and comes once a day`() async throws {
    let server = try WebDAVServer.shared
    let name = try server.newClub()
    let club = "\(server.files)/\(name)"
    let (old, young) = (Duration.seconds(3 * 86_400), Duration.seconds(86_400))
    try Self.make(club + "/sub", isFolder: true, age: old)
    try Self.make(club + "/.byteclub", isFolder: true, age: old)
    try Self.make(club + "/.byteclub/probe-old", isFolder: true, age: old)
    for file in ["sub/.byteclub-part-old", ".byteclub-part-old", "sub/old.md", ".byteclub-other"] {
      try Self.make(club + "/" + file, age: old)
    }
    try Self.make("\(club)/\(WebDAVLease.folder)", isFolder: true, age: old)
    try Self.make("\(club)/\(WebDAVLease.folder)/old", isFolder: true, age: old)
    try Self.make(club + "/.byteclub-part-young", age: young)

    try await Self.write(try server.open(name), "first.md")
    #expect(
      try Set(server.names(name))
        == [
          ".byteclub", ".byteclub/swept", ".byteclub/seats", ".byteclub-other", ".byteclub-part-young", "sub",
          "sub/old.md", "first.md",
        ])

    try Self.make(club + "/.byteclub-part-again", age: old)
    try await Self.write(try server.open(name), "second.md")
    #expect(try server.names(name).contains(".byteclub-part-again"))
    try Self.setAge(.seconds(86_401), club + "/.byteclub/swept")
    try await Self.write(try server.open(name), "third.md")
    #expect(try !server.names(name).contains(".byteclub-part-again"))
    #expect(try server.names(name).contains(".byteclub-part-young"))
  }

  @Test(.served(by: .apache), .timeLimit(.minutes(5)))
  func `the lease of a program that was killed is free when another one has seen it for a minute`() async throws {
    let server = try WebDAVServer.shared
    let name = try server.newClub()
    let (store, note) = (try server.open(name), try StorePath("note.md"))
    try await WebDAVLease(note, store).take()
    // Another writer, whose pauses are counted, and pass at once.
    let clock = ManualClock(advancesOnSleep: true)
    let other = try server.open(name, tune: { $0.clock = clock })
    _ = try await other.put(DataSource("text".utf8), at: note, mode: .create)
    #expect(clock.now.offset < .seconds(75), "\(clock.slept)")
    try server.expectClean(name)
  }

  @Test(.served(by: .apache)) func `a part that is gone is not made anew with a hole`() async throws {
    let server = try WebDAVServer.shared
    let name = try server.newClub()
    let store = try server.open(name)
    _ = try await store.server.findings()
    let uploads = try #require(store.capabilities.uploads)
    let session = try await uploads.begin(StorePath("a"), size: nil)
    _ = try await uploads.append(Array("hello ".utf8)[...], to: session, at: 0)
    try FileManager.default.removeItem(atPath: "\(server.files)/\(name)/\(session.id)")
    let error = await #expect(throws: StoreError.self) {
      try await uploads.append(Array("world".utf8)[...], to: session, at: 6)
    }
    #expect(error?.kind == .notFound)
    #expect(try !server.names(name).contains(session.id))
  }
}
