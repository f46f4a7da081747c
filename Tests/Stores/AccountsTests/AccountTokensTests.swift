import Backends
import Basics
import FileStores
import POSIX
import Synchronization
import TestKit
import Testing

@testable import Accounts

/// Tokens that are kept: when they are renewed, by whom, and what becomes of it.
struct AccountTokensTests {
  private static let dead = ScriptedTransport.Answer.text(
    400, #"{"error":"invalid_grant","error_description":"refresh token is invalid or revoked"}"#)
  private static let unreachable = StoreError(.offline, "The server cannot be reached.")

  @Test func `a fresh token is given without asking anybody`() async throws {
    let scene = try Scene()
    try scene.signIn()
    let tokens = scene.tokens()
    #expect(try await tokens.token(refusing: nil) == "first-access")
    scene.pass(14_099)
    #expect(try await tokens.token(refusing: nil) == "first-access")
    #expect(scene.transport.recorded.isEmpty)
  }

  @Test func `five minutes before its end it is renewed, and the next process finds the new one`() async throws {
    let scene = try Scene(Scene.renewal())
    try scene.signIn()
    scene.pass(14_100)
    #expect(try await scene.tokens().token(refusing: nil) == "second-access")
    let sent = try #require(scene.transport.recorded.first)
    #expect(sent.request.url == "https://club.example:8443/oauth2/token")
    #expect(sent.request.headers["Authorization"] == nil)
    #expect(sent.text == "grant_type=refresh_token&refresh_token=first-refresh&client_id=byteclub")
    #expect(try await scene.tokens().token(refusing: nil) == "second-access")
    #expect(scene.transport.recorded.count == 1)
    let kept = try #require(try scene.file.read())
    #expect(kept.refreshToken == "first-refresh")
    #expect(kept.expires == scene.now + 14_400)
  }

  @Test func `one that the service refuses is renewed although it looks fresh`() async throws {
    let scene = try Scene(Scene.renewal())
    try scene.signIn()
    let tokens = scene.tokens()
    #expect(try await tokens.token(refusing: "first-access") == "second-access")
    // A call that was under way with the old token comes back late.
    #expect(try await tokens.token(refusing: "first-access") == "second-access")
    #expect(scene.transport.recorded.count == 1)
  }

  @Test func `a hundred callers make one renewal, and all get its token`() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.wait()
      return Scene.renewal()
    }
    let scene = try Scene(transport)
    try scene.signIn()
    let tokens = scene.tokens()
    let got = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 { group.addTask { try await tokens.token(refusing: "first-access") } }
      while await tokens.waiting < 100 { await Task.yield() }
      gate.open()
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(got == Array(repeating: "second-access", count: 100))
    #expect(transport.recorded.count == 1)
  }

  @Test func `a caller whose token was refused is not given that one, when a renewal for others brings it`()
    async throws
  {
    let gate = Gate()
    let count = Atomic(0)
    let transport = ScriptedTransport { _ in
      await gate.wait()
      return Scene.renewal(count.add(1, ordering: .relaxed).newValue == 1 ? "second-access" : "third-access")
    }
    let scene = try Scene(transport)
    try scene.signIn()
    let tokens = scene.tokens()
    let first = Task { try await tokens.token(refusing: "first-access") }
    while await tokens.waiting < 1 { await Task.yield() }
    // Another process had renewed it, and this one has already been refused with what that got.
    let second = Task { try await tokens.token(refusing: "second-access") }
    while await tokens.waiting < 2 { await Task.yield() }
    gate.open()
    #expect(try await first.value == "second-access")
    #expect(try await second.value == "third-access")
    #expect(transport.recorded.count == 2)
  }

  @Test func `a caller that is cancelled leaves at once, and the renewal goes on for the others`() async throws {
    let gate = Gate()
    let asked = Gate()
    let transport = ScriptedTransport { _ in
      asked.open()
      await gate.wait()
      return Scene.renewal(refresh: "second-refresh")
    }
    let scene = try Scene(transport)
    try scene.signIn()
    let tokens = scene.tokens()
    let first = Task { try await tokens.token(refusing: "first-access") }
    await asked.wait()
    let second = Task { try await tokens.token(refusing: "first-access") }
    while await tokens.waiting < 2 { await Task.yield() }
    first.cancel()
    let error = await #expect(throws: StoreError.self) { try await first.value }
    #expect(error?.kind == .cancelled)
    gate.open()
    #expect(try await second.value == "second-access")
    #expect(try scene.file.read()?.refreshToken == "second-refresh")
  }

  @Test func `also when nobody waits any more, a new refresh token is kept`() async throws {
    let gate = Gate()
    let asked = Gate()
    let transport = ScriptedTransport { _ in
      asked.open()
      await gate.wait()
      return Scene.renewal(refresh: "second-refresh")
    }
    let scene = try Scene(transport)
    try scene.signIn()
    let tokens = scene.tokens()
    let caller = Task { try await tokens.token(refusing: "first-access") }
    await asked.wait()
    caller.cancel()
    await #expect(throws: StoreError.self) { try await caller.value }
    gate.open()
    #expect(try await tokens.token(refusing: "first-access") == "second-access")
    #expect(try scene.file.read()?.refreshToken == "second-refresh")
    #expect(transport.recorded.count == 1)
  }

  @Test func `when the service has ended the sign-in, that is said, and it is not asked again`() async throws {
    let scene = try Scene(Self.dead)
    try scene.signIn()
    let tokens = scene.tokens()
    for _ in 0..<3 {
      let error = await #expect(throws: StoreError.self) { try await tokens.token(refusing: "first-access") }
      #expect(error?.kind == .notSignedIn)
      #expect(error?.message.contains("refresh token is invalid or revoked") == true)
      #expect(error?.remedy == "Sign in with: byteclub login --club lab")
    }
    #expect(scene.transport.recorded.count == 1)
    // Another process has signed in meanwhile.
    try scene.file.write(
      Grant(accessToken: "new-access", refreshToken: "new", obtained: scene.now, expires: nil, accountID: nil))
    #expect(try await tokens.token(refusing: "first-access") == "new-access")
  }

  @Test func `nobody is signed in where there is no file, and nobody is asked`() async throws {
    let scene = try Scene()
    let error = await #expect(throws: StoreError.self) { try await scene.tokens().token(refusing: nil) }
    #expect(error?.kind == .notSignedIn)
    #expect(error?.description == "You are not signed in to club.example:8443. Sign in with: byteclub login --club lab")
    #expect(scene.transport.recorded.isEmpty)
  }

  @Test func `a token that ends and cannot be renewed is the end of the sign-in`() async throws {
    let scene = try Scene()
    try scene.signIn(refresh: nil)
    let tokens = scene.tokens()
    #expect(try await tokens.token(refusing: nil) == "first-access")
    let error = await #expect(throws: StoreError.self) { try await tokens.token(refusing: "first-access") }
    #expect(error?.kind == .notSignedIn)
    #expect(scene.transport.recorded.isEmpty)
  }

  @Test func `offline, a token is used to its very end, and renewal is tried again after half a minute`() async throws {
    let scene = try Scene(.failure(Self.unreachable), .text(503, ""), Scene.renewal())
    try scene.signIn()
    let tokens = scene.tokens()
    scene.pass(14_200)
    #expect(try await tokens.token(refusing: nil) == "first-access")
    #expect(try await tokens.token(refusing: nil) == "first-access")
    #expect(scene.transport.recorded.count == 1)
    scene.pass(30)
    #expect(try await tokens.token(refusing: nil) == "first-access")
    #expect(scene.transport.recorded.count == 2)
    scene.pass(30)
    #expect(try await tokens.token(refusing: nil) == "second-access")
  }

  @Test func `offline, a token that has ended or was refused is an error that says so, and may be tried again`()
    async throws
  {
    let scene = try Scene(.failure(Self.unreachable), .failure(Self.unreachable), Scene.renewal())
    try scene.signIn()
    let tokens = scene.tokens()
    let refused = await #expect(throws: StoreError.self) { try await tokens.token(refusing: "first-access") }
    #expect(refused == Self.unreachable)
    scene.pass(14_400)
    let ended = await #expect(throws: StoreError.self) { try await tokens.token(refusing: nil) }
    #expect(ended == Self.unreachable)
    #expect(try await tokens.token(refusing: nil) == "second-access")
  }

  @Test func `of two processes one renews, and the other takes what it has got`() async throws {
    let transport = ScriptedTransport { sent in
      // A service that accepts each refresh token once.
      sent.text.contains("first-refresh") ? Scene.renewal(refresh: "second-refresh") : AccountTokensTests.dead
    }
    let scene = try Scene(transport)
    try scene.signIn()
    let processes = (0..<8).map { _ in scene.tokens() }
    let got = try await withThrowingTaskGroup(of: String.self) { group in
      for process in processes {
        for _ in 0..<5 { group.addTask { try await process.token(refusing: "first-access") } }
      }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(got == Array(repeating: "second-access", count: 40))
    #expect(transport.recorded.count == 1)
    #expect(try scene.file.read()?.refreshToken == "second-refresh")
  }

  @Test func `a process that waits for another reads the file anew before it asks`() async throws {
    let scene = try Scene()
    try scene.signIn()
    let lock = try #require(try scene.file.lock())
    let tokens = AccountTokens(
      scene.account, source: .file, directory: scene.directory, transport: scene.transport, pool: BlockingPool(),
      now: { scene.now },
      clock: ReleasingClock {
        // The other has renewed and lets go.
        try? scene.file.write(
          Grant(accessToken: "other-access", refreshToken: "other", obtained: scene.now, expires: nil, accountID: nil))
        lock.release()
      })
    #expect(try await tokens.token(refusing: "first-access") == "other-access")
    #expect(scene.transport.recorded.isEmpty)
  }

  @Test func `a process that never lets go is named after a minute and a half`() async throws {
    let scene = try Scene()
    try scene.signIn()
    let lock = try #require(try scene.file.lock())
    defer { lock.release() }
    let error = await #expect(throws: StoreError.self) {
      try await scene.tokens().token(refusing: "first-access")
    }
    #expect(error?.kind == .server)
    #expect(error?.message.contains("Another byteclub") == true)
    #expect(scene.clock.now.offset == .seconds(90))
  }

  @Test func `a new refresh token that cannot be written is said once, and not lost while the program runs`()
    async throws
  {
    let place = Mutex("")
    let count = Atomic(0)
    let transport = ScriptedTransport { _ in
      let number = count.add(1, ordering: .relaxed).newValue
      // While the answer is on its way, something else takes the file's place: it cannot be replaced.
      if number == 1 {
        let path = place.withLock { $0 }
        unlink(path)
        mkdir(path, 0o700)
      }
      return number == 1 ? Scene.renewal(refresh: "second-refresh") : Scene.renewal("third-access")
    }
    let scene = try Scene(transport)
    try scene.signIn()
    place.withLock { $0 = scene.file.path }
    let tokens = scene.tokens()
    let error = await #expect(throws: StoreError.self) { try await tokens.token(refusing: "first-access") }
    #expect(error?.message.contains("could not be written") == true)
    #expect(try await tokens.token(refusing: "first-access") == "second-access")
    rmdir(scene.file.path)
    try scene.signIn()
    #expect(try await tokens.token(refusing: "second-access") == "third-access")
    #expect(transport.recorded.last?.text.contains("second-refresh") == true)
    #expect(try scene.file.read()?.accessToken == "third-access")
    #expect(try scene.file.read()?.refreshToken == "second-refresh")
  }

  @Test func `the file is not used when others can read it`() async throws {
    let scene = try Scene()
    try scene.signIn()
    chmod(scene.file.path, 0o644)
    let error = await #expect(throws: StoreError.self) { try await scene.tokens().token(refusing: nil) }
    #expect(error?.kind == .notPermitted)
  }
}

/// A clock whose first sleep does something and returns at once.
private final class ReleasingClock: Clock {
  typealias Instant = ContinuousClock.Instant
  private let body: @Sendable () -> Void
  private let isDone = Atomic(false)

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  var now: Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    if !isDone.exchange(true, ordering: .relaxed) { body() }
  }
}
