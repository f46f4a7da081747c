import Database
import FileStores

/// Where a listing stands, as the word that clients get. The server trusts it when it comes back, as it is sealed; it
/// names the member whom it was given to.
struct ListCursorWord: Sendable {
  /// What is listed.
  struct Listing: Sendable {
    let key: String
    let id: String
    let isRecursive: Bool
    let withDeleted: Bool
    /// Whether of each file it is told that nobody was let in to it alone.
    var withMembers = false
    let limit: Int

    var scope: ServerIndexReading.Scope { isRecursive ? .subtree(key) : .children(key) }
  }

  let member: String
  let epoch: String
  let listing: Listing
  /// While the first listing is under way: the last key that was told.
  var after: String?
  /// From where on changes are to be told.
  var sequence: Int64

  func sealed(_ seal: Seal) -> String {
    let flags = (listing.isRecursive ? "r" : "") + (listing.withDeleted ? "d" : "") + (listing.withMembers ? "m" : "")
    return seal.seal(
      [member, epoch, listing.key, listing.id, flags, String(listing.limit), String(sequence)]
        + (after.map { [$0] } ?? []), for: "cursor")
  }

  /// Nil for what is no cursor of this server.
  init?(_ text: String, _ seal: Seal) {
    guard let words = seal.open(text, for: "cursor"), words.count == 7 || words.count == 8,
      let limit = Int(words[5]), let sequence = Int64(words[6])
    else { return nil }
    member = words[0]
    epoch = words[1]
    listing = Listing(
      key: words[2], id: words[3], isRecursive: words[4].contains("r"), withDeleted: words[4].contains("d"),
      withMembers: words[4].contains("m"), limit: limit)
    self.sequence = sequence
    after = words.count == 8 ? words[7] : nil
  }

  init(member: String, epoch: String, listing: Listing, after: String?, sequence: Int64) {
    self.member = member
    self.epoch = epoch
    self.listing = listing
    self.after = after
    self.sequence = sequence
  }
}
