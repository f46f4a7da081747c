import Backends
import Basics
import Database
import Foundation
import Synchronization
import TestKit
import Testing

/// `byteclub serve --hook`, by the real program, with a receiver on loopback.
@Suite(.enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct HookTests {
  private static let key = "0123456789abcdef0123456789abcdef"

  /// Keeps what comes, and takes nothing before it may.
  private final class Receiver: Sendable {
    private struct State {
      var requests: [RawRequest] = []
      var takes = false
    }

    private final class Received: Sendable {
      let state = Mutex(State())
    }

    private let received = Received()
    private let server: RawServer

    init() throws {
      server = try RawServer { [received] connection in
        while let request = connection.request() {
          let takes = received.state.withLock { state in
            state.requests.append(request)
            return state.takes
          }
          guard takes else { return connection.waitUntilClosed() }
          guard connection.send(RawAnswer(200)) else { return }
        }
      }
    }

    deinit { server.stop() }

    var url: String { server.url + "/hook" }
    func takeFromNowOn() { received.state.withLock { $0.takes = true } }

    /// The first requests, once so many have come.
    func requests(_ count: Int) async -> [RawRequest] {
      while true {
        let found = received.state.withLock { $0.requests }
        if found.count >= count { return found }
        await Task.yield()
      }
    }
  }

  private func paths(_ request: RawRequest) throws -> [String] {
    let document = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    #expect(document?["club"] as? String == "club")
    return try #require(document?["items"] as? [[String: Any]]).compactMap { item in
      "\(item["member"] as? String ?? "-") \(item["action"] as? String ?? "") \(item["path"] as? String ?? "")"
    }
  }

  /// As a receiver checks it.
  private func isSigned(_ request: RawRequest) -> Bool {
    let parts = (request.headers["X-Byteclub-Signature"] ?? "").split(separator: ",")
    guard parts.count == 2, parts[0].hasPrefix("t="), parts[1].hasPrefix("v1=") else { return false }
    let text = "\(parts[0].dropFirst(2)).\(String(decoding: request.body, as: UTF8.self))"
    return parts[1].dropFirst(3) == SHA256.hexadecimal(HMAC.sha256(text, key: Array(HookTests.key.utf8)))
  }

  @Test func `a batch that a restart broke off comes again with the same id, and no event comes in another batch`()
    async throws
  {
    let (home, receiver) = (try CommandLineHome(), try Receiver())
    try home.write(Array((HookTests.key + "\n").utf8), to: "key")
    try home.write(Array("old\n".utf8), to: "club/old.md")
    let options = ["--hook", receiver.url, "--hook-key", home.path + "/key", "--hook-private"]
    let first = try RunningServer(options, in: home)
    let ann = try first.admit("ann")
    // Events begin with a place in the file of the hook.
    while true {
      if let file = home.files(ending: "/hook.sqlite").first,
        try ServerHookDatabase(path: home.path + "/" + file).place() != nil
      {
        break
      }
      await Task.yield()
    }
    try first.upload("/a.md", "a", token: ann)
    _ = await receiver.requests(1)
    _ = try first.finish()
    // On a busy machine the first server may have tried it again.
    let before = await receiver.requests(1).count
    receiver.takeFromNowOn()
    let second = try RunningServer(options, in: home)
    _ = await receiver.requests(before + 1)
    try second.upload("/c.md", "c", token: ann)
    // The server sends a batch again if the receiver answers too late.
    var all = await receiver.requests(before + 2)
    while try paths(all[all.count - 1]) != ["ann added c.md"] { all = await receiver.requests(all.count + 1) }
    _ = try second.finish()
    #expect(all.allSatisfy { isSigned($0) })
    let ids = all.map { $0.headers["X-Byteclub-Delivery"] ?? "" }
    #expect(Set(ids.dropLast()) == [ids[0]] && ids[0] != ids[ids.count - 1] && !ids.contains(""), "\(ids)")
    for request in all.dropLast() {
      #expect(try request.body == all[0].body && paths(request) == ["ann added a.md"])
    }
  }
}
