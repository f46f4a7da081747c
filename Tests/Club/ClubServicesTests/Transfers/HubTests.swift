import FileStores
import Foundation
import POSIX
import TestKit
import Testing
import Transfers

@testable import ClubServices

@Suite(.timeLimit(.minutes(5))) struct `The owner of the transfers` {
  let scene: HubScene
  init() throws { scene = try HubScene() }

  @Test func `is nobody before anything is needed`() async throws {
    let hub = scene.hub()
    await hub.attach(WitnessDelegate())
    #expect(await hub.role == .none)
    #expect(!FileManager.default.fileExists(atPath: scene.runtime))
    #expect(scene.list.owners.all == 0)
    await hub.stop()
  }

  @Test func `is opened by a delegate when there is something to report`() async throws {
    let first = scene.hub()
    _ = try await first.add([try HubScene.order("a.jpg")])
    await first.stop()
    let (hub, witness) = (scene.hub(), WitnessDelegate())
    await hub.attach(witness)
    #expect(await hub.role == .owner)
    #expect(witness.lines == ["t1 appeared queued"])
    await hub.stop()
  }

  @Test func `reports a transfer that fails at the start to all delegates, as an event`() async throws {
    let first = scene.hub()
    _ = try await first.add([try HubScene.order("a.jpg")])
    await first.stop()
    let (hub, witnesses) = (scene.hub(failing: "t1"), [WitnessDelegate(), WitnessDelegate()])
    await hub.attach(witnesses)
    for witness in witnesses {
      #expect(witness.lines == ["t1 appeared queued", "t1 entered failed", "t1 finished failed"])
    }
    await hub.stop()
  }

  @Test func `has lock and socket in a directory that only the member can enter`() async throws {
    let hub = scene.hub()
    _ = try await hub.transfers()
    func mode(_ path: String) -> Int? {
      (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    }
    #expect(mode(scene.runtime) == 0o700)
    #expect(mode(scene.socket) == 0o600)
    #expect(mode(scene.runtime + "/transfers.lock") == 0o600)
    await hub.stop()
    #expect(!FileManager.default.fileExists(atPath: scene.socket))
  }

  @Test func `replaces a socket that a crash has left`() async throws {
    try FileManager.default.createDirectory(
      atPath: scene.runtime, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    close(try LocalSocket.listen(at: TransferServer.socket, in: scene.runtime))
    #expect(FileManager.default.fileExists(atPath: scene.socket))
    let (owner, client) = (scene.hub(), scene.hub())
    _ = try await owner.transfers()
    _ = try await client.transfers()
    #expect(await (owner.role, client.role) == (.owner, .client))
    await client.stop()
    await owner.stop()
  }

  @Test func `can be reached below a directory with a very long name`() async throws {
    let long = scene.directory + "/" + String(repeating: "long", count: 40)
    try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: false)
    let listening = try LocalSocket.listen(at: "s", in: long)
    defer { close(listening) }
    let connection = try #require(try LocalSocket.connect(to: "s", in: long))
    #expect(LocalSocket.isOurs(connection))
    close(connection)
  }

  @Test(arguments: 0..<5)
  func `is exactly one, however many start at once`(_: Int) async throws {
    let hubs = (0..<6).map { _ in scene.hub() }
    await withTaskGroup(of: Void.self) { group in
      for (number, hub) in hubs.enumerated() {
        group.addTask {
          await #expect(throws: Never.self) {
            let ids = try await hub.add([try HubScene.order("\(number).jpg")])
            #expect(ids.count == 1)
          }
        }
      }
    }
    var roles: [TransferHub.Role] = []
    for hub in hubs { roles.append(await hub.role) }
    #expect(roles.filter { $0 == .owner }.count == 1 && roles.filter { $0 == .client }.count == 5)
    #expect(scene.list.owners == (1, 1))
    #expect(scene.list.ids.count == 6)
    for hub in hubs { #expect(try await Set(hub.transfers().map(\.id)) == Set(scene.list.ids)) }
    for hub in hubs { await hub.stop() }
    #expect(scene.list.owners.atOnce == 1)
  }

  @Test func `does what another process says, and tells it what happens`() async throws {
    let (owner, client, witness) = (scene.hub(), scene.hub(), WitnessDelegate())
    let id = try await owner.add([try HubScene.order("a.jpg")])[0]
    await client.attach(witness)
    #expect(await client.role == .client)
    for command in [TransferCommand.pause(id), .limit(512_000), .move(id, .last), .pauseAll] {
      try await client.perform(command)
    }
    #expect(scene.list.commands == [.pause(id), .limit(512_000), .move(id, .last), .pauseAll])
    #expect(try await client.limit() == 512_000)
    let carrier = scene.carriers[0]
    await carrier.enter(id, .running)
    await witness.heard("t1 entered running")
    await carrier.progress(id, to: 1000)
    await witness.heard("t1 sent 1000")
    async let ended = client.ended(id)
    await carrier.enter(id, .done)
    #expect(await ended?.state == .done)
    await witness.heard("t1 finished done")
    #expect(
      witness.lines == [
        "t1 appeared queued", "t1 entered running", "t1 sent 1000", "t1 entered done", "t1 finished done",
      ])
    #expect(witness.faults.isEmpty)
    await client.stop()
    await owner.stop()
  }

  @Test func `tells errors with all that belongs to them`() async throws {
    let (owner, client) = (scene.hub(), scene.hub())
    _ = try await owner.transfers()
    let error = await #expect(throws: StoreError.self) { try await client.perform(.retry("refused")) }
    #expect(error == StoreError(.quota, "The disk is full.", remedy: "Make room."))
    await client.stop()
    await owner.stop()
  }

  @Test func `is asked by another process for the transfers of one file`() async throws {
    let (owner, client) = (scene.hub(), scene.hub())
    _ = try await owner.add([try HubScene.order("a.jpg"), try HubScene.order("b.jpg"), try HubScene.order("b.jpg")])
    #expect(try await client.transfers(ofLocal: "/pictures/b.jpg").map(\.id) == ["t2", "t3"])
    #expect(try await client.transfers(ofLocal: "/pictures/c.jpg").isEmpty)
    #expect(scene.list.asked == ["/pictures/b.jpg", "/pictures/c.jpg"])
    await client.stop()
    await owner.stop()
  }

  @Test func `takes many orders of another process, in their order`() async throws {
    let (owner, client) = (scene.hub(), scene.hub())
    _ = try await owner.transfers()
    let orders = try (0..<1_200).map { try HubScene.order("\($0).jpg") }
    let ids = try await client.add(orders)
    #expect(ids == (1...1_200).map { "t\($0)" })
    #expect(try await client.transfers().map(\.name) == orders.map(\.name))
    await client.stop()
    await owner.stop()
  }
}

