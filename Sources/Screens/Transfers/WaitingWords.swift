internal import FileStores
internal import TextUI
package import Transfers

/// Why a transfer waits, and how long still.
package enum WaitingWords {
  /// `waiting for the network`, `waiting 23 s (rate limited)`, `waiting`.
  /// - Parameter now: seconds since 1970.
  package static func text(_ transfer: Transfer, now: Int64) -> String {
    guard let error = transfer.error else { return "waiting" }
    if error.kind == .offline { return "waiting for the network" }
    let left = transfer.resumesAt.map { $0.seconds - now } ?? 0
    let time = left > 0 ? " " + TimeSpan.text(seconds: Int(left)) : ""
    return "waiting\(time) (\(reason(error.kind)))"
  }

  /// A kind of error in two words.
  private static func reason(_ kind: StoreError.Kind) -> String {
    switch kind {
    case .rateLimited: "rate limited"
    case .offline: "offline"
    case .server: "the server failed"
    case .notSignedIn: "not signed in"
    case .notPermitted: "not permitted"
    case .quota: "no room"
    case .conflict, .exists: "changed in the meantime"
    case .corrupt: "damaged"
    case .notFound: "not found"
    case .badName, .badInput, .tooLarge, .unsupported: "refused"
    case .cancelled: "cancelled"
    }
  }
}
