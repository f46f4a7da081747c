import Backends
import ClubServices
import Screens
import TextUI

/// In the order of the manual.
struct SettingTable: Sendable {
  let settings: [Setting]
  /// The parts of each key: splitting them for each member of each club would slow the start.
  private let parts: [[String]]
  let stores: StoreRegistry
  let keys: KeyWords

  init(stores: StoreRegistry, keys: KeyWords) {
    self.stores = stores
    self.keys = keys
    settings = SettingTable.general + SettingTable.clubs(stores) + SettingTable.working
    parts = settings.map(\.parts)
  }

  private static let general = [
    Setting(
      key: "member", kind: .text, fallback: SettingValue.none, variable: "BYTECLUB_MEMBER", mayBeNull: true,
      about:
        "Your name in the club, for the names of conflict copies. Without it: the name of the account, else your name "
        + "on this machine."),
    Setting(
      key: "club", kind: .text, fallback: SettingValue.none, variable: "BYTECLUB_CLUB", flag: "--club",
      mayBeNull: true,
      about: "The club that byteclub opens. Without it: the only one, or the one called home."),
  ]

  private static let working = [
    Setting(
      key: "photosFolder", kind: .folder, fallback: .text("photos"), variable: "BYTECLUB_PHOTOS_FOLDER",
      about: "The folder inside the club that holds the photos."),
    Setting(
      key: "notes.today", kind: .text, fallback: .text(DayNote().pattern),
      about: "The path of the day's note, which :today and \"byteclub note today\" open or make, such as "
        + "daily/{year}/{date}.md. Filled are {date}, {year}, {month}, {day} and {member}."),
    Setting(
      key: "notes.todayTemplate", kind: .text, fallback: .text(DayNote().template),
      about: "The note whose text the day's note begins with. Without such a note it begins empty."),
    Setting(
      key: "notes.folders", kind: .boolean, fallback: .boolean(true), variable: "BYTECLUB_NOTES_FOLDERS",
      about:
        "Whether the notes in folders of the club are listed, too. With false, only those at the club's top are, as "
        + "before byteclub had folders of notes."),
    Setting(
      key: "network.requestTimeoutSeconds", kind: .whole(1...3600), fallback: .whole(30),
      about: "How many seconds a server may be silent before a request fails. A file that keeps moving, "
        + "however slowly, is not silent."),
    Setting(
      key: "network.resourceTimeoutSeconds", kind: .whole(1...31_536_000), fallback: .whole(86_400),
      about: "How many seconds a request may take in all, a large file included."),
    Setting(
      key: "network.connectionsPerHost", kind: .whole(1...64), fallback: .whole(4),
      about:
        "How many requests byteclub sends a server at the same time, and how many files it uploads or downloads at "
        + "the same time. Waiting for changes does not count. Of short texts four times as many are read at once."),
    Setting(
      key: "network.headers.NAME", kind: .headerField, fallback: nil, isSecret: true,
      about: "The header field NAME of each request to the server of a club of this config, such as one that a gateway "
        + "before it needs. No other server gets it, nor that of a club in a file of its own."),
    Setting(
      key: "network.allowPlainHTTP", kind: .choice(["loopback", "anywhere"]), fallback: .text("loopback"),
      about:
        "Which servers byteclub talks to without encryption, so that everyone on the way can read the club and the "
        + "sign-in. loopback: this machine alone."),
    Setting(
      key: "network.metered", kind: .boolean, fallback: .boolean(false), variable: "BYTECLUB_NETWORK_METERED",
      about:
        "True on a line that is paid by its volume: byteclub then reads only what you open. Photos beside the one in view "
        + "and texts for later, such as for a search offline, are not read ahead, nor are the news of other clubs. "
        + "byteclub sync now still reads all texts."
    ),
    Setting(
      key: "transfers.concurrent", kind: .whole(1...16), fallback: .whole(3),
      variable: "BYTECLUB_TRANSFERS_CONCURRENT", about: "How many files byteclub uploads or downloads at the same time."
    ),
    Setting(
      key: "transfers.chunkMebibytes", kind: .whole(1...128), fallback: .whole(8),
      about: "How many MiB of a file byteclub sends in one piece. After a break it sends at most one piece again."),
    Setting(
      key: "transfers.limitKibibytesPerSecond", kind: .whole(1...10_000_000), fallback: SettingValue.none,
      mayBeNull: true,
      about: "How many KiB a second all transfers together may use, until byteclub transfer limit sets another limit."),
    Setting(
      key: "transfers.notifyAfterSeconds", kind: .whole(0...86_400), fallback: .whole(20),
      about:
        "byteclub announces the end of a transfer that took this many seconds or more while the terminal is in the background."
    ),
    Setting(
      key: "cache.photosMebibytes", kind: .whole(0...1_000_000), fallback: .whole(512),
      about: "How many MiB of viewed photos byteclub keeps on this machine, so that it need not download them "
        + "again. It removes the least recently viewed first; 0 keeps none. A club on this machine needs none."),
    Setting(
      key: "wall.seconds", kind: .whole(WallCommand.times), fallback: .whole(20),
      about: "How many seconds byteclub wall shows each photo."),
    Setting(
      key: "ui.mouse", kind: .boolean, fallback: .boolean(true), variable: "BYTECLUB_UI_MOUSE",
      about: "Whether the app uses the mouse. With false, the terminal selects text with the mouse as usual."),
    Setting(
      key: "ui.ascii", kind: .boolean, fallback: nil, variable: "BYTECLUB_UI_ASCII", mayBeNull: true,
      about: "Whether marks, rules and bars are ASCII characters only. The default is true unless the locale (LC_ALL, "
        + "LC_CTYPE, LANG) is UTF-8."),
    Setting(
      key: "ui.theme",
      kind: .theme, fallback: .text("auto"), variable: "BYTECLUB_UI_THEME",
      about: "The colours of the app. auto: dark or light, as the terminal's background is. plain: the terminal's own "
        + "colours. Other themes: " + ThemeFile.builtIn.keys.sorted().joined(separator: ", ")
        + ". A theme of your own is such an object in a file, themes/NAME.json beside the config. An object names a theme "
        + "as its base and gives hues and roles another colour, for example \(ThemeFile.example). The hues: "
        + Hue.allCases.map(\.rawValue).joined(separator: ", ") + ". The roles: "
        + Role.allCases.map(\.name).joined(separator: ", ") + "."),
    Setting(
      key: "ui.preview", kind: .choice(PreviewMode.allCases.map(\.rawValue)), fallback: .text("auto"),
      variable: "BYTECLUB_UI_PREVIEW",
      about:
        "Whether a preview of the selected note or photo stands beside the list. auto: from 100 columns on; on: from "
        + "80 columns on."),
    Setting(
      key: "ui.editorKeys", kind: .choice(EditorKeys.allCases.map(\.rawValue)), fallback: .text("emacs"),
      variable: "BYTECLUB_UI_EDITOR_KEYS",
      about: "The keys of the editor. emacs: keys type text, and control keys edit it. vi: the editor begins in "
        + "vi's normal mode."),
    Setting(
      key: "ui.reducedMotion", kind: .boolean, fallback: .boolean(false), variable: "BYTECLUB_UI_REDUCED_MOTION",
      about: "Whether the app leaves out movements that the member did not ask for: in a panorama, the view swings on "
        + "after a drag and glides to the next hot spot; with true, it stops and jumps."),
    Setting(
      key: "ui.presence", kind: .choice(["on", "off"]), fallback: .text("on"), variable: "BYTECLUB_UI_PRESENCE",
      about:
        "Whether you and the other members see who is in the club now, in which note or photo, and where you look in a "
        + "panorama. Only a byteclub serve tells that, and keeps none of it. off: nobody sees you, and you see nobody."),
    Setting(
      key: "ui.graphics", kind: .choice(GraphicsSetting.allCases.map(\.rawValue)), fallback: .text("auto"),
      variable: "BYTECLUB_UI_GRAPHICS",
      about:
        "How the app draws pictures. auto: as real pixels where the terminal says that it can (kitty's graphics, "
        + "iTerm2's inline images, sixels), else as half-blocks. \"byteclub doctor\" says what it found and why. "
        + "Inside tmux, kitty's graphics need: set -g allow-passthrough on."),
    Setting(
      key: "logLevel", kind: .choice(["info", "debug"]), fallback: .text("info"), variable: "BYTECLUB_LOG_LEVEL",
      about: "The detail of the log. info: actions and failures. debug: also each request to a server and "
        + "each call to a club's files, with names, never with texts, passwords or tokens."),
    Setting(
      key: "keys.COMMAND", kind: .keys, fallback: nil,
      about: "The keys of a command, instead of its own. KEYS lists the commands."),
  ]

