import Synchronization

/// Addresses that accept one file without a token. Each works once, for some hours, while this server runs.
final class UploadLinks: Sendable {
  struct Grant: Sendable {
    let member: String
    /// Of the token that asked for the address: with that device it ends.
    let family: String
    /// The API's `CommitInfo`, checked again when the file arrives.
    let commit: Argument
    let expires: Int64
    fileprivate let number: Int
    fileprivate var isUsed = false
  }

  enum Outcome: Sendable {
    case unknown
    /// Used or expired.
    case ended
    case good(Grant)
  }

  private static let most = 10_000
  private static let mostOfMember = 1000
  private let grants = Mutex<(all: [String: Grant], next: Int)>(([:], 0))

  /// The last component of a new address. A member with too many loses the oldest; nil at the limit of all.
  func issue(to member: String, _ family: String, _ commit: Argument, expires: Int64, at now: Int64) -> String? {
    let word = FreshID.word(43)
    return grants.withLock { grants in
      if grants.all.count >= UploadLinks.most { grants.all = grants.all.filter { $0.value.expires > now } }
      let own = grants.all.filter { $0.value.member == member }
      if own.count >= UploadLinks.mostOfMember, let oldest = own.min(by: { $0.value.number < $1.value.number }) {
        grants.all[oldest.key] = nil
      }
      guard grants.all.count < UploadLinks.most else { return nil }
      grants.next += 1
      grants.all[word] = Grant(
        member: member, family: family, commit: commit, expires: expires, number: grants.next)
      return word
    }
  }

  func holds(_ word: String) -> Bool { grants.withLock { $0.all[word] != nil } }

  func take(_ word: String, at now: Int64) -> Outcome {
    grants.withLock { grants in
      guard let grant = grants.all[word] else { return .unknown }
      guard !grant.isUsed, grant.expires > now else { return .ended }
      grants.all[word]?.isUsed = true
      return .good(grant)
    }
  }

  func giveBack(_ word: String) { grants.withLock { $0.all[word]?.isUsed = false } }
}
