internal import Basics
internal import FileStores
internal import Synchronization

/// The right of one writer at a time to change the file of a name.
///
/// Servers look before they move, so that two moves onto one free name that arrive together both succeed; Apache 2.4
/// grants two locks of a free name that are asked for together; and sabre/dav compares first and writes later, so that
/// of eight saves that arrive together two succeeded in 2 of 50 rounds (measured at 1.8.12).
///
/// Each writer makes a folder of its own, its mark, in `.byteclub/seats`, then lists the marks for the file. It has the
/// lease if its own is the only one. Of several, the lowest stays and waits; the others are taken away, and their writers
/// come again. Each mark has a random name, so a request whose answer was lost can be sent again, and one that arrives
/// twice does no harm.
struct WebDAVLease: Sendable {
  /// The mark of a program that was killed goes when another one has seen it for so long. The server's own times do not
  /// count: some give each folder one of 1970, or none.
  static let lifetime = Duration.seconds(60)
  static let folder = ".byteclub/seats"
  /// Longer than a lost mark lives.
  private static let patience = Duration.seconds(75)

  private let store: WebDAVStore
  private let file: StorePath
  private let folder: StorePath
  /// The beginning of the names of all marks for the file.
  private let prefix: [UInt8]
  private let own: StorePath

  init(_ file: StorePath, _ store: WebDAVStore) throws(StoreError) {
    (self.file, self.store) = (file, store)
    folder = try StorePath(WebDAVLease.folder)
    let prefix = "\(SHA256.hexadecimal(of: file.bytes).prefix(16))-"
    self.prefix = Array(prefix.utf8)
    own = try folder.appending(prefix + String(store.tuning.random(), radix: 36))
  }

  /// Takes the lease, if need be after others have left it.
  /// - Throws: `rateLimited` if another program does not leave it.
  func take() async throws(StoreError) {
    do throws(StoreError) {
      try await wait()
    } catch {
      await leave()
      throw error
    }
  }

  /// Takes the mark away, even if the task is cancelled. One that stays goes when another program has seen it for a minute.
  func leave() async {
    if await !store.remove(own, isFolder: true) { _ = store.leftLeases.withLock { $0.insert(own) } }
  }

  private func wait() async throws(StoreError) {
    var (waited, pause, tries, isMarked) = (Duration.zero, Duration.milliseconds(40), 0, false)
    let elapsed = store.tuning.clock.stopwatch()
    var firstSeen: [StorePath: Duration] = [:]
    while true {
      try store.checkCancelled("The writing", file)
      // To its end, even if the task is cancelled: a request on its way would make the mark after it was taken away.
      if !isMarked { try await store.pool.finishing { () throws(StoreError) in try await mark() } }
      let marks = try await marks(at: elapsed(), &firstSeen)
      if marks == [own] { return }
      if marks.contains(own) {
        isMarked = marks.allSatisfy { own <= $0 }
        if !isMarked { await leave() }
      } else {
        // The server lists it later, or another program has taken it away.
        tries += 1
        guard tries < 20 else {
          throw StoreError(
            .server, "\(store.client.name) does not list a folder that it has made.",
            remedy: "Test the server with: byteclub doctor", path: file)
        }
        isMarked = false
      }
      guard waited < WebDAVLease.patience else {
        throw StoreError(
          .rateLimited, "Another byteclub is making \"\(file)\" and does not come to an end.",
          remedy: "Try again in a minute.", path: file)
      }
      // Writers that wait for the same lease come at different times.
      let drawn = pause * (0.5 + Double(store.tuning.random() % 1000) / 1000)
      try await store.sleep(drawn, file)
      waited += drawn
      pause = min(pause * 2, isMarked ? .milliseconds(160) : .seconds(1))
    }
  }

  /// Makes the own mark. Nobody else knows its name: one that is there was made by an earlier try.
  private func mark() async throws(StoreError) {
    let client = store.client
    let call = WebDAVCall(.mkcol, store.address.url(own, isFolder: true), about: file)
    var answer = try await client.steady(call)
    if !answer.isSuccess, answer.status != 405 {
      try await store.makeFolder(folder)
      answer = try await client.steady(call)
    }
    try client.check(answer, call, or: 405)
  }

  /// The marks for the file, without those of programs that were killed, which go.
  /// - Parameter firstSeen: the time of `elapsed` at which each mark was listed first, as far as it was listed ever since.
  private func marks(
    at elapsed: Duration, _ firstSeen: inout [StorePath: Duration]
  ) async throws(StoreError) -> [StorePath] {
    let found = try await store.client.steps { () throws(StoreError) in
      var found: [StorePath] = []
      _ = try await store.client.propfind(folder, isFolder: true, isDeep: true) { (resource) throws(StoreError) in
        guard let path = resource?.entry.path, path.parent == folder, path.name.starts(with: prefix) else { return }
        found.append(path)
      }
      return found
    }
    firstSeen = Dictionary(uniqueKeysWithValues: found.map { ($0, firstSeen[$0] ?? elapsed) })
    let left = store.leftLeases.withLock { $0 }
    var marks: [StorePath] = []
    for mark in found {
      let isOld = mark != own && elapsed - (firstSeen[mark] ?? elapsed) > WebDAVLease.lifetime
      guard left.contains(mark) || isOld, await store.remove(mark, isFolder: true) else {
        marks.append(mark)
        continue
      }
      store.leftLeases.withLock { _ = $0.remove(mark) }
    }
    return marks
  }
}

extension WebDAVStore {
  /// Runs `body` while no other byteclub changes the file of this name.
  func holdingLease<Value>(
    _ path: StorePath, _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let lease = try WebDAVLease(path, self)
    try await lease.take()
    return try await always({ () throws(StoreError) in await lease.leave() }, after: body)
  }
}
