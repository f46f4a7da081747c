import Backends
import FileStores
import Foundation
import TestKit
import Testing
import Transfers

/// One transfer, with the power cut before and after each write of the journal, each call to the store, and each write,
/// flush and rename on this machine; then another engine on what is left.
@Suite struct `After a power cut` {
  enum Goal: String, CaseIterable, CustomTestStringConvertible {
    case memory, folder
    var testDescription: String { rawValue }
  }

  private struct Scene {
    let bench: Bench
    let base: any FileStore
    let begun = BegunSessions()
    let order: TransferOrder
    let bytes: [UInt8]
    let flushed = FlushedPart()

    init(_ goal: Goal, _ direction: Transfer.Direction, _ count: Int) async throws {
      let bench = try Bench()
      self.bench = bench
      bytes = Bench.bytes(count)
      switch goal {
      case .memory: base = bench.memory
      case .folder:
        let root = bench.folder.file("club")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        base = try FolderStore(root: root, pool: bench.pool)
      }
      switch direction {
      case .upload: order = try bench.upload("a.jpg", bytes)
      case .download:
        _ = try await base.put(DataSource(bytes), at: try StorePath("a.jpg"), mode: .create)
        try FileManager.default.createDirectory(atPath: bench.folder.file("here"), withIntermediateDirectories: false)
        order = TransferOrder(
          club: "Club", store: "s", work: .download(folder: bench.folder.file("here")), path: try StorePath("a.jpg"),
          name: "a.jpg")
      }
    }

    func engine(_ power: Power, _ seed: UInt64) -> TransferEngine {
      var settings = TransferSettings(pieceBytes: 1000)
      // After a power cut it is another boot: what was not flushed may be anything.
      settings.boot = UUID().uuidString
      let (probe, flushed, folder) = (power.probe, flushed, bench.folder.file("here"))
      settings.diskProbe = { step, isDone in
        let code = probe(step, isDone)
        if code == 0, isDone { flushed.done(step, in: folder) }
        return code
      }
      return bench.engine(
        PoweredStore(base: base, power: power, begun: begun),
        journal: PoweredJournal(base: bench.journal, power: power),
        settings: settings, seed: seed)
    }

    /// Runs until all is over, or the power is out.
    func run(_ power: Power, _ seed: UInt64, cancels: Bool = false) async -> Transfer? {
      let engine = engine(power, seed)
      let end = await withTaskGroup(of: Transfer?.self) { group in
        group.addTask {
          await power.out()
          await engine.stop()
          return nil
        }
        let rows = (try? await bench.journal.records().records) ?? []
        var id = rows.first?.id
        if rows.isEmpty { id = try? await engine.add([order])[0] }
        try? await engine.start()
        if cancels, let id { try? await engine.perform(.cancel(id)) }
        let end: Transfer? = if let id { await engine.ended(id) } else { nil }
        power.settle()
        return end
      }
      await engine.stop()
      return end
    }

