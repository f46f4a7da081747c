import Synchronization

/// The addresses that were given out to send one file to without a token: each is good once, for some hours, as long as
/// this server runs.
final class UploadLinks: Sendable {
  /// What an address is good for.
  struct Grant: Sendable {
    let member: String
    /// The API's `CommitInfo`, which is looked at anew when the file comes.
    let commit: Argument
    let expires: Int64
    /// When it was given out, for who has too many.
    fileprivate let number: Int
    fileprivate var isUsed = false
  }

  /// What became of an address.
  enum Outcome: Sendable {
    case unknown
    /// Used, or too old.
    case ended
    case good(Grant)
  }

  private static let most = 10_000
  private static let mostOfMember = 1000
  private let grants = Mutex<(all: [String: Grant], next: Int)>(([:], 0))

  /// Gives out the word that an address ends with. A member who has too many loses the oldest.
  /// - Returns: nil when there are too many of all members.
  func issue(to member: String, _ commit: Argument, expires: Int64, at now: Int64) -> String? {
    let word = FreshID.word(43)
    return grants.withLock { grants in
      if grants.all.count >= UploadLinks.most { grants.all = grants.all.filter { $0.value.expires > now } }
      let own = grants.all.filter { $0.value.member == member }
      if own.count >= UploadLinks.mostOfMember, let oldest = own.min(by: { $0.value.number < $1.value.number }) {
        grants.all[oldest.key] = nil
      }
      guard grants.all.count < UploadLinks.most else { return nil }
      grants.next += 1
      grants.all[word] = Grant(member: member, commit: commit, expires: expires, number: grants.next)
      return word
    }
  }

  /// Uses an address up.
  func take(_ word: String, at now: Int64) -> Outcome {
    grants.withLock { grants in
      guard let grant = grants.all[word] else { return .unknown }
      guard !grant.isUsed, grant.expires > now else { return .ended }
      grants.all[word]?.isUsed = true
      return .good(grant)
    }
  }

  /// Makes an address good again to which nothing came in the end.
  func giveBack(_ word: String) { grants.withLock { $0.all[word]?.isUsed = false } }
}
