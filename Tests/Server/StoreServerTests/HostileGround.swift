import Foundation
import JSON
import TestKit
import Testing

/// A server's surroundings with something in each place that a hostile path might reach, and a look at them afterwards.
struct HostileGround {
  private static let secret = "secret of the server"
  private let server: TestServer
  private let canary: String
  private let before: Set<String>

  init(_ server: TestServer) async throws {
    self.server = server
    canary = server.data + "/canary"
    try write(HostileGround.secret, to: canary)
    try await server.upload("/file", "text")
    symlink(canary, server.root + "/link")
    symlink(server.data, server.root + "/folder-link")
    mkfifo(server.root + "/pipe", 0o600)
    before = HostileGround.beside(server)
  }

  /// What lies around the club, but for the index, which changes with every request.
  private static func beside(_ server: TestServer) -> Set<String> {
    let parent = (server.root as NSString).deletingLastPathComponent
    return Set(everything(below: parent).filter { !$0.hasPrefix("root/") && !$0.hasPrefix("data/index.sqlite") })
  }

  /// Sends all paths at once.
  func tried(
    _ paths: [String], _ send: @escaping @Sendable (String) async throws -> Reply
  ) async throws -> [(path: String, reply: Reply)] {
    try await withThrowingTaskGroup(of: (String, Reply).self) { group in
      for path in paths { group.addTask { (path, try await send(path)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Nothing was sent that is not in the club, nothing was written beside it, and the server goes on.
  func expectUnharmed(by what: String, _ replies: [(path: String, reply: Reply)]) async throws {
    for (path, reply) in replies {
      // A line that is no HTTP at all may be cut off without an answer.
      #expect(
        (200..<500).contains(reply.status), "\(what) with \(path.debugDescription): \(reply.status) \(reply.text)")
      #expect(!reply.text.contains(HostileGround.secret) && !reply.text.contains("root:x:0:0"))
      #expect(!reply.text.contains(server.data))
    }
    #expect(contents(canary) == HostileGround.secret)
    // Old versions are kept beside; nothing else may come or go.
    #expect(
      HostileGround.beside(server).symmetricDifference(before).allSatisfy {
        $0.hasPrefix("data/versions/") || $0.hasPrefix("data/incoming/")
      })
    #expect(
      !everything(below: server.root).contains { $0.split(separator: "/").contains { $0.hasPrefix(".byteclub-x") } })
    #expect(try await server.call("check/user", .members(["query": "alive"])).status == 200)
  }
}
