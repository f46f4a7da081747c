enum TypedCommand: Sendable, Equatable {
  case quit, help, news, who, waiting, trashView, today, tags, broken
  case search(String)
  case read(String)
  case edit(String)
  case rename(ClubState.Tab, String, to: String)
  /// Photos into an album, notes into a folder.
  case move(ClubState.Tab, [String], to: String)
  case makeFolder(String)
  case trash(ClubState.Tab, [String])
  case link(ClubState.Tab, String)
  case view(String)
  case info(String)
  case askForPhotos(giver: String)
  case wall(asks: Bool)
  case upload([String])
  case download([String], to: String?)
  case transfer(TransferVerb)
  case club(String)
  case clubs(ClubsStart)

  enum Fault: Error, Equatable {
    /// Unknown to the screens; perhaps a shell command.
    case unknown
    case usage(String)
  }

  private static let verbs = [
    "note": ["cat", "edit", "link", "mv", "rm"], "photo": ["ask", "get", "info", "link", "mv", "put", "rm", "view"],
    "help": [], "mkdir": [], "quit": [], "search": [], "news": [], "who": [], "waiting": [], "trash": [], "today": [],
    "tags": [], "broken": [],
    "transfer": TransferVerb.verbs,
    "club": ["add"], "join": [], "wall": ["ask"],
  ]

  /// The nouns and verbs that a shell takes after `byteclub`.
  static let shellWords: Set<String> = [
    "note", "photo", "link", "transfer", "trash", "draft", "sync", "search", "join", "device", "login", "logout",
    "whoami", "serve", "demo", "club", "config", "cache", "doctor", "completion",
  ]

  /// Except names: nouns, then verbs.
  static func following(_ words: ArraySlice<String>) -> [String] {
    guard let noun = words.first else { return verbs.keys.sorted() }
    if noun == "transfer" { return TransferVerb.following(words) }
    return words.count == 1 ? verbs[noun] ?? [] : []
  }

  /// The kind of file whose name comes next; nil if no name does.
  static func named(after words: ArraySlice<String>) -> ClubState.Tab? {
    guard words.count >= 2, let noun = words.first, noun == "note" || noun == "photo",
      let verb = words.dropFirst().first, !["ask", "put"].contains(verb)
    else { return nil }
    let isOnlyFirst = !["rm", "get"].contains(verb)
    guard following(words.prefix(1)).contains(verb), words.count == 2 || !isOnlyFirst else { return nil }
    return noun == "note" ? .notes : .photos
  }

  /// The search that a line has behind its first word; nil for other lines.
  static func sought(in line: String) -> String? {
    let rest = line.drop { $0 == " " }
    return rest.hasPrefix("search ") ? String(rest.dropFirst("search".count).drop { $0 == " " }) : nil
  }

  /// `line` has the words as they were typed: a search has quotation marks of its own.
  init(_ words: [String], line: String) throws(Fault) {
    if words.first == "search", words.count > 1, let search = TypedCommand.sought(in: line) {
      self = .search(search)
      return
    }
    var names = Array(words.dropFirst(2))
    var directory: String?
    if words.prefix(2) == ["photo", "get"], let option = names.firstIndex(of: "--to") {
      guard option + 2 == names.count else { throw .usage("photo get NAME... --to DIR") }
      directory = names[option + 1]
      names.removeSubrange(option...)
    }
    if words.first == "transfer" {
      self = .transfer(try TransferVerb(words.dropFirst()))
      return
    }
    guard !names.contains(where: { $0.hasPrefix("-") }) else { throw .unknown }
    /// A `count` of 0 stands for one or more.
    func only(_ count: Int, _ usage: String) throws(Fault) -> [String] {
      guard count == 0 ? !names.isEmpty : names.count == count else { throw .usage(usage) }
      return names
    }
    switch (words.first, words.dropFirst().first) {
    case ("quit", nil), ("q", nil): self = .quit
    case ("help", nil): self = .help
    case ("news", nil): self = .news
    case ("who", nil): self = .who
    case ("waiting", nil): self = .waiting
    case ("trash", nil): self = .trashView
    case ("today", nil): self = .today
    case ("tags", nil): self = .tags
    case ("broken", nil): self = .broken
    case ("club", nil): self = .clubs(.list)
    case ("club", let name?) where words.count == 2: self = name == "add" ? .clubs(.add) : .club(name)
    case ("wall", nil): self = .wall(asks: false)
    case ("wall", "ask"?) where words.count == 2, ("wall", "--ask"?) where words.count == 2: self = .wall(asks: true)
    case ("wall", _): throw .usage("wall, or wall ask")
    case ("join", nil): throw .usage("join LINE")
    case ("join", _): self = .clubs(.join(words.dropFirst().joined(separator: " ")))
    case ("search", nil): throw .usage("search WORDS")
    case ("note", "cat"): self = .read(try only(1, "note cat NAME")[0])
    case ("note", "edit"): self = .edit(try only(1, "note edit NAME")[0])
    case ("note", "rm"): self = .trash(.notes, try only(0, "note rm NAME..."))
    case ("mkdir", _):
      guard words.count > 1 else { throw .usage("mkdir NAME") }
      self = .makeFolder(words.dropFirst().joined(separator: " "))
    case ("note", "mv"):
      if let folder = names.last, folder.hasSuffix("/"), names.count > 1 {
        self = .move(.notes, names.dropLast(), to: folder)
        return
      }
      let names = try only(2, "note mv NAME NEW-NAME, note mv NAME... FOLDER/")
      self = .rename(.notes, names[0], to: names[1])
    case ("note", "link"): self = .link(.notes, try only(1, "note link NAME")[0])
    case ("photo", "link"): self = .link(.photos, try only(1, "photo link NAME")[0])
    case ("photo", "view"): self = .view(try only(1, "photo view NAME")[0])
    case ("photo", "info"): self = .info(try only(1, "photo info NAME")[0])
    case ("photo", "rm"): self = .trash(.photos, try only(0, "photo rm NAME..."))
    case ("photo", "ask"): self = .askForPhotos(giver: names.joined(separator: " "))
    case ("photo", "put"): self = .upload(try only(0, "photo put FILE..."))
    case ("photo", "get"): self = .download(try only(0, "photo get NAME... --to DIR"), to: directory)
    case ("photo", "mv"):
      if let album = names.last, album.hasSuffix("/"), names.count > 1 {
        self = .move(.photos, names.dropLast(), to: album)
        return
      }
      let names = try only(2, "photo mv NAME NEW-NAME, photo mv NAME... ALBUM/")
      self = .rename(.photos, names[0], to: names[1])
    default: throw .unknown
    }
  }
}

extension TypedCommand {
  var changesClub: Bool {
    switch self {
    case .edit, .rename, .move, .makeFolder, .trash, .link, .askForPhotos, .upload: true
    case .wall(let asks): asks
    case .quit, .help, .news, .who, .waiting, .trashView, .today, .tags, .broken, .search, .read, .view, .info,
      .download, .transfer, .club, .clubs:
      false
    }
  }
}
