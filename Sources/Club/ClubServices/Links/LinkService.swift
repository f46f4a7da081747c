internal import Basics
public import FileStores

/// Shares notes and photos of a club with anyone, by links that its store keeps.
public struct LinkService: Sendable {
  let club: Club
  let now: @Sendable () -> Timestamp

  public init(_ club: Club, now: @escaping @Sendable () -> Timestamp = { .now() }) {
    (self.club, self.now) = (club, now)
  }

  var sharing: any LinkSharing {
    get throws(StoreError) {
      guard let links = club.store.capabilities.links else {
        throw StoreError(
          .unsupported, "The place of this club, \(club.place), cannot share files by links.",
          remedy: "Clubs at Dropbox and at byteclub serve can.")
      }
      return links
    }
  }

  /// The link to a file, made if there is none; see `LinkSharing.link`. Without an end, a new link ends in a week.
  /// - Throws: `badInput` for an end that has passed; as `LinkSharing.link`.
  public func link(
    to path: StorePath, _ end: LinkEnd? = nil, password: String? = nil
  ) async throws(StoreError) -> SharedLink {
    let (sharing, now) = (try sharing, now())
    var terms = LinkTerms(expires: end?.time(from: now), password: password)
    if let time = terms.expires, time <= now {
      throw StoreError(
        .badInput, "The end of the link has passed: \(SharedLink.words(time)).", remedy: "Name a later one.", path: path
      )
    }
    if end == nil, try await sharing.links(to: path).isEmpty { terms.expires = LinkEnd.week.time(from: now) }
    let link = try await sharing.link(to: path, terms)
    guard end == .never, link.expires != nil else { return link }
    throw StoreError(
      .exists, "\"\(path)\" is shared already, by a link that ends.", remedy: "Revoke that link first.", path: path)
  }

  /// The link to a file that is there, or a new one with this end.
  public func share(
    _ path: StorePath, until end: LinkEnd
  ) async throws(StoreError) -> (link: SharedLink, isNew: Bool) {
    if let known = try await sharing.links(to: path).first { return (known, false) }
    return (try await link(to: path, end), true)
  }

  /// The member's links into the club, by path, then the drop pages.
  public func all() async throws(StoreError) -> [SharedLink] {
    let links = try await sharing.links(to: nil).sorted { $0.path < $1.path }
    return links.filter { $0.drop == nil } + links.filter { $0.drop != nil }
  }

  /// Ends the link of an address, or those to a file: a path in the club, or the name of a note.
  /// - Returns: the ended links; one of a foreign address has the root as its path.
  /// - Throws: `notFound` if there is none.
  public func revoke(_ word: String) async throws(StoreError) -> [SharedLink] {
    let links = try sharing
    if word.contains("://") {
      let known = try await links.links(to: nil).first { $0.url == word }
      try await links.revoke(word)
      // The address may be written otherwise, such as with another ending.
      return [known ?? SharedLink(url: word, path: .root)]
    }
    var ended: [SharedLink] = []
    let paths = try paths(of: word)
    for path in paths where ended.isEmpty {
      ended = try await ifThere(or: [.badName]) { () throws(StoreError) in try await links.links(to: path) } ?? []
    }
    if ended.isEmpty {
      // Equal texts may have other bytes, as names that macOS wrote.
      let names = paths.map(\.description)
      ended = try await links.links(to: nil).filter { names.contains($0.path.description) }
    }
    guard !ended.isEmpty else {
      throw StoreError(
        .notFound, "You have no link to \"\(word)\".", remedy: "See your links with: byteclub link ls")
    }
    for link in ended { try await links.revoke(link.url) }
    return ended
  }

  /// The places that a word may mean: a note, a path in the club, a photo by its path from the photos folder.
  private func paths(of word: String) throws(StoreError) -> [StorePath] {
    // The list shows a page's folder so.
    if word.hasSuffix("/") {
      let folder = String(word.dropLast())
      return [try StorePath(folder), try StorePath("\(club.photosFolder)/\(folder)")]
    }
    var paths: [StorePath] = []
    for spelling in NotesService.spellings(of: word) { paths.append(try StorePath(spelling)) }
    return paths + [try StorePath("\(club.photosFolder)/\(word)")]
  }
}

/// The end of a new link.
public enum LinkEnd: Sendable, Hashable {
  /// Seconds from now.
  case after(Int64)
  case at(Timestamp)
  case never

  public static let week = LinkEnd.after(7 * 86_400)
  public static let month = LinkEnd.after(30 * 86_400)

  /// In whole seconds; nil for never.
  func time(from now: Timestamp) -> Timestamp? {
    switch self {
    case .after(let seconds): Timestamp(seconds: now.seconds + seconds)
    case .at(let time): time
    case .never: nil
    }
  }
}

extension NotesService {
  public var links: LinkService { LinkService(club) }

  /// See `LinkService.share`.
  public func share(_ path: StorePath, until end: LinkEnd) async throws(StoreError) -> (link: SharedLink, isNew: Bool) {
    try await links.share(path, until: end)
  }

  public func unshare(_ link: SharedLink) async throws(StoreError) { _ = try await links.revoke(link.url) }
}

extension PhotosService {
  /// See `LinkService.share`.
  public func share(_ path: StorePath, until end: LinkEnd) async throws(StoreError) -> (link: SharedLink, isNew: Bool) {
    try await LinkService(club).share(path, until: end)
  }

  public func unshare(_ link: SharedLink) async throws(StoreError) { _ = try await LinkService(club).revoke(link.url) }
}

extension SharedLink {
  /// A sentence about the end and the password.
  public var terms: String {
    let end = expires.map { "It ends on \(SharedLink.words($0))." } ?? "It never expires."
    return hasPassword ? end + " It asks for its password." : end
  }

  /// `2026-12-01 at 12:00 UTC`.
  static func words(_ time: Timestamp) -> String {
    let text = CivilTime(secondsSince1970: Int(time.seconds)).utc
    return "\(text.prefix(10)) at \(text.dropFirst(11).prefix(5)) UTC"
  }
}