@Suite(.timeLimit(.minutes(5))) struct `When the owner goes away` {
  let scene: HubScene
  init() throws { scene = try HubScene() }

  @Test func `a client takes over, and its delegate sees each transfer once`() async throws {
    let (owner, client, witness) = (scene.hub(), scene.hub(), WitnessDelegate())
    _ = try await owner.add([try HubScene.order("a.jpg"), try HubScene.order("b.jpg"), try HubScene.order("c.jpg")])
    await client.attach(witness)
    await scene.carriers[0].enter("t1", .running)
    await scene.carriers[0].progress("t1", to: 700)
    await witness.heard("t1 sent 700")
    // The owner goes away before it reports these changes.
    scene.list.change("t1") { ($0.state, $0.sent) = (.queued, 512) }
    scene.list.change("t2") { ($0.state, $0.sent) = (.done, 1000) }
    scene.list.forget("t3")
    await owner.stop()
    #expect(try await client.transfers().count == 2)
    #expect(await client.role == .owner)
    await scene.carriers[1].enter("t1", .running)
    await witness.heard("t1 disappeared".replacingOccurrences(of: "t1", with: "t3"))
    #expect(witness.faults.isEmpty)
    #expect(witness.lines.filter { $0.contains("appeared") && !$0.contains("dis") }.count == 3)
    let first = witness.lines.filter { $0.hasPrefix("t1") }
    #expect(
      first == [
        "t1 appeared queued", "t1 entered running", "t1 sent 700", "t1 resumed 512", "t1 entered queued",
        "t1 entered running",
      ])
    #expect(
      witness.lines.filter { $0.hasPrefix("t2") } == [
        "t2 appeared queued", "t2 sent 1000", "t2 entered done", "t2 finished done",
      ])
    #expect(scene.list.owners == (2, 1))
    await client.stop()
  }

  @Test func `of several clients one takes over, and the others go to it`() async throws {
    let owner = scene.hub()
    let clients = (0..<4).map { _ in scene.hub() }
    _ = try await owner.add([try HubScene.order("a.jpg")])
    let witnesses = clients.map { _ in WitnessDelegate() }
    for (client, witness) in zip(clients, witnesses) { await client.attach(witness) }
    await owner.stop()
    var roles: [TransferHub.Role] = []
    for client in clients {
      try await client.perform(.pauseAll)
      roles.append(await client.role)
    }
    #expect(roles.filter { $0 == .owner }.count == 1 && roles.filter { $0 == .client }.count == 3)
    await scene.carriers[1].enter("t1", .paused)
    for witness in witnesses {
      await witness.heard("t1 entered paused")
      #expect(witness.lines.first == "t1 appeared queued" && witness.faults.isEmpty)
    }
    for client in clients { await client.stop() }
    #expect(scene.list.owners.atOnce == 1)
  }

  @Test func `whoever waits for a transfer goes on waiting for it`() async throws {
    let (owner, client) = (scene.hub(), scene.hub())
    let id = try await owner.add([try HubScene.order("a.jpg")])[0]
    let witness = WitnessDelegate()
    await client.attach(witness)
    let waits = Task { await client.ended(id) }
    await owner.stop()
    _ = try await client.transfers()
    await scene.carriers[1].enter(id, .done)
    #expect(await waits.value?.state == .done)
    await client.stop()
  }

  @Test func `between a last state and the word that it was the end, the end is reported by the next owner, once`()
    async throws
  {
    let (owner, client, witness) = (scene.hub(), scene.hub(), WitnessDelegate())
    let id = try await owner.add([try HubScene.order("a.jpg")])[0]
    await client.attach(witness)
    await scene.carriers[0].enterOnly(id, .done)
    await witness.heard("t1 entered done")
    let waits = Task { await client.ended(id) }
    await owner.stop()
    _ = try await client.transfers()
    #expect(await waits.value?.state == .done)
    #expect(witness.lines == ["t1 appeared queued", "t1 entered done", "t1 finished done"])
    await client.stop()
  }

  @Test func `an order that it had taken is not taken twice`() async throws {
    let latch = Gate()
    let owner = scene.hub { await latch.wait() }
    let client = scene.hub()
    _ = try await owner.transfers()
    _ = try await client.transfers()
    let orders = [try HubScene.order("a.jpg"), try HubScene.order("a.jpg"), try HubScene.order("b.jpg")]
    let adds = Task { try await client.add(orders) }
    // It is written down, and the answer never comes.
    await latch.arrivals(1)
    await owner.stop()
    #expect(try await adds.value == ["t1", "t2", "t3"])
    #expect(scene.list.ids == ["t1", "t2", "t3"])
    latch.open()
    await client.stop()
  }

  @Test func `a cancelled call waits for no owner that does not answer`() async throws {
    let latch = Gate()
    let (owner, client) = (scene.hub { await latch.wait() }, scene.hub())
    _ = try await owner.transfers()
    _ = try await client.transfers()
    let adds = Task { try await client.add([try HubScene.order("a.jpg")]) }
    await latch.arrivals(1)
    adds.cancel()
    let error = await #expect(throws: StoreError.self) { _ = try await adds.value }
    #expect(error?.kind == .cancelled)
    latch.open()
    await client.stop()
    await owner.stop()
  }

  @Test func `a cancelled task waits for no end`() async throws {
    let hub = scene.hub()
    let id = try await hub.add([try HubScene.order("a.jpg")])[0]
    let waits = Task { await hub.ended(id) }
    await Task.yield()
    waits.cancel()
    _ = await waits.value
    await hub.stop()
  }

  @Test func `it hands over to a process that it waits for`() async throws {
    let (owner, next) = (scene.hub(), scene.hub())
    _ = try await owner.add([try HubScene.order("a.jpg")])
    #expect(await owner.goingOn.map(\.id) == ["t1"])
    try await owner.handOver { () throws(StoreError) in
      _ = try await next.transfers()
    }
    #expect(await next.role == .owner)
    #expect(try await owner.transfers().map(\.id) == ["t1"])
    #expect(await owner.role == .client)
    #expect(await owner.goingOn.isEmpty)
    await owner.stop()
    await next.stop()
    #expect(scene.list.owners.atOnce == 1)
  }

  @Test func `it carries on itself when nobody took over`() async throws {
    let owner = scene.hub()
    _ = try await owner.add([try HubScene.order("a.jpg")])
    let error = await #expect(throws: StoreError.self) {
      try await owner.handOver { () throws(StoreError) in throw StoreError(.server, "No.") }
    }
    #expect(error?.message == "No.")
    #expect(try await owner.transfers().count == 1)
    #expect(await owner.role == .owner)
    await owner.stop()
  }

  @Test func `everything is refused after the hub was stopped, and nobody waits for ever`() async throws {
    let hub = scene.hub()
    let id = try await hub.add([try HubScene.order("a.jpg")])[0]
    let waits = Task { await hub.ended(id) }
    await Task.yield()
    try await hub.pauseAllAndStop()
    #expect(scene.list.commands == [.pauseAll])
    _ = await waits.value
    await #expect(throws: StoreError.self) { try await hub.perform(.resume(id)) }
    #expect(scene.list.owners.atOnce == 1)
  }
}

