import Basics
import Database
import FileStores

/// The shared links of a club. Their addresses have words (`AddressWords`).
struct ServedLinks: Sendable {
  /// A link that has not ended, and the file or folder that an address of it leads to.
  struct Found: Sendable {
    let link: ServerLink
    /// The link's own file or folder.
    let top: ServerNode
    /// `top`, or what is below it.
    let file: ServerNode

    init(_ link: ServerLink, to top: ServerNode, below: ServerNode? = nil) {
      (self.link, self.top, file) = (link, top, below ?? top)
    }

    /// The path of a node below the link's folder; empty for that folder.
    func below(of node: ServerNode) -> String { String(node.display.dropFirst(top.display.count)) }
  }

  /// The path of all links, before the word.
  static let path = "/s/"
  /// The most links of one member.
  static let mostOfMember = 10_000

  /// True if the server's owner allows links. Without it none opens and none is made; members can still list and revoke
  /// theirs.
  let isAllowed: Bool
  private let database: ServerMembersDatabase
  let index: ClubIndex
  private let key: Seal
  private let words: AddressWords
  private let turns: GuessTurns

  init(
    isAllowed: Bool, _ database: ServerMembersDatabase, _ index: ClubIndex, _ turns: GuessTurns
  ) throws(StoreError) {
    (self.isAllowed, self.database, self.index, self.turns) = (isAllowed, database, index, turns)
    key = Seal(key: try database.secret("links"))
    words = AddressWords(key, for: "shared link")
  }

  // MARK: Addresses

  /// The address as clients see it. Its name is for people and finds nothing. `dl=0` is Dropbox's: programs make it
  /// `dl=1` to download.
  func url(_ link: ServerLink, to file: ServerNode, below: String = "", origin: String) -> String {
    let names = PercentEncoding.encoded(file.name) + PercentEncoding.encoded(below, keepingSlashes: true)
    return "\(origin)\(ServedLinks.path)\(words.word(link.id))/\(names)?dl=0"
  }

  /// The word of a link's path; nil for a path of another form.
  static func word(inPath path: Substring) -> String? { AddressWords.word(inPath: path, behind: self.path) }

  /// The word of an address of this server's form, whatever its host: proxies give a server many names.
  static func word(inURL url: String) -> String? { word(inPath: path(ofURL: url)) }

  static func path(ofURL url: String) -> Substring {
    var rest = Substring(url)
    if let scheme = rest.firstRange(of: "://") {
      let host = rest[scheme.upperBound...]
      rest = host[(host.firstIndex(of: "/") ?? host.endIndex)...]
    }
    return rest.prefix { $0 != "?" && $0 != "#" }
  }

  /// True if this club made the word, even if its link has ended.
  func made(_ word: String) -> Bool { words.id(word) != nil }

  // MARK: Finding

  /// The link of a word, and its file or folder.
  ///
  /// A guessed, a revoked and an expired word cost the same looks at the databases as one whose file is deleted, so that
  /// the time does not tell them apart.
  func find(_ word: String?) async throws(StoreError) -> Found? {
    let (id, database) = (word.flatMap { words.id($0) }, database)
    let link = try await index.pool.run { () throws(StoreError) in try database.link(id: id ?? "") }
    let isOpen = isAllowed && id != nil && link?.hasEnded(at: index.now()) == false
    return try await follow(isOpen ? link : nil)
  }

  /// The link to which an address leads, also while links are not allowed; nil if it has ended.
  func known(_ url: String) async throws(StoreError) -> ServerLink? {
    guard let id = ServedLinks.word(inURL: url).flatMap({ words.id($0) }) else { return nil }
    let link = try await index.pool.run { () throws(StoreError) in try database.link(id: id) }
    return link?.hasEnded(at: index.now()) == false ? link : nil
  }

  /// The file of a link, by its id, which survives moves; in a new index by the path where the link last found it.
  func follow(_ link: ServerLink?) async throws(StoreError) -> Found? {
    let epoch = try await index.read { try $0.epoch() }
    let isOld = link.map { $0.epoch != epoch } ?? false
    let path = isOld ? ClubPath.path(link?.display ?? "") : .id(link?.file ?? "id:none", below: "")
    guard let file = try await index.find(path), var link, file.isFolder == link.isFolder, !file.isInTrash else {
      return nil
    }
    if isOld || link.display != file.display {
      (link.file, link.epoch, link.display) = (file.id, epoch, file.display)
      let (database, moved) = (database, link)
      try await index.pool.run { () throws(StoreError) in try database.note(moved) }
    }
    return Found(link, to: file)
  }

