internal import FileStores
public import TextUI

/// The whole app: two tabs and what lies around them.
public struct ClubState: Sendable {
  /// The tabs.
  public enum Tab: Int, Sendable, CaseIterable {
    case notes, photos

    var title: String {
      switch self {
      case .notes: "1 Notes"
      case .photos: "2 PanoPhotos"
      }
    }
  }

  /// Which tab is seen.
  public internal(set) var tab = Tab.notes
  /// The notes' tab.
  public internal(set) var notes: NotesState
  /// The photos' tab.
  public internal(set) var photos: PhotosState
  /// What all screens share. Handed to a tab before it acts and taken back after.
  public internal(set) var frame: Frame
  var help: HelpView?
  var question: Question<ClubAction>?
  /// The command line, while it is typed into.
  var line: CommandLine?
  /// What was typed into the command line since the start.
  var history: [String] = []
  /// Set when the member wants to quit as soon as the transfers are over.
  var quitsWhenDone = false

  /// The tab that is seen.
  var shown: any FileTab { tab == .notes ? notes : photos }
}

/// The help over a tab.
struct HelpView: Sendable {
  var table: HelpTable
}

/// What happens to the app.
public enum ClubAction: Sendable {
  /// A key that has a meaning everywhere.
  case command(CommandID)
  /// The mouse was used on the top line.
  case topLine(x: Int)
  /// A key while the help is open.
  case helpKey(Key)
  /// The command line is typed into.
  case line(MemberInput)
  /// The terminal has another size.
  case resized(Size)
  /// The program was told to end.
  case terminated
  /// Nothing but the last notice goes away.
  case keyWithoutMeaning
  /// To the notes' tab.
  case notes(NotesAction)
  /// To the photos' tab.
  case photos(PhotosAction)
  /// A question was answered by doing nothing.
  case dismissedQuestion
  /// Quit when the transfers are over.
  case waitForTransfers
  /// Cancel the transfers and quit.
  case cancelTransfersAndQuit
}

/// What the app asks to be done.
public enum ClubEffect: Sendable {
  /// By the notes' tab.
  case notes(NotesEffect)
  /// By the photos' tab.
  case photos(PhotosEffect)
}
