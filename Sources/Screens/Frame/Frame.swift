public import ClubServices
public import TextUI

/// What every screen knows of its surroundings, and what it can tell the member: the root hands it in and takes it back.
public struct Frame: Sendable {
  /// Seconds since 1970, as of the last event.
  public var now: Int64 = 0
  /// Columns and rows of the whole terminal.
  public var size: Size
  /// What the terminal can show.
  public var abilities: TerminalAbilities
  /// Which keys do what.
  public var keys: KeyTable
  /// The club's name and place, for the top line.
  public var club: String
  /// Whether the club's store answers; nil for a club that needs no network.
  public var connection: StoreConnection.State?
  /// The last thing told.
  public var notice: Notice?
  /// Whether the terminal's window is looked at; nil while the terminal has not told.
  public var isWatched: Bool?
  /// What can be undone.
  var undo = UndoStack()

  /// Makes a frame.
  public init(
    size: Size, abilities: TerminalAbilities, keys: KeyTable, club: String, connection: StoreConnection.State? = nil,
    notice: Notice? = nil
  ) {
    self.size = size
    self.connection = connection
    self.abilities = abilities
    self.keys = keys
    self.club = club
    self.notice = notice
  }

  /// Tells the member something, unless an error is still to be seen.
  public mutating func say(_ text: String) {
    if notice?.isError != true { notice = Notice(text) }
  }

  /// Tells the member what went wrong; it stays until a key is pressed.
  public mutating func complain(_ text: String) { notice = Notice(text, isError: true) }

  /// Tells of a trouble that passes by itself; `end` takes it back.
  mutating func complain(_ text: String, of trouble: Notice.Trouble) {
    notice = Notice(text, isError: true, trouble: trouble)
  }

  /// The trouble is over: its notice goes.
  mutating func end(_ trouble: Notice.Trouble) {
    if notice?.trouble == trouble { notice = nil }
  }

  /// Rows between the top line and the notice: what a view can draw on when no transfer is shown.
  public var bodyHeight: Int { max(0, size.height - 3) }

  /// Whether sentences have to be short.
  var isNarrow: Bool { size.width < 60 }

  /// What a view with a line of its own on top draws its text on.
  public var viewSize: Size { Size(size.width, max(1, bodyHeight - 1)) }
}

/// One sentence for the member.
public struct Notice: Sendable, Hashable {
  /// A sentence; filtered when it is drawn.
  public var text: String
  /// Whether something went wrong.
  public var isError: Bool
  /// Which lasting trouble it tells; the notice goes when that is over. Nil for what simply happened.
  public var trouble: Trouble?

  /// Troubles that pass by themselves.
  public enum Trouble: Sendable, Hashable {
    /// The store does not answer.
    case connection
    /// Others' changes arrive late.
    case watching
  }

  /// Makes a notice.
  public init(_ text: String, isError: Bool = false, trouble: Trouble? = nil) {
    self.text = text
    self.isError = isError
    self.trouble = trouble
  }
}
