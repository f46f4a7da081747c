internal import Basics
internal import FileStores

/// A folder of byteclub's own that one writer at a time has while it changes the file of a name. A folder is made once:
/// MKCOL is one mkdir(2).
///
/// Servers look before they move, so that two moves onto one free name that arrive together both succeed; Apache 2.4
/// grants two locks of a free name that are asked for together; and sabre/dav compares first and writes later, so that
/// of eight saves that arrive together two succeeded in 2 of 50 rounds (measured at 1.8.12).
struct WebDAVSeat: Sendable {
  /// The seat of a program that was killed is free after so many seconds of the server's clock.
  static let seconds: Int64 = 60
  /// Longer than a lost seat lives.
  private static let patience = Duration.seconds(75)

  private let store: WebDAVStore
  private let file: StorePath
  private let path: StorePath

  init(_ file: StorePath, _ store: WebDAVStore) throws(StoreError) {
    (self.file, self.store) = (file, store)
    path = try file.parent.appending(".byteclub-seat-\(SHA256.hexadecimal(of: file.bytes).prefix(16))")
  }

  /// Takes the seat, if need be after others have left it.
  /// - Throws: `rateLimited` if another program does not leave it.
  func take() async throws(StoreError) {
    let client = store.client
    var (waited, pause, tries) = (Duration.zero, Duration.milliseconds(40), 0)
    while true {
      try store.checkCancelled("The writing", file)
      guard let refusal = try await made() else { return }
      if let there = try await store.look(at: path) {
        if let made = there.changed, try await store.serverTime(path) - made > WebDAVSeat.seconds {
          await free()
          continue
        }
      } else {
        // The other writer has left it meanwhile; or its folder is missing; or the server does not make it.
        tries += 1
        guard tries < 20 else { throw refusal }
        if tries == 1, !path.parent.isRoot {
          try await store.makeFolder(path.parent)
          continue
        }
      }
      guard waited < WebDAVSeat.patience else {
        throw StoreError(
          .rateLimited, "Another byteclub is making \"\(file)\" and does not come to an end.",
          remedy: "Try again in a minute.", path: file)
      }
      // Writers that wait for the same seat come at different times.
      let drawn = pause * (0.5 + Double(client.tuning.random() % 1000) / 1000)
      try await store.sleep(drawn, file)
      waited += drawn
      pause = min(pause * 2, .seconds(1))
    }
  }

  /// Leaves the seat, even if the task is cancelled. A seat that stays is free after a minute.
  func leave() async { await store.remove(path, isFolder: true) }

  /// - Returns: nil if the seat was made, else the reason.
  private func made() async throws(StoreError) -> StoreError? {
    let client = store.client
    let call = WebDAVCall(.mkcol, store.address.url(path, isFolder: true), about: file)
    do throws(StoreError) {
      let answer = try await client.call(call)
      return answer.isSuccess ? nil : WebDAVFault(client: client).error(answer.response, answer.body, call)
    } catch {
      // WsgiDAV answers 500 to the later of two that arrive together.
      guard error.kind == .server else { throw error }
      return error
    }
  }

  /// Frees the seat of a program that was killed: of all who move it away, one succeeds.
  private func free() async {
    do throws(StoreError) {
      let aside = try path.parent.appending(".byteclub-part-" + String(store.tuning.random(), radix: 36))
      var call = WebDAVCall(.move, store.address.url(path, isFolder: true), about: file)
      call.request.headers = ["Destination": store.address.url(aside, isFolder: true), "Overwrite": "F"]
      if try await store.client.call(call).isSuccess { await store.remove(aside, isFolder: true) }
    } catch {
      // The next look shows the seat as it is.
      return
    }
  }
}

extension WebDAVStore {
  /// Runs `body` while no other byteclub changes the file of this name.
  func seated<Value>(
    _ path: StorePath, _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let seat = try WebDAVSeat(path, self)
    try await seat.take()
    do throws(StoreError) {
      let value = try await body()
      await seat.leave()
      return value
    } catch {
      await seat.leave()
      throw error
    }
  }
}
