import ArgumentParser
import Basics
import ClubServices
import FileStores

/// Names that a shell offers for an argument: of the club that the typed line names, from the local copy if there is one.
enum NameCompletion {
  static let notes = kind(noteNames)
  static let photos = kind(photoNames)
  static let folders = kind(folderNames)
  static let notesAndFolders = kind { (open) async throws(StoreError) in
    try await noteNames(open) + folderNames(open)
  }
  static let albums = kind(albumNames)
  static let photosAndAlbums = kind { (open) async throws(StoreError) in
    try await photoNames(open) + albumNames(open)
  }
  /// Notes and photos.
  static let files = kind { (open) async throws(StoreError) in try await noteNames(open) + photoNames(open) }

  static let trash = kind { (open) async throws(StoreError) in try await open.notes.trashed().map(\.origin.bytes) }
  static let drafts = kind { (open) async throws(StoreError) in
    try await open.notes.waiting().compactMap { $0.path?.bytes }
  }

  static let clubs = CompletionKind.custom { words, _, _ in clubNames(words) }

  /// The words behind `serve`.
  static let server = CompletionKind.custom { words, index, _ in
    let before = words.indices.contains(index - 1) ? words[index - 1] : ""
    if before == "--club" { return clubNames(words) }
    if before == "serve" { return ServeCommand.commands.map(\.key) + ["--root", "--club", "--listen", "--help"] }
    return ServeCommand.commands.first { $0.key == before }?.value ?? []
  }

  /// Filters of a search; members and folders for those that take one.
  static let search = CompletionKind.custom { words, index, prefix in
    let offered = searches(words, index, prefix) { filter in
      switch filter {
      case .by: found(words, memberNames)
      case .in: found(words, folderNames)
      case .since, .before, .tag, .is, .has: []
      }
    }
    return texts(offered.map { Array($0.utf8) })
  }

  private static func kind(
    _ names: @escaping @Sendable (OpenClub) async throws(StoreError) -> [[UInt8]]
  ) -> CompletionKind {
    .custom { words, _, _ in texts(found(words, names)) }
  }

  /// Ways to go on with the last word of a search: the one at `index`, of which `prefix` is typed.
  static func searches(
    _ words: [String], _ index: Int, _ prefix: String, for shell: CompletionShell? = CompletionShell.requesting,
    _ values: (NoteQuery.Filter) -> [[UInt8]]
  ) -> [String] {
    func offers(_ text: String) -> [String] {
      let offers = QueryOffers(text, filters: NoteQuery.Filter.allCases, isAsked: true) { filter in
        values(filter).map { String(decoding: $0, as: UTF8.self) }
      }
      let kept = String(decoding: text.utf8.prefix(offers?.start ?? 0), as: UTF8.self)
      let texts = offers?.texts.map { kept + ($0.hasSuffix(" ") ? $0.dropLast() : $0[...]) } ?? []
      // The pins are the app's.
      return texts.filter { !$0.hasSuffix("is:pinned") }
    }
    // bash cuts words at colons, and replaces the part behind.
    let colon = prefix == ":" ? index : index - 1
    let isCut = shell == .bash && words.indices.contains(colon) && colon > 0 && words[colon] == ":"
    let head = isCut ? words[colon - 1] + ":" : ""
    let typed = head + (isCut && prefix == ":" ? "" : prefix.filter { $0 != "\\" })
    var texts = offers(typed)
    // With its values a shell writes no space behind the colon.
    if texts.count == 1, texts[0].hasSuffix(":"), case let more = offers(texts[0]), !more.isEmpty { texts = more }
    return texts.map { String($0.dropFirst(head.count)) }
  }

  @Sendable private static func noteNames(_ open: OpenClub) async throws(StoreError) -> [[UInt8]] {
    var notes: [FileEntry] = []
    try await open.notes.names { notes += $0.notes }
    return await open.notes.withOwn(notes).map(\.path.bytes)
  }

