import POSIX
import Synchronization
import TestKit

/// Leads every connection to one port of this machine, counts the bytes, and kills a process when so many have passed.
final class KillingProxy: Sendable {
  private struct State {
    var up = 0
    var down = 0
    var victim: (process: pid_t, way: RawConnection.Way, count: Int)?
  }

  private final class Counts: Sendable {
    let state = Mutex(State())

    func passed(_ way: RawConnection.Way, _ count: Int) {
      state.withLock { state in
        if way == .toPort { state.up += count } else { state.down += count }
        guard let victim = state.victim else { return }
        guard (victim.way == .toPort ? state.up : state.down) >= victim.count else { return }
        _ = POSIX.kill(victim.process, SIGKILL)
        state.victim = nil
      }
    }
  }

  private let counts: Counts
  private let server: RawServer

  init(to port: UInt16) throws {
    let counts = Counts()
    self.counts = counts
    server = try RawServer { connection in connection.relay(to: port) { counts.passed($0, $1) } }
  }

  deinit { server.stop() }

  var port: UInt16 { server.port }

  /// How many bytes have gone that way so far.
  func count(_ way: RawConnection.Way) -> Int { counts.state.withLock { way == .toPort ? $0.up : $0.down } }

  /// Kills a process (-9) when so many more bytes have gone that way.
  func kill(_ process: pid_t, after count: Int, _ way: RawConnection.Way) {
    counts.state.withLock { state in
      state.victim = (process, way, (way == .toPort ? state.up : state.down) + count)
    }
  }

  /// Kills nobody any more: the process has ended.
  func spare() { counts.state.withLock { $0.victim = nil } }
}
