public import ClubServices
public import FileStores
public import TextUI

public struct ClubState: Sendable {
  public internal(set) var tab = Tab.notes
  var notes: NotesState
  var photos: PhotosState
  /// True while a photo is viewed to which a link of a note led: closing it leads back to the note.
  var returnsToNote = false
  /// While a note is shown to which a photo led (its caption's editor, or a hot spot's note): the number of notes' views
  /// below it. Closing it leads back to the photo.
  var viewsBelowNote: Int?
  /// Tabs that the rest of the app does not know.
  var added: [any ClubTab] = []
  /// Shared by all screens.
  public internal(set) var frame: Frame
  var preview = PreviewState()
  /// Lies over the tab.
  var talk: TalkView?
  /// Lies over the tab, below the remarks.
  var news: NewsView?
  /// Has the whole screen.
  var wall: WallState?
  /// For each photo of the wall.
  var wallSeconds = 20
  var help: HelpView?
  /// Keys without a command that the member has heard of.
  var explainedKeys: Set<Key> = []
  var question: Question<ClubAction>?
  var line: CommandLine?
  var history: [String] = []
  /// Of all clubs.
  public internal(set) var transfers: TransfersState
  var leaving: Leaving?
  var leavingQuestion: LeavingQuestion?
  /// True while the question is the one about texts that are not in the club.
  var asksAboutTexts = false
  var presence = PresenceChoice.absent
  /// The sight that the others were told last.
  var shownSight: Sight?
  /// Photos on this machine, for the next start.
  public var copies: [DiskCopy] { Array(photos.copies.values) }
  /// Where the member goes when the screen ends; nil to quit.
  public internal(set) var next: Departure?
  /// The names of this machine's clubs.
  var clubs: [String] = []
  /// The times of the last events, and of the last key that led back to the list, in milliseconds.
  var eventTime: Int64 = 0
  var wentBack: Int64?
  /// Shown after the app has quit.
  public internal(set) var farewell: String?

  public enum Leaving: Sendable, Hashable {
    case whenDone
    case pausing
    /// A background process continues the transfers.
    case inBackground
    /// Pausing or the handover is in progress.
    case asked
    /// Cancel all as soon as possible, then quit.
    case cancelling
    /// All are being cancelled; quit when they have ended.
    case whenCancelled

    /// The member can still stay.
    var isWaiting: Bool { self == .whenDone || self == .cancelling || self == .whenCancelled }
  }

  struct LeavingQuestion: Sendable {
    let canGoOn: Bool
    let count: Int
  }

  /// Transfers neither over nor paused, and files being checked for one.
  var underway: Int { transfers.underway + photos.preparing }

  /// A view that any tab may have below it.
  var hasOverlay: Bool { talk != nil || news != nil || wall != nil }

  var isAsking: Bool { hasOverlay ? false : transfers.isOpen ? transfers.question != nil : isTabAsking }

  /// A view, a question or a field covers the tab's list.
  var isCovered: Bool { hasOverlay || transfers.isOpen || isTabCovered }

  /// A photo is viewed, and nothing lies over it: there, too, a trash can be undone.
  var showsPhoto: Bool {
    tab == .photos && !hasOverlay && !transfers.isOpen && photos.isViewing && !photos.isAsking
  }

  /// True for a view of the note whose merge or new link the undo key would undo.
  var showsUndoableNote: Bool {
    guard tab == .notes, !hasOverlay, !transfers.isOpen, !notes.isAsking else { return false }
    return switch frame.undo.next?.step {
    case .merge(let merged): notes.shows(merged)
    case .link(let link): notes.isReading(link.path)
    default: false
    }
  }

  /// A key would lead back, not quit.
  var canGoBack: Bool { isCovered || help != nil || line != nil || question != nil || isFiltered }

  /// Only keys that close the view and those for the terminal work.
  var isLoading: Bool { !hasOverlay && !transfers.isOpen && isTabLoading }

  /// A caption of one line is written at the foot of the photos. Its editor lies over the notes all the same.
  var captionField: TextField? {
    guard viewsBelowNote != nil, tab == .notes, !transfers.isOpen else { return nil }
    return switch notes.views.last {
    case let editor as NoteEditor: editor.bar.field == nil ? editor.captionField : nil
    case let opening as OpeningText:
      opening.problem == nil && Caption.photo(of: opening.path) != nil ? TextField(placeholder: "loading") : nil
    default: nil
    }
  }

