import FileStores
import FoundationEssentials
import Glibc
import Synchronization
import Transfers

/// Where other processes come to the owner of the transfers.
final class OwnerDesk: Sendable {
  /// The socket's name.
  static let socket = "transfers.sock"
  private static let maxGuests = 64

  private struct State {
    var guests: [Int: DeskGuest] = [:]
    var last = 0
    var isClosed = false
  }

  private let carrier: any TransferControl
  private let journal: String
  private let executor: (any TaskExecutor)?
  private let state = Mutex(State())
  private let listener = Mutex<LineListener?>(nil)

  /// Speaks for `carrier`, whose journal is that file.
  init(_ carrier: any TransferControl, journal: String, executor: (any TaskExecutor)?) {
    (self.carrier, self.journal, self.executor) = (carrier, journal, executor)
  }

  /// Listens in a directory.
  func open(in directory: String) throws(StoreError) {
    let new = try LineListener(at: Self.socket, in: directory) { [weak self] connection in
      if let self { self.accept(connection) } else { Glibc.close(connection) }
    }
    listener.withLock { $0 = new }
  }

  /// Listens no more, and ends all lines.
  func close() async {
    listener.withLock { listener in
      listener?.close()
      listener = nil
    }
    let guests = state.withLock { state in
      state.isClosed = true
      return Array(state.guests.values)
    }
    // What is being told is told whole before the lines end.
    for guest in guests { await carrier.detach(guest) }
    for guest in guests { guest.end() }
  }

  private func accept(_ connection: Int32) {
    let guest = state.withLock { state -> DeskGuest? in
      guard !state.isClosed, state.guests.count < Self.maxGuests else { return nil }
      state.last += 1
      let number = state.last
      let guest = DeskGuest(
        connection, carrier: carrier, journal: journal, executor: executor,
        left: { [weak self] in self?.state.withLock { _ = $0.guests.removeValue(forKey: number) } })
      state.guests[number] = guest
      return guest
    }
    if let guest { guest.start() } else { Glibc.close(connection) }
  }
}
