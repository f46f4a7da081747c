import Database

/// A position in a listing, sealed into a client's cursor with the member's id.
struct ListCursorWord: Sendable {
  struct Listing: Sendable {
    let key: String
    let id: String
    let isRecursive: Bool
    let withDeleted: Bool
    /// Adds `has_explicit_shared_members` to each file.
    var withMembers = false
    /// Adds `is_restorable` to each deleted file.
    var withRestorable = false
    let limit: Int

    var scope: ServerIndexReading.Scope { isRecursive ? .subtree(key) : .children(key) }
  }

  let member: String
  let epoch: String
  let listing: Listing
  /// The last key that was sent, while the first listing runs.
  var after: String?
  /// Changes after this index number are reported.
  var sequence: Int64

  func sealed(_ seal: Seal) -> String {
    let flags =
      (listing.isRecursive ? "r" : "") + (listing.withDeleted ? "d" : "") + (listing.withMembers ? "m" : "")
      + (listing.withRestorable ? "i" : "")
    return seal.seal(
      [member, epoch, listing.key, listing.id, flags, String(listing.limit), String(sequence)]
        + (after.map { [$0] } ?? []), for: "cursor")
  }
}

extension ListCursorWord {
  /// nil if the text is no cursor of this server.
  init?(_ text: String, _ seal: Seal) {
    guard let words = seal.open(text, for: "cursor"), words.count == 7 || words.count == 8,
      let limit = Int(words[5]), let sequence = Int64(words[6])
    else { return nil }
    let listing = Listing(
      key: words[2], id: words[3], isRecursive: words[4].contains("r"), withDeleted: words[4].contains("d"),
      withMembers: words[4].contains("m"), withRestorable: words[4].contains("i"), limit: limit)
    self.init(
      member: words[0], epoch: words[1], listing: listing, after: words.count == 8 ? words[7] : nil, sequence: sequence)
  }
}
