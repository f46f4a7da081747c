import ClubServices
import FileStores

/// What a verb works with.
struct Session: Sendable {
  /// Settings and paths.
  let setup: ClubSetup
  /// Where results and notices go.
  let output: Output
  /// Whether `--json` was given.
  let isJSON: Bool
  /// The club.
  let open: OpenClub

  /// The store itself.
  var store: any FileStore { open.club.store }

  /// A sentence for people; not under `--json`.
  func notice(_ sentence: String) {
    if !isJSON { output.notice(sentence) }
  }
}
