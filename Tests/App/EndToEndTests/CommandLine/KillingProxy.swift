import Foundation
import POSIX
import Synchronization
import TestKit

/// Leads every connection to one port of this machine, counts the bytes, and kills a process when so many have passed, or
/// when an answer with certain words arrives.
final class KillingProxy: Sendable {
  private enum Moment {
    case bytes(RawConnection.Way, Int)
    case answer(Data)
  }

  private struct State {
    var up = 0
    var down = 0
    var victim: (process: pid_t, moment: Moment)?
  }

  private final class Counts: Sendable {
    let state = Mutex(State())

    func passed(_ way: RawConnection.Way, _ bytes: ArraySlice<UInt8>) {
      state.withLock { state in
        if way == .toPort { state.up += bytes.count } else { state.down += bytes.count }
        guard let victim = state.victim else { return }
        switch victim.moment {
        case .bytes(.toPort, let count): guard state.up >= count else { return }
        case .bytes(.fromPort, let count): guard state.down >= count else { return }
        case .answer(let words): guard way == .fromPort, Data(bytes).range(of: words) != nil else { return }
        }
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
      state.victim = (process, .bytes(way, (way == .toPort ? state.up : state.down) + count))
    }
  }

  /// Kills a process (-9) before it gets the first answer with these words.
  func kill(_ process: pid_t, atAnswerWith words: String) {
    counts.state.withLock { $0.victim = (process, .answer(Data(words.utf8))) }
  }

  /// Kills nobody any more: the process has ended.
  func spare() { counts.state.withLock { $0.victim = nil } }
}
