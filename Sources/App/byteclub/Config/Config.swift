import Backends
import ClubServices
import Screens
import TextUI

struct Config: Sendable {
  struct Entry: Sendable, Equatable {
    let key: String
    var value: SettingValue
    var origin: ConfigOrigin
  }

  private static let headers = "network.headers."

  /// In the table's order; patterns such as clubs, headers and keys appear once for each name.
  private(set) var entries: [Entry] = []
  /// In the file's order.
  private(set) var clubNames: [String] = []
  private(set) var keys: [String: [String]] = [:]
  /// Of a file; nil for the themes of the program itself.
  var namedTheme: ThemeChoice?

  mutating func set(_ key: String, _ value: SettingValue, _ origin: ConfigOrigin) {
    if let index = entries.firstIndex(where: { $0.key == key }) {
      entries[index].value = value
      entries[index].origin = origin
    } else {
      entries.append(Entry(key: key, value: value, origin: origin))
    }
  }

  mutating func addClub(_ name: String) {
    if !clubNames.contains(name) { clubNames.append(name) }
  }

  mutating func setKeys(_ command: String, _ words: [String], _ origin: ConfigOrigin) {
    keys[command] = words
    set("keys." + command, .keys(words), origin)
  }

  mutating func sort(by table: SettingTable) {
    let patterns = table.settings.map(\.key)
    let club = table.settings.filter { $0.key.hasPrefix("clubs.") }
      .reduce(into: [String]()) { keys, setting in if !keys.contains(setting.key) { keys.append(setting.key) } }
    let order = patterns.flatMap { key -> [String] in
      guard key.hasPrefix("clubs.") else { return [key] }
      guard key == club.first else { return [] }
      return clubNames.flatMap { name in
        club.map { $0.split(separator: ".").dropFirst(2).reduce("clubs.\(name)") { "\($0).\($1)" } }
      }
    }
    let ranks = Dictionary(zip(order, order.indices)) { first, _ in first }
    let header = ranks[Config.headers + "NAME"]
    func rank(_ entry: Entry) -> Int {
      ranks[entry.key] ?? (entry.key.hasPrefix(Config.headers) ? header : nil) ?? order.count
    }
    let ranked = entries.enumerated().map { (rank: rank($0.element), index: $0.offset, entry: $0.element) }
    entries = ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.entry)
  }

  func text(_ key: String) -> String? {
    if case .text(let text) = self[key] { text } else { nil }
  }

  func program(_ key: String) -> [String]? {
    if case .program(let words) = self[key] { words } else { nil }
  }

  var member: String? { text("member") }
  var mayBePlain: Bool { text("network.allowPlainHTTP") == "anywhere" }
  var isMetered: Bool { self["network.metered"] == .boolean(true) }
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
  var club: String? { text("club") }
  var photosFolder: String { text("photosFolder") ?? "photos" }
  var dayNote: DayNote {
    let usual = DayNote()
    return DayNote(
      pattern: text("notes.today") ?? usual.pattern, template: text("notes.todayTemplate") ?? usual.template)
  }
  /// False if the notes at the club's top are listed alone.
  var hasNoteFolders: Bool { self["notes.folders"] != .boolean(false) }
  /// The log then contains each request and each call to a club's store.
  var logsDetails: Bool { text("logLevel") == "debug" }
  var concurrentTransfers: Int { whole("transfers.concurrent", 3) }
  var transferChunkMebibytes: Int { whole("transfers.chunkMebibytes", 8) }
  /// nil for no limit.
  var transferLimitKibibytes: Int? {
    if case .whole(let number) = self["transfers.limitKibibytesPerSecond"] { number } else { nil }
  }
  /// A longer transfer gets a terminal notification at its end.
  var notifyAfterSeconds: Int { whole("transfers.notifyAfterSeconds", 20) }
  var cachedPhotosMebibytes: Int { whole("cache.photosMebibytes", 512) }
  /// For each photo of the wall.
  var wallSeconds: Int { whole("wall.seconds", 20) }
  var usesMouse: Bool { self["ui.mouse"] != .boolean(false) }
  var editorKeys: EditorKeys { text("ui.editorKeys").flatMap(EditorKeys.init(rawValue:)) ?? .emacs }
  var showsPresence: Bool { self["ui.presence"] != .text("off") }
  var reducesMotion: Bool { self["ui.reducedMotion"] == .boolean(true) }
  /// True if marks, rules and bars are ASCII: by the setting or else by the locale.
  func usesASCII(in environment: Environment) -> Bool {
    if case .boolean(let isASCII) = self["ui.ascii"] { isASCII } else { !environment.isUnicode }
  }

  var preview: PreviewMode { text("ui.preview").flatMap(PreviewMode.init(rawValue:)) ?? .auto }

  var keyTable: KeyTable {
    var changes: [CommandID: [Key]] = [:]
    for (name, words) in keys {
      if let id = CommandID(rawValue: name) { changes[id] = words.compactMap { Key($0) } }
    }
    return KeyTable(changes: changes)
  }

  var graphics: GraphicsSetting { text("ui.graphics").flatMap(GraphicsSetting.init(rawValue:)) ?? .auto }

  /// The theme that is named, with the colours of an object over it.
  var theme: ThemeChoice {
    var choice = namedTheme ?? ThemeChoice(themeName.flatMap(Theme.Base.init(rawValue:)))
    if case .colors(let colors) = self["ui.theme"] { choice.take(colors) }
    return choice
  }

  /// Also of an object, as its base.
  var themeName: String? {
    switch self["ui.theme"] {
    case .text(let word): word
    case .colors(let colors): colors["base"]
    default: nil
    }
  }

  private func whole(_ key: String, _ otherwise: Int) -> Int {
    if case .whole(let number) = self[key] { number } else { otherwise }
  }

  func origin(of key: String) -> ConfigOrigin? { entries.first { $0.key == key }?.origin }

  private subscript(key: String) -> SettingValue? { entries.first { $0.key == key }?.value }
}

extension Config {
  func storeKind(of club: String) -> String? { text("clubs.\(club).store") }

  /// All settings of a club's store that have a value, with expanded paths.
  /// - Throws: for a path in an unknown home directory.
  func store(of club: String, _ kind: any StoreKind, _ paths: Paths) throws(ConfigFault) -> StoreDescription {
    var store = StoreDescription(kind: kind.name)
    for setting in kind.settings {
      let key = "clubs.\(club).\(setting.key)"
      if setting.value == .flag {
        if case .boolean(let isSet) = self[key] { store.options[setting.key] = "\(isSet)" }
      } else if setting.value == .path {
        store.options[setting.key] = try text(key).map { path throws(ConfigFault) in try paths.expanding(path) }
      } else {
        store.options[setting.key] = text(key)
        store.programs[setting.key] = program(key)
      }
    }
    store.allowsPlainHTTP = mayBePlain
    return store
  }
}
