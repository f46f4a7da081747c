public import ClubServices
public import FileStores
public import TextUI

/// All screens share this. The root lends it to a screen.
public struct Frame: Sendable {
  /// Seconds since 1970 at the last event.
  public var now: Int64 = 0
  /// Seconds of local time from UTC at a moment.
  public var localOffset: @Sendable (Timestamp) -> Int = { _ in 0 }
  /// Of the whole terminal.
  public var size: Size
  public var abilities: TerminalAbilities
  public internal(set) var theme: Theme
  private let themeChoice: ThemeChoice
  public var keys: KeyTable
  /// Name and place, for the top line.
  public var club: String
  /// nil for a club without a network.
  public var connection: StoreConnection.State?
  /// The member changes nothing in this club, as its server has said.
  public var isReader = false
  public var notice: Notice? {
    didSet { noticed = now }
  }
  /// The time of the notice, in seconds since 1970.
  private var noticed: Int64 = 0
  /// The last notice of news.
  private var news: Notice?
  /// The terminal's window has the focus; nil if unknown.
  public var isWatched: Bool?
  var undo = UndoStack()
  var present = Present()
  public internal(set) var preview: PreviewMode
  /// Nothing moves by itself unless the member asks for it.
  public let reducedMotion: Bool
  public let editorKeys: EditorKeys
  /// True for a club to which the member signs in here: no program and no variable brings the secret.
  public var canSignIn = false
  /// Columns by which the member moved the rule to the right.
  var ruleShift = 0

  public init(
    size: Size, abilities: TerminalAbilities, keys: KeyTable, club: String, connection: StoreConnection.State? = nil,
    notice: Notice? = nil, theme: ThemeChoice = ThemeChoice(.plain),
    preview: PreviewMode = .auto, reducedMotion: Bool = false, editorKeys: EditorKeys = .emacs
  ) {
    (self.preview, self.reducedMotion, self.editorKeys) = (preview, reducedMotion, editorKeys)
    themeChoice = theme
    self.theme = theme.theme(colors: abilities.colors, background: abilities.background)
    self.size = size
    self.connection = connection
    self.abilities = abilities
    self.keys = keys
    self.club = club
    self.notice = notice
  }

  /// The theme follows the terminal's background.
  var followsBackground: Bool { themeChoice.base == nil && abilities.colors > .none }

  /// The background as reported, 0xRRGGBB.
  mutating func take(background rgb: UInt32) {
    guard followsBackground else { return }
    theme = themeChoice.theme(colors: abilities.colors, background: Theme.Background(rgb: rgb))
  }

  /// Does not replace the failure of an action.
  public mutating func say(_ text: String) {
    if !showsFailure { notice = Notice(text) }
  }

  /// As `say`, for a text that is shown whole, on several rows if need be. News do not replace it.
  mutating func show(_ text: String) {
    if !showsFailure { notice = Notice(text, isWhole: true) }
  }

  /// True if news may replace the notice. They replace neither an error nor a whole text, which a key removes, nor the
  /// result of a key in its first five seconds.
  var isFreeForNews: Bool {
    notice.map { !$0.isError && !$0.isWhole && ($0 == news || now - noticed >= 5) } ?? true
  }

  /// Shows news by other members.
  mutating func sayNews(_ text: String) {
    guard isFreeForNews else { return }
    notice = Notice(text)
    news = notice
  }

  /// Stays until a key is pressed.
  public mutating func complain(_ text: String) { notice = Notice(text, isError: true) }

  /// A request that the member cancelled needs no notice.
  mutating func complain(_ error: StoreError) {
    if error.kind != .cancelled { complain(sentence(error)) }
  }

  /// A missing sign-in names the key that mends it.
  func sentence(_ error: StoreError) -> String {
    error.kind == .notSignedIn && canSignIn ? "\(error.message) \(signInHint)" : "\(error)"
  }

  var signInHint: String { "Press \(keys.name(of: .signIn)) to sign in." }

  /// The failure of an action is shown. A failure that repeats by itself does not replace it.
  var showsFailure: Bool { notice.map { $0.isError && ($0.trouble == nil || $0.trouble == .unsent) } ?? false }

  /// A trouble passes by itself; `end` removes the notice. The failure of an action stays on the screen instead.
  mutating func complain(_ text: String, of trouble: Notice.Trouble) {
    guard !showsFailure else { return }
    notice = Notice(text, isError: true, trouble: trouble)
  }

  mutating func end(_ trouble: Notice.Trouble) {
    if notice?.trouble == trouble { notice = nil }
  }

  /// Rows between the top line and the notice, when no transfer is shown.
  public var bodyHeight: Int { max(0, size.height - 3) }

  /// The day of the last event, for searches.
  var queryClock: QueryClock { QueryClock(now: Timestamp(seconds: now), offset: localOffset) }

  /// Messages must be short.
  var isNarrow: Bool { size.width < 60 }

  /// The text area of a view with a title line.
  public var viewSize: Size { Size(size.width, max(1, bodyHeight - 1)) }
}

public struct Notice: Sendable, Hashable {
  /// Unsafe characters are filtered when it is drawn.
  public var text: String
  public var isError: Bool
  /// True to wrap a text that is no error.
  public var isWhole: Bool
  public var trouble: Trouble?

  public enum Trouble: Sendable, Hashable {
    case connection
    case watching
    case signIn
    /// A text that was saved waits to be sent: the failure of an action, which passes by itself.
    case unsent
  }

  public init(_ text: String, isError: Bool = false, isWhole: Bool = false, trouble: Trouble? = nil) {
    self.text = text
    self.isError = isError
    self.isWhole = isWhole
    self.trouble = trouble
  }
}

/// Runs outside the loop's thread.
public protocol DesktopOpener: Sendable {
  /// Opens a file of the club; returns a message for the member.
  func open(_ path: StorePath) async throws(StoreError) -> String
  /// Opens a file of this machine; returns a message for the member.
  func open(file: String) async throws(StoreError) -> String
  /// Opens an address of `http`, `https` or `mailto`; returns a message for the member.
  func open(address: String) async throws(StoreError) -> String
}

/// Resolved by the present view's keys.
public enum MemberInput: Sendable {
  case command(CommandID)
  /// While text is typed.
  case typed(Key)
  case pasted([UInt8])
  /// Relative to the body.
  case mouse(InputEvent.Mouse)
}

/// Tells one text of a member that is not in the club from another.
enum OwnTextName: Hashable, Sendable {
  case waiting(WaitingText.ID, Timestamp)
  /// By the session of the editor that is closed.
  case saving(session: Int)
}