  /// With a slash at their ends.
  @Sendable private static func folderNames(_ open: OpenClub) async throws(StoreError) -> [[UInt8]] {
    var folders: Set<StorePath> = []
    try await open.notes.names { folders.formUnion($0.folders) }
    return folders.map { $0.bytes + [UInt8(ascii: "/")] }
  }

  /// With a slash at their ends.
  @Sendable private static func albumNames(_ open: OpenClub) async throws(StoreError) -> [[UInt8]] {
    try await open.photos.albums().map { $0 + [UInt8(ascii: "/")] }
  }

  @Sendable private static func memberNames(_ open: OpenClub) async throws(StoreError) -> [[UInt8]] {
    var members: Set<String> = []
    try await open.notes.details { members.formUnion($0.compactMap(\.member)) }
    return members.map { Array($0.utf8) }
  }

  @Sendable private static func photoNames(_ open: OpenClub) async throws(StoreError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    try await open.photos.list { page in names += page.map { open.photos.name(of: $0.path) } }
    return names
  }

  /// A shell waits for the names, and nobody for a server that does not answer.
  private static let patience = Duration.seconds(1)

  private static func clubNames(_ words: [String]) -> [String] {
    let options = options(words)
    do {
      let paths = try Paths(.process, config: options.config)
      let config = try ClubSetup.report(paths, StartOptions(config: options.config), .process).checked()
      return texts(config.clubNames.map { Array($0.utf8) })
    } catch {
      return []
    }
  }

  /// Nothing for settings with a fault, which the command itself reports.
  private static func found(
    _ words: [String], _ names: @escaping @Sendable (OpenClub) async throws(StoreError) -> [[UInt8]]
  ) -> [[UInt8]] {
    guard let setup = try? ClubSetup(options(words)) else { return [] }
    let found = MainThread.run { () async -> [[UInt8]] in
      await withTaskGroup(of: [[UInt8]].self) { group in
        group.addTask {
          do throws(StoreError) {
            return try await names(
              try OpenClub(setup, owner: await ClubOwner.last(setup), freshness: .atOnce))
          } catch {
            setup.log.error("the names of a club were not completed", error)
            return []
          }
        }
        group.addTask {
          // Cancelled when the names are there.
          try? await TimerClock().sleep(for: patience)
          return []
        }
        let found = await group.next() ?? []
        group.cancelAll()
        return found
      }
    }
    return found ?? []
  }

  /// The options of the typed line that choose the club. bash cuts words at `=`, and no shell expands `~`.
  static func options(_ words: [String]) -> StartOptions {
    var options = StartOptions()
    var rest = words.flatMap { word in
      word.hasPrefix("--") ? word.split(separator: "=", maxSplits: 1).map(String.init) : [word]
    }.filter { $0 != "=" }[...]
    while let word = rest.popFirst() {
      switch word {
      case "--club": options.club = rest.popFirst()
      case "--folder": options.folder = rest.popFirst().map(expanded)
      case "--config": options.config = rest.popFirst().map(expanded)
      default: break
      }
    }
    return options
  }

  private static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = Environment.process["HOME"] else { return path }
    return home + path.dropFirst()
  }

  /// Names that can be typed. Another member chose them: bash would run what they hold, zsh cuts them at a colon.
  static func texts(_ names: [[UInt8]], for shell: CompletionShell? = CompletionShell.requesting) -> [String] {
    let names = names.compactMap { String(validating: $0, as: UTF8.self) }
      .filter {
        $0.utf8.first != UInt8(ascii: "-") && !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
      }
      .sorted()
    switch shell {
    case .bash?:
      return names.map { name in
        escaped(name) { $0.value >= 0x80 || $0.properties.isAlphabetic || ("0"..."9").contains($0) || isPlain($0) }
      }
    case .zsh?: return names.map { escaped($0) { $0 != ":" && $0 != "\\" } }
    default: return names
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool { "._/,+@".unicodeScalars.contains(scalar) }

  /// By scalars: a shell knows no letters of several, and a mark behind a backquote leaves it one.
  private static func escaped(_ name: String, _ isPlain: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if !isPlain(scalar) { text.append("\\") }
      text.append(scalar)
    }
    return String(text)
  }
}
