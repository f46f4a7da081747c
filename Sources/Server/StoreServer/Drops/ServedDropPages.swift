import Basics
import Database
import FileStores

/// The pages of a club on which people without an account leave pictures. Their addresses have words (`AddressWords`).
struct ServedDropPages: Sendable {
  /// The path of all pages, before the word.
  static let path = "/d/"
  /// The most pages of one member.
  static let mostOfMember = 100
  /// The most pictures of one page.
  static let mostPictures = 2_000
  /// So many forms of one page are read at once.
  static let mostForms = 4
  private static let lettersInLog = 4

  /// True if the server's owner allows pages. Without it none opens and none is made; members can still list and end
  /// theirs.
  let isAllowed: Bool
  let slowestSeconds: Double
  let forms = KeyedLocks(most: mostForms)
  private let database: ServerMembersDatabase
  private let index: ClubIndex
  private let words: AddressWords

  init(_ options: ServerOptions, _ database: ServerMembersDatabase, _ index: ClubIndex) throws(StoreError) {
    (isAllowed, slowestSeconds) = (options.servesDropPages, options.slowestDropSeconds)
    (self.database, self.index) = (database, index)
    words = AddressWords(Seal(key: try database.secret("drop pages")), for: "drop page")
  }

  // MARK: Addresses

  func url(_ page: ServerDropPage, origin: String) -> String {
    origin + ServedDropPages.path + words.word(page.id)
  }

  /// The word of an address of this server's form, whatever its host.
  static func word(inURL url: String) -> String? {
    AddressWords.word(inPath: ServedLinks.path(ofURL: url), behind: path)
  }

  /// True if this club made the word, even if its page has ended.
  func made(_ word: String) -> Bool { words.id(word) != nil }

  /// The letters of a page's address that the access log shows; nil for other paths. They are of the id, which is no
  /// secret.
  static func loggedLetters(of path: String) -> String? {
    guard let word = AddressWords.word(inPath: path[...], behind: self.path) else { return nil }
    let letters = word.prefix(lettersInLog)
    return Base64.bytes(of: letters, .url) == nil ? nil : String(letters)
  }

  // MARK: Finding

  /// The page of a word. A guessed, an ended and a foreign word cost the same look at the database.
  func find(_ word: String?) async throws(StoreError) -> ServerDropPage? {
    let (id, database) = (word.flatMap { words.id($0) }, database)
    let page = try await index.pool.run { () throws(StoreError) in try database.dropPage(id: id ?? "") }
    guard isAllowed, id != nil, let page, !page.hasEnded(at: index.now()) else { return nil }
    return page
  }

  /// The page to which an address leads, also while pages are not allowed; nil if it has ended.
  func known(_ url: String) async throws(StoreError) -> ServerDropPage? {
    guard let id = ServedDropPages.word(inURL: url).flatMap({ words.id($0) }) else { return nil }
    let page = try await index.pool.run { () throws(StoreError) in try database.dropPage(id: id) }
    return page?.hasEnded(at: index.now()) == false ? page : nil
  }

  // MARK: Members

  /// Returns false if the member has too many pages.
  func add(_ page: ServerDropPage) async throws(StoreError) -> Bool {
    let (database, now) = (database, index.now())
    return try await index.pool.run { () throws(StoreError) in
      try database.add(page, atMost: ServedDropPages.mostOfMember, at: now)
    }
  }

  /// A member's pages that have not ended, oldest first.
  func pages(of member: ServerMember) async throws(StoreError) -> [ServerDropPage] {
    let (database, now) = (database, index.now())
    return try await index.pool.run { () throws(StoreError) in try database.dropPages(of: member.id) }
      .filter { !$0.hasEnded(at: now) }
  }

  /// Ends a page at once. Returns false if it has ended before.
  func revoke(_ page: ServerDropPage) async throws(StoreError) -> Bool {
    return try await index.pool.run { () throws(StoreError) in try database.revoke(dropPage: page.id) }
  }

  // MARK: Pictures

  /// Counts a picture before it is kept, and notes the name of who gave it. Returns false if it does not fit, or if the page
  /// has ended.
  func claim(_ bytes: UInt64, of page: ServerDropPage, by author: ServerAuthor) async throws(StoreError) -> Bool {
    let (database, now) = (database, index.now())
    return try await index.pool.run { () throws(StoreError) in
      guard try database.claim(bytes, ofDropPage: page.id, atMost: ServedDropPages.mostPictures, at: now) else {
        return false
      }
      try database.note(guest: author, account: RouteTable.accountID(author), isKept: false)
      return true
    }
  }

  /// Notes that a picture that was claimed is in the club.
  func keep(_ author: ServerAuthor) async throws(StoreError) {
    try await index.pool.run { () throws(StoreError) in
      try database.note(guest: author, account: RouteTable.accountID(author), isKept: true)
    }
  }

  /// Takes back the claim of a picture that was not kept.
  func giveBack(_ bytes: UInt64, of page: ServerDropPage, by author: ServerAuthor) async throws(StoreError) {
    try await index.pool.run { () throws(StoreError) in
      try database.giveBack(bytes, ofDropPage: page.id)
      try database.forgetUnkeptGuest(account: RouteTable.accountID(author))
    }
  }

  /// Bytes and pictures that still fit; nil if the page has ended.
  func left(of page: ServerDropPage) async throws(StoreError) -> (bytes: UInt64, pictures: Int)? {
    let (database, now) = (database, index.now())
    let found = try await index.pool.run { () throws(StoreError) in try database.dropPage(id: page.id) }
    guard let found, !found.hasEnded(at: now) else { return nil }
    return (found.leftBytes, ServedDropPages.mostPictures - found.pictures)
  }
}
