import Basics
import ClubServices
import FileStores

/// A club that is open for its news alone. Nothing is sent or changed there.
struct NewsClub: Sendable {
  let reader: NewsReader
  private let setup: ClubSetup
  private let open: OpenClub
  private let isOneOfMany: Bool

  var name: String { setup.choice.name }
  var place: String { setup.choice.place }
  var pool: BlockingPool { setup.pool }
  /// nil for a store that reports no changes.
  var feed: (any ChangeFeed)? { open.club.store.capabilities.changes }

  /// - Throws: if the club cannot be opened; a server that is away shows later.
  init(_ setup: ClubSetup, _ services: SharedServices, isOneOfMany: Bool) async throws(StoreError) {
    (self.setup, self.isOneOfMany) = (setup, isOneOfMany)
    open = try OpenClub(setup, owner: await ClubOwner.find(setup), shared: services)
    reader = NewsReader(open.notes, open.catalogue)
  }

  /// Said with the first look.
  var beginning: String {
    let club = isOneOfMany ? " of \"\(name)\"" : ""
    return "From now on byteclub tells what is new\(club). For what was before: byteclub news --since 7d"
  }

  /// A sentence if the news is that of the local copy, because the server does not answer.
  var isOld: String? {
    open.copy?.servedFrom.map { time in
      "The server of \"\(name)\" does not answer: this is its local copy of \(RFC3339.text(time))."
    }
  }
}
