import Backends
import FileStores
import StoreServer
import TestKit
import Testing

/// Many operations by several members over a server that fails on purpose, against a model of what must be there.
@Suite(.serialized) struct ChaosOperationTests {
  @Test("What was acknowledged is there once, and nothing else:", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func againstModel(seed: UInt64) async throws {
    try await withServedFolder(chaos: Chaos(ChaosStoreChecks.everything, seed: seed)) { served in
      let stores = [
        steady(try await served.open("/club")), steady(try await served.open("/Club")),
        steady(try await served.openV1("/club")),
      ]
      var model = ClubModel(seed: seed)
      for step in 0..<150 { try await model.act(with: stores[model.dice(stores.count)], step: step) }
      for store in stores { #expect(try await contents(of: store) == model.files) }
    }
  }

  @Test("Of an operation whose answer is lost, either all or nothing has happened:", arguments: [11, 12] as [UInt64])
  func withoutRetries(seed: UInt64) async throws {
    try await withServedFolder(chaos: Chaos(ChaosStoreChecks.everything, seed: seed)) { served in
      let stores: [any FileStore] = [try await served.open("/club"), try await served.openV1("/club")]
      let look = steady(try await served.open("/club"))
      var model = ClubModel(seed: seed)
      var failures: Set<StoreError.Kind> = []
      for step in 0..<200 {
        let before = model.files
        do {
          try await model.act(with: stores[model.dice(stores.count)], step: step)
        } catch let error as StoreError where error.isTemporary {
          failures.insert(error.kind)
          let now = try await contents(of: look)
          #expect(now == before || now == model.wanted, "after \(error)")
          model.files = now
        }
      }
      #expect(try await contents(of: look) == model.files)
      #expect(failures == [.offline, .rateLimited, .server])
    }
  }

  @Test("Members who add to one note lose no line and add none twice:", arguments: [21, 22, 23] as [UInt64])
  func adding(seed: UInt64) async throws {
    try await withServedFolder(chaos: Chaos(ChaosStoreChecks.everything, seed: seed)) { served in
      let path = try StorePath("Guestbook.md")
      let stores = [
        steady(try await served.open("/club")), steady(try await served.open("/club")),
        steady(try await served.openV1("/club")),
      ]
      _ = try await stores[0].put(DataSource([]), at: path, mode: .create)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (member, store) in stores.enumerated() {
          group.addTask {
            var line = 0
            while line < 10 {
              do {
                let (bytes, there) = try await store.readAll(path)
                _ = try await store.put(
                  DataSource(bytes + Array("\(member)-\(line)\n".utf8)), at: path,
                  mode: .replace(try #require(there.revision)))
                line += 1
              } catch let error as StoreError where error.kind == .conflict {}
            }
          }
        }
        try await group.waitForAll()
      }
      let files = try await contents(of: stores[0])
      #expect(Array(files.keys) == ["Guestbook.md"])
      let lines = (files["Guestbook.md"] ?? "").split(separator: "\n").map(String.init)
      #expect(lines.sorted() == (0..<3).flatMap { member in (0..<10).map { "\(member)-\($0)" } }.sorted())
      for member in 0..<3 {
        #expect(lines.filter { $0.hasPrefix("\(member)-") } == (0..<10).map { "\(member)-\($0)" })
      }
    }
  }
}

/// All files of a club with their text, by path.
private func contents(of store: any FileStore) async throws -> [String: String] {
  var files: [String: String] = [:]
  var pages = [try await store.list(.root, ListOptions(.names, recursive: true), after: nil)]
  while let next = pages.last?.next {
    pages.append(try await store.list(.root, ListOptions(.names, recursive: true), after: next))
  }
  for entry in pages.flatMap(\.entries) where entry.kind == .file {
    files["\(entry.path)"] = String(decoding: try await store.readAll(entry.path).bytes, as: UTF8.self)
  }
  return files
}
