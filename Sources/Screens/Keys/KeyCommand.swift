public import TextUI

/// Something a member can do with a key: one row of the table from which the footer, the help, the manual and the
/// config's `keys` are made.
public struct KeyCommand: Sendable, Hashable, Identifiable {
  /// Where its keys work.
  public enum Place: String, Sendable, CaseIterable {
    case everywhere, lists, notes, photos, history, reader, editor, form, viewer, transfers, draft, conflict, path
  }

  /// Its name in the config, such as `notes.new`.
  public let id: CommandID
  /// Where its keys work.
  public let place: Place
  /// The keys that it has unless the config says otherwise.
  public let keys: [Key]
  /// Its word in the footer; nil keeps it out of there.
  public let hint: String?
  /// What it does, for help and manual.
  public let help: String

  init(_ id: CommandID, _ place: Place, _ keys: [Key], hint: String? = nil, _ help: String) {
    self.id = id
    self.place = place
    self.keys = keys
    self.hint = hint
    self.help = help
  }
}

extension KeyCommand.Place {
  /// The heading over its keys in help and manual.
  public var title: String {
    switch self {
    case .everywhere: "Everywhere, except while typing text"
    case .lists: "Lists"
    case .notes: "Notes"
    case .photos: "PanoPhotos"
    case .reader: "Reading a note"
    case .history: "The history of a note"
    case .editor: "Editor"
    case .form: "New note"
    case .viewer: "Photo viewer"
    case .transfers: "Transfers"
    case .draft: "An unsaved draft"
    case .conflict: "A note that someone else changed"
    case .path: "Typing a path or a command"
    }
  }
}
