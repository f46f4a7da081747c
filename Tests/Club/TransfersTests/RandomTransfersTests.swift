import Backends
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing
import Transfers

@Suite struct `Random commands and faults` {
  /// Six transfers of many sizes through a line that breaks, steered at random, the engine stopped and another begun now
  /// and then. Whatever happens: nothing is lost, nothing is there twice, nothing is torn, nothing is left behind, and
  /// the reports to the delegates are those that were promised.
  @Test(arguments: [false, true], TestTier.process.seeds(0..<100, first: 25))
  func `leave every file whole or not at all`(inFolder: Bool, seed: UInt64) async throws {
    var numbers = SeededNumbers(seed)
    let bench = try Bench()
    let (here, root) = (bench.folder.file("here"), bench.folder.file("club"))
    for folder in [here, root] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
    let base: any FileStore = inFolder ? try FolderStore(root: root, pool: bench.pool) : bench.memory
    let begun = BegunSessions()
    let faulty = FaultyStore(base, seed: seed, share: 0.2)
    let store = PoweredStore(base: faulty, power: Power(), begun: begun)
    var orders: [TransferOrder] = []
    var content: [String: [UInt8]] = [:]
    for number in 0..<6 {
      let name = "\(number).jpg"
      let bytes = Bench.bytes(Int.random(in: 0...6000, using: &numbers), seed: seed &* 10 &+ UInt64(number))
      content[name] = bytes
      if number < 3 {
        orders.append(try bench.upload(name, bytes))
      } else {
        _ = try await base.put(DataSource(bytes), at: try StorePath(name), mode: .create)
        orders.append(
          TransferOrder(
            club: "Club", store: "s", work: .download(folder: here), path: try StorePath(name), name: name))
      }
    }
    var settings = TransferSettings(concurrent: .random(in: 1...4, using: &numbers), pieceBytes: 700)
    settings.retry = .transfers(attempts: 50)
    var engine = bench.engine(store, settings: settings, seed: seed)
    var delegate = bench.delegate
    await engine.attach(delegate)
    let ids = try await engine.add(orders)
    for _ in 0..<12 {
      let id = ids[Int.random(in: 0..<ids.count, using: &numbers)]
      let moves = TransferMove.allCases
      switch Int.random(in: 0..<11, using: &numbers) {
      case 0, 1: try await engine.perform(.pause(id))
      case 2, 3: try await engine.perform(.resume(id))
      case 4: try await engine.perform(.cancel(id))
      case 5: try await engine.perform(.retry(id))
      case 6: try await engine.perform(.move(id, moves[Int.random(in: 0..<moves.count, using: &numbers)]))
      case 7: try await engine.perform(.pauseAll)
      case 8:
        await engine.stop()
        for id in ids { #expect(delegate.breaches(id) == [], "seed \(seed): \(delegate.events(id))") }
        engine = bench.engine(store, settings: settings, seed: seed &+ 1)
        delegate = bench.delegate
        await engine.attach(delegate)
        try await engine.start()
      default: for _ in 0..<Int.random(in: 0...300, using: &numbers) { await Task.yield() }
      }
    }
    for id in ids { try await engine.perform(.resume(id)) }
    var cancelled: Set<String> = []
    for id in ids {
      // A pause that met the end of its transfer may have come after the last `resume`.
      let end = try #require(await engine.ended(id))
      #expect(end.state == .done || end.state == .cancelled, "seed \(seed): \(end)")
      if end.state == .cancelled { cancelled.insert(end.name) }
      #expect(delegate.breaches(id) == [], "seed \(seed): \(delegate.events(id))")
    }
    await engine.stop()
    let stored = try await base.list(.root, ListOptions(.names), after: nil).entries.map(\.path.description).sorted()
    let expected = content.keys.filter { $0 >= "3" || !cancelled.contains($0) }.sorted()
    #expect(stored == expected, "seed \(seed)")
    for name in expected {
      #expect(try await base.readAll(try StorePath(name)).bytes == content[name], "seed \(seed), \(name)")
    }
    let received = try FileManager.default.contentsOfDirectory(atPath: here).sorted()
    #expect(received == content.keys.filter { $0 >= "3" && !cancelled.contains($0) }.sorted(), "seed \(seed)")
    for name in received {
      #expect(FileManager.default.contents(atPath: here + "/" + name).map { Array($0) } == content[name])
    }
    // An answer to `begin` that was lost is a session that nobody knows: it is empty.
    #expect(await begun.left(in: base).allSatisfy { $0 == 0 }, "seed \(seed)")
  }
}