  // MARK: Members

  func add(
    to file: ServerNode, of member: ServerMember, _ settings: LinkSettings
  ) async throws(StoreError) -> ServerMembersDatabase.LinkAddition {
    let (database, now) = (database, index.now())
    let epoch = try await index.read { try $0.epoch() }
    let link = ServerLink(
      id: AddressWords.freshID(), member: member.id, file: file.id, epoch: epoch, display: file.display,
      isFolder: file.isFolder, created: now, expires: settings.expires, password: try await digest(settings.password))
    return try await index.pool.run { () throws(StoreError) in
      try database.add(link, atMost: ServedLinks.mostOfMember, at: now)
    }
  }

  /// A member's links that have not ended, oldest first. `last` is the number of the last link of a full page.
  func page(
    of member: ServerMember, after number: Int64, limit: Int
  ) async throws(StoreError) -> (found: [Found], last: Int64?) {
    let links = try await index.pool.run { () throws(StoreError) in
      try database.links(of: member.id, after: number, limit: limit)
    }
    return (try await follow(links), links.count == limit ? links.last?.number : nil)
  }

  func links(to file: ServerNode, of member: ServerMember) async throws(StoreError) -> [Found] {
    let epoch = try await index.read { try $0.epoch() }
    return try await follow(
      try await index.pool.run { () throws(StoreError) in
        try database.links(of: member.id, to: file.id, epoch: epoch, display: file.display)
      })
  }

  private func follow(_ links: [ServerLink]) async throws(StoreError) -> [Found] {
    let now = index.now()
    var found: [Found] = []
    for link in links where !link.hasEnded(at: now) {
      if let each = try await follow(link) { found.append(each) }
    }
    return found
  }

  /// Returns false if the link was revoked meanwhile.
  func change(_ link: ServerLink, _ settings: LinkSettings) async throws(StoreError) -> Bool {
    let digest = try await digest(settings.password)
    let password = settings.removesPassword ? .removed : digest.map { ServerLink.Change.changed($0) } ?? .kept
    let expires = settings.removesExpiry ? .removed : settings.expires.map { ServerLink.Change.changed($0) } ?? .kept
    return try await index.pool.run { () throws(StoreError) in
      try database.set(expires: expires, password: password, ofLink: link.id)
    }
  }

  /// Ends a link at once. Returns false if it has ended before.
  func revoke(_ link: ServerLink) async throws(StoreError) -> Bool {
    return try await index.pool.run { () throws(StoreError) in try database.revoke(link: link.id) }
  }

  // MARK: Passwords

  /// True for the password of a link that has one. One password is hashed at a time and holds one thread, so that guesses
  /// cannot keep the server busy, and each network waits for its own.
  /// - Throws: 429 after too many wrong passwords from the caller's address.
  func isRight(_ password: String, for link: ServerLink, _ call: Call) async throws -> Bool {
    guard let digest = link.password else { return true }
    try call.checkFailures()
    return try await turns.with(call.peer) {
      try call.checkFailures()
      let isRight = try await index.pool.run { () throws(StoreError) in
        try Scrypt.isDigest(digest, of: Folding.composed(password))
      }
      if !isRight { try call.noteFailure() }
      return isRight
    }
  }

  /// nil without a password.
  private func digest(_ password: String?) async throws(StoreError) -> [UInt8]? {
    guard let password else { return nil }
    return try await turns.setting { () throws(StoreError) in
      try await index.pool.run { () throws(StoreError) in try Scrypt.digest(of: Folding.composed(password)) }
    }
  }

  private static let passSeconds: Int64 = 60 * 60

  /// A word that opens a link for an hour without its password, until that is changed.
  func pass(_ link: ServerLink) -> (word: String, seconds: Int64) {
    let end = index.now() + ServedLinks.passSeconds
    return (key.seal([link.id, ServedLinks.mark(link), String(end)], for: "link pass"), ServedLinks.passSeconds)
  }

  func isPass(_ word: String, for link: ServerLink) -> Bool {
    guard let words = key.open(word, for: "link pass"), words.count == 3, let end = Int64(words[2]) else {
      return false
    }
    return words[0] == link.id && words[1] == ServedLinks.mark(link) && end > index.now()
  }

  /// The salt, which each setting of a password makes anew.
  private static func mark(_ link: ServerLink) -> String {
    Base64.text(of: (link.password ?? []).prefix(Scrypt.saltBytes), .url)
  }
}
