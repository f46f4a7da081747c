public import TextUI

/// A row of the table behind the footer, the help, the manual and the config's `keys`.
public struct KeyCommand: Sendable, Hashable, Identifiable {
  public enum Place: String, Sendable, CaseIterable {
    case everywhere, moves, lists, notes, photos, grid, albums, history, scrub, page, openNote, outline, backlinks,
      blame
    case news, talk, remark, trash, reader, editor, completion, editorFind, form, viewer, marks, film, transfers, draft,
      conflict,
      path
    case clubs, clubPlaces, clubForm, clubLine, wall
  }

  public let id: CommandID
  public let place: Place
  public let keys: [Key]
  /// In the footer; nil leaves the command out.
  public let hint: String?
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
  public var title: String {
    switch self {
    case .everywhere: "Everywhere, except while typing text"
    case .moves: "Moving in a list"
    case .lists: "Lists"
    case .notes: "Notes"
    case .photos: "PanoPhotos"
    case .grid: "Photos as a grid"
    case .albums: "Albums of photos, folders of notes"
    case .page: "Reading a note: its links"
    case .openNote: "Reading a note: the note"
    case .outline: "The outline of a note"
    case .backlinks: "The links to a note"
    case .blame: "The writers of a note's lines"
    case .news: "What happened"
    case .talk: "The remarks on a note or photo"
    case .remark: "Typing a remark"
    case .trash: "The trash"
    case .reader: "Reading a note"
    case .history: "The history of a note"
    case .scrub: "Reading a version of a note"
    case .editor: "Editor"
    case .completion: "Editor: the names that fit a link"
    case .editorFind: "Editor: find and replace"
    case .form: "New note"
    case .viewer: "Photo viewer"
    case .marks: "Photo viewer: hot spots of a panorama"
    case .film: "Photo viewer: a walk"
    case .transfers: "Transfers"
    case .draft: "An unsaved draft"
    case .conflict: "A note that someone else changed"
    case .path: "Typing a path or a command"
    case .clubs: "The list of clubs"
    case .clubPlaces: "Choosing the place of a club"
    case .clubForm: "Adding a club, signing in"
    case .clubLine: "A line for a friend or a device"
    case .wall: "The wall"
    }
  }
}