  /// The settings of all kinds of stores. Settings that several kinds share appear once.
  private static func clubs(_ stores: StoreRegistry) -> [Setting] {
    var settings = [
      Setting(
        key: "clubs.NAME.store", kind: .choice(stores.names), fallback: .text(stores.kinds[0].name),
        about: "Where the club NAME keeps its files: "
          + stores.kinds.map { "\($0.name) is \($0.about)" }.joined(separator: "; ") + ".")
    ]
    for kind in stores.kinds {
      for setting in kind.settings.map({ Setting($0, of: kind.name) }) {
        if let same = settings.firstIndex(where: { setting.means($0) }) {
          settings[same].stores += setting.stores
        } else {
          settings.append(setting)
        }
      }
    }
    return settings
  }

  /// Parts in capitals match any name. `store` is the kind of the club's store, nil if unknown.
  func setting(_ path: [String], store: String? = nil) -> Setting? {
    settings.indices.first { place in
      let parts = parts[place]
      return parts.count == path.count && settings[place].isOf(store)
        && zip(parts, path).allSatisfy { $0 == $1 || Setting.isPlaceholder($0) }
    }.map { settings[$0] }
  }

  /// The allowed names below a key path; nil if any name is allowed, empty if none is.
  func children(of path: [String], store: String? = nil) -> [String]? {
    var words: [String] = []
    for (setting, parts) in zip(settings, parts) where setting.isOf(store) {
      guard parts.count > path.count, zip(parts, path).allSatisfy({ $0 == $1 || Setting.isPlaceholder($0) }) else {
        continue
      }
      let next = parts[path.count]
      if next == "COMMAND" { return keys.commands }
      if Setting.isPlaceholder(next) { return nil }
      if !words.contains(next) { words.append(next) }
    }
    return words
  }
}

extension Setting {
  fileprivate func isOf(_ store: String?) -> Bool { stores.isEmpty || store.map(stores.contains) ?? true }

  fileprivate func means(_ other: Setting) -> Bool {
    (key, kind, mayBeNull, isSecret, about) == (other.key, other.kind, other.mayBeNull, other.isSecret, other.about)
  }
}
