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
  /// The last thing told.
  public var notice: Notice?
  /// Whether the terminal's window is looked at; nil while the terminal has not told.
  public var isWatched: Bool?
  /// The last step that can be undone.
  public var undo: UndoStep?

  /// Makes a frame.
  public init(size: Size, abilities: TerminalAbilities, keys: KeyTable, club: String, notice: Notice? = nil) {
    self.size = size
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

  /// Rows between the top line and the notice: what a view can draw on when no transfer is shown.
  public var bodyHeight: Int { max(0, size.height - 3) }

  /// What a view with a line of its own on top draws its text on.
  public var viewSize: Size { Size(size.width, max(1, bodyHeight - 1)) }
}

/// One sentence for the member.
public struct Notice: Sendable, Hashable {
  /// A sentence; filtered when it is drawn.
  public var text: String
  /// Whether something went wrong.
  public var isError: Bool

  /// Makes a notice.
  public init(_ text: String, isError: Bool = false) {
    self.text = text
    self.isError = isError
  }
}
