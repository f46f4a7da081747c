public import ClubServices
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
  /// Keys of which the member has been told that they do nothing.
  var toldKeys: Set<Key> = []
  var question: Question<ClubAction>?
  /// The command line, while it is typed into.
  var line: CommandLine?
  /// What was typed into the command line since the start.
  var history: [String] = []
  /// The transfers, of all clubs.
  public internal(set) var transfers: TransfersState
  /// How the member wants to quit, while something has to be done first.
  var leaving: Leaving?
  /// The question how to quit, while it is asked.
  var leavingQuestion: LeavingQuestion?
  /// A sentence for the member, to be read after the app has quit.
  public internal(set) var farewell: String?

  /// How to quit while transfers are under way.
  public enum Leaving: Sendable, Hashable {
    /// As soon as they are over.
    case whenDone
    /// With all of them paused.
    case pausing
    /// While a process in the background carries them on.
    case inBackground
    /// Either of these is being done.
    case asked
    /// As soon as all of them can be cancelled and have ended.
    case cancelling
    /// As soon as they have ended, which were cancelled.
    case whenCancelled

    /// Whether the member can still stay.
    var isWaiting: Bool { self == .whenDone || self == .cancelling || self == .whenCancelled }
  }

  /// The question how to quit while transfers are under way.
  struct LeavingQuestion: Sendable {
    /// Whether the transfers can go on without the app.
    let canGoOn: Bool
    /// How many transfers it names.
    let count: Int
  }

  /// Transfers that are neither over nor paused, and what will become one.
  var underway: Int { transfers.underway + photos.preparing }

  /// Whether a question is asked in what is seen.
  var isAsking: Bool { transfers.isOpen ? transfers.question != nil : shown.isAsking }

  /// Whether a view, a question or a field lies over the tab's list.
  var isCovered: Bool { transfers.isOpen || shown.isCovered }

  /// Whether all keys wait for what is being opened, but those that close it and those for the terminal.
  var isLoading: Bool { !transfers.isOpen && shown.isLoading }

  /// The places whose keys work in what is seen, for the help.
  var places: [KeyCommand.Place] { transfers.isOpen ? [.transfers, .lists] : shown.places }

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
  /// The mouse's wheel was turned while the help is open; negative is up.
  case helpScrolled(by: Int)
  /// The command line is typed into.
  case line(MemberInput)
  /// The terminal has another size.
  case resized(Size)
  /// The program was told to end.
  case terminated
  /// Nothing but the last notice goes away.
  case keyWithoutMeaning
  /// A key that means nothing in what is seen.
  case unboundKey(Key)
  /// To the notes' tab.
  case notes(NotesAction)
  /// To the photos' tab.
  case photos(PhotosAction)
  /// A question was answered by doing nothing.
  case dismissedQuestion
  /// To the transfers.
  case transfers(TransfersAction)
  /// The terminal's window is looked at from now on, or no longer.
  case focused(Bool)
  /// Whether the club's store answers has changed.
  case connection(StoreConnection.State)
  /// Quit, in this way.
  case leave(ClubState.Leaving)
  /// Quit, though some notes are not in the club.
  case leaveTexts
  /// Send these notes instead of quitting.
  case sendTexts
}

/// What the app asks to be done.
public enum ClubEffect: Sendable {
  /// By the notes' tab.
  case notes(NotesEffect)
  /// By the photos' tab.
  case photos(PhotosEffect)
  /// By the transfers.
  case transfers(TransfersEffect)
  /// Tell whether the club's store answers, until cancelled.
  case followConnection
  /// End the waits for a store that asks for fewer requests.
  case endPauses
}
