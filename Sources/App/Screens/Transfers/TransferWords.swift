internal import FileStores
internal import TextUI
package import Transfers

enum TransferWords {
  /// With the reason and the duration.
  static func state(_ line: TransferLine, now: Int64) -> String {
    let transfer = line.transfer
    switch transfer.state {
    case .waiting: return WaitingWords.text(transfer, now: now)
    case .running:
      let quiet = line.quiet(now: now).map { ", nothing for \(TimeSpan.text(seconds: $0))" } ?? ""
      return (line.isRestarted ? "running, restarted" : "running") + quiet
    case .failed: return transfer.error.map { "failed: \($0.message)" } ?? "failed"
    default: return transfer.state.word
    }
  }

  static func verb(_ line: TransferLine, now: Int64) -> String {
    guard line.transfer.state == .running else {
      let words = state(line, now: now)
      return words.prefix(1).uppercased() + words.dropFirst() + ":"
    }
    let verb = line.transfer.direction == .upload ? "Uploading" : "Downloading"
    if let quiet = line.quiet(now: now) { return "\(verb) (nothing for \(TimeSpan.text(seconds: quiet)))" }
    return line.isRestarted ? "\(verb) (restarted)" : verb
  }

  /// `before` are the transfers that were done since the queue was last empty.
  static func end(_ transfer: Transfer, after before: [Transfer]) -> String {
    let alike = before.filter { $0.direction == transfer.direction }.map(\.name)
    guard transfer.state == .done, !alike.isEmpty else { return end(transfer) }
    return "\(transfer.direction == .upload ? "Uploaded" : "Downloaded") \(ShortName.list(alike + [transfer.name]))."
  }

  static func end(_ transfer: Transfer) -> String {
    switch transfer.state {
    case .done:
      let name = "\"\(transfer.name)\""
      let what =
        transfer.direction == .upload
        ? "Uploaded \(transfer.renamedFrom.map { "\"\($0)\" as " } ?? "")\(name)"
        : "Downloaded \(name)\(transfer.place.map { " to \($0)" } ?? "")"
      let facts = [
        transfer.total.map { ByteCount.text($0) },
        transfer.rate.flatMap(rate).map { "\($0) on average" },
      ].compactMap { $0 }
      return what + (facts.isEmpty ? "." : ": \(facts.joined(separator: ", ")).")
    case .cancelled: return "Cancelled \"\(transfer.name)\"."
    default:
      let what = transfer.direction == .upload ? "uploaded" : "downloaded"
      return "\"\(transfer.name)\" was not \(what). \(transfer.error.map { "\($0)" } ?? "")"
    }
  }

  /// `While you were away: 2 uploads done, 1 failed. t shows them.`
  static func missed(_ transfers: [Transfer], key: String) -> String {
    func count(_ word: String, _ isOne: (Transfer) -> Bool) -> String? {
      let count = transfers.filter(isOne).count
      return count == 0 ? nil : "\(count) \(word)\(word == "failed" ? "" : count == 1 ? " done" : "s done")"
    }
    let parts = [
      count("upload") { $0.state == .done && $0.direction == .upload },
      count("download") { $0.state == .done && $0.direction == .download },
      count("failed") { $0.state == .failed },
    ]
    let facts = parts.compactMap { $0 }.joined(separator: ", ")
    return "While you were away: \(facts). \(key) shows \(transfers.count == 1 ? "it" : "them")."
  }

  /// `4.1 MiB/s`; nil for an invalid number.
  static func rate(_ bytesPerSecond: Double) -> String? {
    guard bytesPerSecond.isFinite, bytesPerSecond >= 0 else { return nil }
    return ByteCount.rate(Int(min(bytesPerSecond, 1e18)))
  }

  /// `12 of 30 MiB`.
  static func amount(_ transfer: Transfer) -> String {
    let sent = Int(clamping: transfer.sent)
    guard transfer.state != .done else { return ByteCount.text(transfer.total ?? transfer.sent) }
    return transfer.total.map { ByteCount.text(sent, of: Int(clamping: $0)) } ?? ByteCount.text(sent)
  }
}

package enum WaitingWords {
  /// A sentence about transfers of other accounts, without their names; nil for none.
  package static func others(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return count == 1
      ? "A transfer of another account waits here. byteclub carries it on when that account signs in again."
      : "\(count) transfers of another account wait here. byteclub carries them on when that account signs in again."
  }

  /// A sentence about transfers that may be this account's; nil for none.
  package static func undecided(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return count == 1
      ? "A transfer waits here until the service has named your account."
      : "\(count) transfers wait here until the service has named your account."
  }

  /// `waiting for the network`, `waiting 23 s (rate limited)`, `waiting`. `now` is seconds since 1970.
  package static func text(_ transfer: Transfer, now: Int64) -> String {
    guard let error = transfer.error else { return "waiting" }
    if error.kind == .offline { return "waiting for the network" }
    let left = transfer.resumesAt.map { $0.seconds - now } ?? 0
    let time = left > 0 ? " " + TimeSpan.text(seconds: Int(left)) : ""
    return "waiting\(time) (\(reason(error.kind)))"
  }

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