    /// What was not flushed may be anything after a power cut; the journal claims none of it.
    func spoil() async throws {
      let here = bench.folder.file("here")
      for row in try await bench.journal.records().records {
        guard let part = row.part else { continue }
        let path = here + "/" + String(decoding: part, as: UTF8.self)
        guard let file = FileHandle(forUpdatingAtPath: path) else { continue }
        #expect(row.offset <= flushed.bytes, "the journal claims more than is on the disk for certain")
        let size = try file.seekToEnd()
        guard size > flushed.bytes else { continue }
        try file.seek(toOffset: flushed.bytes)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size - flushed.bytes)))
        try file.close()
      }
    }

    func check(_ label: String) async throws {
      let found = try await base.list(.root, ListOptions(.names), after: nil).entries.map(\.path.description)
      #expect(found == ["a.jpg"], "\(label): \(found)")
      #expect(try await base.readAll(try StorePath("a.jpg")).bytes == bytes, "\(label)")
      if case .download(let folder) = order.work {
        let here = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(here == ["a.jpg"], "\(label): \(here)")
        #expect(FileManager.default.contents(atPath: folder + "/a.jpg").map { Array($0) } == bytes, "\(label)")
      }
      // One that was begun just before it could be written down is empty, and nobody can know of it.
      let left = await begun.left(in: base)
      #expect(left.count <= 1 && left.allSatisfy { $0 == 0 }, "\(label): \(left)")
      #expect(try await bench.journal.records().records.map(\.phase) == [.done], "\(label)")
    }
  }

  private static func points(_ goal: Goal, _ direction: Transfer.Direction, _ count: Int) async throws -> Int {
    let scene = try await Scene(goal, direction, count)
    let power = Power()
    #expect(await scene.run(power, 1)?.state == .done)
    try await scene.check("without a cut")
    return power.ticks
  }

  @Test(arguments: Goal.allCases, [(Transfer.Direction.upload, 4500), (.upload, 600), (.download, 4500)])
  func `one more engine makes it right, wherever that was`(
    goal: Goal, _ kind: (direction: Transfer.Direction, count: Int)
  ) async throws {
    let points = try await Self.points(goal, kind.direction, kind.count)
    #expect(points >= 6)
    for cut in 1...points {
      let scene = try await Scene(goal, kind.direction, kind.count)
      _ = await scene.run(Power(cutAt: cut), 1)
      try await scene.spoil()
      let end = await scene.run(Power(), 2)
      #expect(end?.state == .done && end?.restarts == 0, "cut \(cut) of \(points): \(String(describing: end))")
      try await scene.check("\(goal) \(kind.direction) \(kind.count), cut \(cut) of \(points)")
    }
  }

  /// The second engine is cut, too.
  @Test(arguments: [(Transfer.Direction.upload, 4500), (.download, 4500)], UInt64(0)..<60)
  func `two more engines make it right`(
    _ kind: (direction: Transfer.Direction, count: Int), seed: UInt64
  ) async throws {
    var numbers = SeededNumbers(seed)
    let scene = try await Scene(.memory, kind.direction, kind.count)
    var cuts: [Int] = []
    for round in 0..<4 {
      let cut = Int.random(in: 1...25, using: &numbers)
      cuts.append(cut)
      _ = await scene.run(Power(cutAt: cut), UInt64(round))
      try await scene.spoil()
    }
    #expect(await scene.run(Power(), 9)?.state == .done, "cuts \(cuts)")
    let left = await scene.begun.left(in: scene.base)
    #expect(left.allSatisfy { $0 == 0 })
    #expect(try await scene.base.readAll(try StorePath("a.jpg")).bytes == scene.bytes, "cuts \(cuts)")
    #expect(try await scene.base.list(.root, ListOptions(.names), after: nil).entries.count == 1, "cuts \(cuts)")
    #expect(scene.bench.parts.isEmpty, "cuts \(cuts)")
  }

  /// A cancel that a power cut meets is carried on, when it was written down, and leaves nothing.
  @Test(arguments: [(Transfer.Direction.upload, 4500), (.download, 4500)], 1..<30)
  func `a cancel leaves nothing`(_ kind: (direction: Transfer.Direction, count: Int), cut: Int) async throws {
    let scene = try await Scene(.memory, kind.direction, kind.count)
    _ = await scene.run(Power(cutAt: cut), 1)
    try await scene.spoil()
    _ = await scene.run(Power(cutAt: 3), 2, cancels: true)
    let end = await scene.run(Power(), 3, cancels: true)
    #expect(end?.state == .cancelled || end?.state == .done)
    let left = await scene.begun.left(in: scene.base)
    #expect(left.count <= 2 && left.allSatisfy { $0 == 0 }, "\(left)")
    let isThere = end?.state == .done || kind.direction == .download
    #expect(try await scene.base.list(.root, ListOptions(.names), after: nil).entries.count == (isThere ? 1 : 0))
    let here = try? FileManager.default.contentsOfDirectory(atPath: scene.bench.folder.file("here"))
    if kind.direction == .download { #expect(here == (end?.state == .done ? ["a.jpg"] : [])) }
  }
}