// The thread sanitizer takes more than a minute for the one that does not read.
@Suite(.timeLimit(.minutes(5))) struct `Whoever is no byteclub` {
  let scene: HubScene
  let owner: TransferHub
  init() async throws {
    scene = try HubScene()
    owner = scene.hub()
    _ = try await owner.transfers()
  }

  @Test(arguments: [
    "GET / HTTP/1.0\r\n\r\n", "\u{0}\u{1}\u{2}\n", "{}\n", "{\"transfers\":{\"number\":1}}\n", "\n", "[[[[[[[[[\n",
    "{\"hello\":{\"version\":\"x\"}}\n",
  ])
  func `is cut, without an answer`(text: String) async throws {
    let connection = try scene.rawConnection()
    defer { close(connection) }
    HubScene.say(text, to: connection)
    #expect(HubScene.readAll(connection).isEmpty)
    #expect(try await owner.transfers().isEmpty)
    await owner.stop()
  }

  @Test func `is cut when its line has no end`() async throws {
    let connection = try scene.rawConnection()
    defer { close(connection) }
    HubScene.say(String(repeating: "x", count: TransferMessage.maxRequestBytes + 100_000), to: connection)
    #expect(HubScene.readAll(connection).isEmpty)
    await owner.stop()
  }

  @Test func `is told so when it is another version or has another journal`() async throws {
    for (hello, word) in [
      (#"{"hello":{"version":2,"journal":"journal"}}"#, "Another version"),
      (#"{"hello":{"version":4,"journal":"elsewhere"}}"#, "other data"),
    ] {
      let connection = try scene.rawConnection()
      defer { close(connection) }
      HubScene.say(hello + "\n", to: connection)
      #expect(String(decoding: HubScene.readAll(connection), as: UTF8.self).contains(word))
    }
    let stranger = scene.hub(journal: "elsewhere")
    let error = await #expect(throws: StoreError.self) { try await stranger.transfers() }
    #expect(error?.kind == .unsupported)
    await stranger.stop()
    await owner.stop()
  }

  @Test func `holds nobody up when it does not read, and is cut in the end`() async throws {
    let id = try await owner.add([try HubScene.order("a.jpg")])[0]
    let deaf = try scene.rawConnection()
    defer { close(deaf) }
    HubScene.say(#"{"hello":{"version":4,"journal":"journal"}}"# + "\n" + #"{"attach":{"number":1}}"# + "\n", to: deaf)
    let (client, witness) = (scene.hub(), WitnessDelegate())
    await client.attach(witness)
    let carrier = scene.carriers[0]
    // Newer progress takes the place of older: what waits does not grow.
    for bytes in 1...20_000 { await carrier.progress(id, to: UInt64(bytes)) }
    await witness.heard("t1 sent 20000")
    #expect(try await owner.transfers().count == 1)
    // What must not be lost does, until the one that does not read is cut.
    let big = String(repeating: "x", count: 900_000)
    scene.list.change(id) { $0.name = big }
    for _ in 0..<60 { await carrier.enter(id, .running) }
    try await client.perform(.pauseAll)
    let rest = HubScene.readAll(deaf)
    #expect(rest.count < 54_000_000)
    #expect(witness.faults.isEmpty)
    await client.stop()
    await owner.stop()
  }
}
