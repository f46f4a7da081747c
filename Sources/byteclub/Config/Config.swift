/// All settings with their values, and who said so.
struct Config: Sendable {
  /// The value of one setting.
  struct Entry: Sendable, Equatable {
    /// The key path, as `clubs.home.path`.
    let key: String
    /// The value.
    var value: SettingValue
    /// Who said so.
    var origin: ConfigOrigin
  }

  private static let headers = "network.headers."

  /// Every setting, in the table's order; those of clubs, header fields and keys once for each name.
  private(set) var entries: [Entry] = []
  /// The clubs' names, in the file's order.
  private(set) var clubNames: [String] = []
  /// The keys that were given to commands.
  private(set) var keys: [String: [String]] = [:]

  /// Adds or replaces a value.
  mutating func set(_ key: String, _ value: SettingValue, _ origin: ConfigOrigin) {
    if let index = entries.firstIndex(where: { $0.key == key }) {
      entries[index].value = value
      entries[index].origin = origin
    } else {
      entries.append(Entry(key: key, value: value, origin: origin))
    }
  }

  /// Adds a club.
  mutating func addClub(_ name: String) {
    if !clubNames.contains(name) { clubNames.append(name) }
  }

  /// Gives keys to a command.
  mutating func setKeys(_ command: String, _ words: [String], _ origin: ConfigOrigin) {
    keys[command] = words
    set("keys." + command, .keys(words), origin)
  }

  /// Brings the entries into the table's order.
  mutating func sort(by table: SettingTable) {
    let patterns = table.settings.map(\.key)
    // The settings of one club stay together.
    let club = table.settings.filter { $0.key.hasPrefix("clubs.") }
      .reduce(into: [String]()) { keys, setting in if !keys.contains(setting.key) { keys.append(setting.key) } }
    let order = patterns.flatMap { key -> [String] in
      guard key.hasPrefix("clubs.") else { return [key] }
      guard key == club.first else { return [] }
      return clubNames.flatMap { name in
        club.map { $0.split(separator: ".").dropFirst(2).reduce("clubs.\(name)") { "\($0).\($1)" } }
      }
    }
    let header = order.firstIndex(of: Config.headers + "NAME")
    func rank(_ entry: Entry) -> Int {
      order.firstIndex(of: entry.key) ?? (entry.key.hasPrefix(Config.headers) ? header : nil) ?? order.count
    }
    let ranked = entries.enumerated().map { (rank: rank($0.element), index: $0.offset, entry: $0.element) }
    entries = ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.entry)
  }

  /// A text; nil when the setting says nothing.
  func text(_ key: String) -> String? {
    if case .text(let text) = self[key] { text } else { nil }
  }

  /// A program and its arguments; nil when the setting says nothing.
  func program(_ key: String) -> [String]? {
    if case .program(let words) = self[key] { words } else { nil }
  }

  /// The member's name.
  var member: String? { text("member") }
  /// Whether servers elsewhere may be asked without encryption.
  var mayBePlain: Bool { text("network.allowPlainHTTP") == "anywhere" }
  /// How requests are made.
  var network: NetworkSettings {
    NetworkSettings(
      requestTimeoutSeconds: whole("network.requestTimeoutSeconds", 30),
      resourceTimeoutSeconds: whole("network.resourceTimeoutSeconds", 86_400),
      connectionsPerHost: whole("network.connectionsPerHost", 4),
      headers: entries.compactMap { entry in
        guard entry.key.hasPrefix(Config.headers), case .text(let text) = entry.value else { return nil }
        return NetworkSettings.Field(name: String(entry.key.dropFirst(Config.headers.count)), value: text)
      })
  }
  /// The club to open; nil when nothing says so.
  var club: String? { text("club") }
  /// The folder of the photos inside the club.
  var photosFolder: String { text("photosFolder") ?? "photos" }
  /// Whether the log tells each request and each call to a club's store.
  var logsDetails: Bool { text("logLevel") == "debug" }
  /// How many files are transferred at the same time.
  var concurrentTransfers: Int { whole("transfers.concurrent", 3) }
  /// How many MiB are sent in one piece.
  var transferChunkMebibytes: Int { whole("transfers.chunkMebibytes", 8) }
  /// How many KiB a second all transfers may take; nil without a limit.
  var transferLimitKibibytes: Int? {
    if case .whole(let number) = self["transfers.limitKibibytesPerSecond"] { number } else { nil }
  }
  /// After how many seconds the end of a transfer is told by the terminal.
  var notifyAfterSeconds: Int { whole("transfers.notifyAfterSeconds", 20) }
  /// How many MiB of photos that were looked at are kept.
  var cachedPhotosMebibytes: Int { whole("cache.photosMebibytes", 512) }
  /// Whether the app uses the mouse.
  var usesMouse: Bool { self["ui.mouse"] != .boolean(false) }
  /// Whether the app draws with ASCII alone.
  var usesASCII: Bool { self["ui.ascii"] == .boolean(true) }

  private func whole(_ key: String, _ otherwise: Int) -> Int {
    if case .whole(let number) = self[key] { number } else { otherwise }
  }

  private subscript(key: String) -> SettingValue? { entries.first { $0.key == key }?.value }
}