  /// The tab in sight.
  var seen: Tab { captionField == nil ? tab : .photos }

  /// The members who are known from the lists.
  var members: [String] { tabs.flatMap { files(on: $0)?.table?.knownAuthors ?? [] } }

  /// The columns of the list beside the preview; nil while one view has the whole body.
  var paneWidth: Int? {
    guard help == nil, !hasOverlay, !transfers.isOpen else { return nil }
    let frame = frame
    return ask(seen, { $0.listWidth(frame) }, { $0.listWidth(frame) }, { $0.listWidth(frame) })
  }

  /// In lookup order, for the help.
  var places: [KeyCommand.Place] {
    talk != nil
      ? [.talk, .moves]
      : news != nil
        ? [.news, .moves]
        : transfers.isOpen
          ? [.transfers, .moves, .lists] : ask(tab, { $0.places }, { $0.places }, { $0.places })
  }
}

struct HelpView: Sendable {
  var table: HelpTable
}

public indirect enum ClubAction: Sendable {
  /// Global.
  case command(CommandID)
  /// The number key of a tab without a command of its own; the place of the first tab is 0.
  case tab(Int)
  /// The mouse was used on the top line.
  case topLine(x: Int)
  case helpKey(Key)
  /// Negative is up.
  case helpScrolled(by: Int)
  case line(MemberInput)
  case resized(Size)
  case terminated
  /// Only clears the last notice.
  case keyWithoutMeaning
  case unboundKey(Key)
  case notes(NotesAction)
  case photos(PhotosAction)
  case added(Int, any Sendable)
  case dismissedQuestion
  case transfers(TransfersAction)
  case talk(TalkAction)
  case news(NewsAction)
  case wall(WallAction)
  case presence(PresenceAction)
  case focused(Bool)
  /// 0xRRGGBB.
  case background(UInt32)
  case abilities(TerminalAbilities)
  case preview(PreviewAction)
  /// Negative is up.
  case previewScrolled(by: Int)
  case connection(StoreConnection.State)
  /// The server has said if the member changes nothing.
  case readerKnown(Bool)
  case leave(ClubState.Leaving)
  /// Quit although some texts are not in the club.
  case leaveTexts
  /// Send these texts instead of quitting.
  case sendTexts
}

public enum ClubEffect: Sendable {
  case notes(NotesEffect)
  case photos(PhotosEffect)
  case transfers(TransfersEffect)
  case talk(TalkEffect)
  case wall(WallEffect)
  case presence(PresenceEffect)
  /// Read the club's news.
  case readNews
  /// Report the connection's state until cancelled.
  case followConnection
  /// Ask the server if the member changes nothing.
  case askReader
  case added(Int, any Sendable)
  /// End the waits for a store that asks for fewer requests.
  case endPauses
  case preview(PreviewRequest)
}

/// Done in order, on the loop's thread.
public enum ClubPosting: Sendable {
  case notes(NotesPosting)
  case talk(TalkPosting)
  case transfers(TransfersPosting)
  /// The thing that is before the member's eyes now.
  case look(Sight)
  case added(Int, any Sendable)
}

extension ClubAction {
  /// Of a key, in a view or in all.
  var command: CommandID? {
    if case .command(let command) = self { return command }
    if case .command(let command)? = memberInput { return command }
    return nil
  }

  var memberInput: MemberInput? {
    switch self {
    case .notes(let action): action.memberInput
    case .photos(let action): action.memberInput
    case .added(_, let action): (action as? any ClubTabAction)?.memberInput
    case .transfers(.input(let input)): input
    case .talk(.input(let input)): input
    case .news(.input(let input)): input
    case .wall(.input(let input)): input
    default: nil
    }
  }
}

/// Where the member goes from an open club.
public enum Departure: Sendable, Equatable {
  case club(String)
  case clubs(ClubsStart)

  /// Signing in is what sends the texts that wait, so nothing is asked about them.
  var isForSignIn: Bool { if case .clubs(.signIn) = self { true } else { false } }
}
