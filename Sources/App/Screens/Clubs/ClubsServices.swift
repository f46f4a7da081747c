public import FileStores
public import TextUI

/// A club of this machine, as the list of clubs shows it.
public struct ClubRow: Sendable, Equatable {
  public enum State: Sendable, Equatable {
    /// Not asked yet.
    case unknown
    case reachable
    /// The server does not answer; the local copy opens.
    case away
    case needsSignIn
    /// The club cannot be opened: what is wrong and what to do.
    case broken(String)
  }

  public var name: String
  public var place: String
  public var state = State.unknown
  /// Files that others added or changed since the member last looked; nil while unknown.
  public var news: Int?
  /// Texts and changes of this machine that the club does not have yet; nil while unknown.
  public var waiting: Int?
  /// True for the club that the app shows now.
  public var isOpen = false
  /// True for a club behind `byteclub serve`: another device of the member can be signed in.
  public var canAddDevice = false

  public init(name: String, place: String) { (self.name, self.place) = (name, place) }
}

/// A form in which the member enters where a club is. Each kind of store has one.
public struct PlaceForm: Sendable, Equatable {
  public struct Field: Sendable, Equatable {
    /// The key of the setting.
    public let key: String
    public let label: String
    /// An example, shown dim while the field is empty.
    public let example: String
    public let isRequired: Bool
    public var value: String

    public init(key: String, label: String, example: String, isRequired: Bool, value: String = "") {
      (self.key, self.label, self.example, self.isRequired) = (key, label, example, isRequired)
      self.value = value
    }
  }

  /// The kind of the store, as `store` in the config.
  public let kind: String
  public let title: String
  /// A sentence below the title.
  public let about: String
  public var fields: [Field]

  public init(kind: String, title: String, about: String, fields: [Field]) {
    (self.kind, self.title, self.about, self.fields) = (kind, title, about, fields)
  }
}

/// A sentence about a value of a form, from its check.
public struct FormFinding: Sendable, Equatable {
  /// The key of the field that it is about; nil for all of them.
  public let field: String?
  public let sentence: String
  /// False for good news and warnings, with which the form can be sent.
  public let isError: Bool

  public init(field: String? = nil, _ sentence: String, isError: Bool) {
    (self.field, self.sentence, self.isError) = (field, sentence, isError)
  }
}

public enum JoinAnswer: Sendable {
  /// The club's name here, and sentences about it.
  case joined(club: String, said: String)
  /// The member must agree first; then `join` is called again with `agreed`.
  case question(String)
  /// The line names a place that needs the member's own sign-in: its form, filled in.
  case form(PlaceForm)
}

/// A step in which the member signs in to a club.
public struct SignInStep: Sendable, Equatable {
  public enum Input: Sendable, Equatable {
    /// Typed without being shown. The text is the label of the field.
    case password(String)
    /// The code that the page of the service shows.
    case code
    /// Only Enter, after the member has allowed byteclub at the service.
    case confirmation
  }

  public let club: String
  /// Tells the member what to do.
  public let sentence: String
  /// The page to open; nil if there is none.
  public let address: String?
  public let input: Input

  public init(club: String, sentence: String, address: String? = nil, input: Input) {
    (self.club, self.sentence, self.address, self.input) = (club, sentence, address, input)
  }
}

/// A line for a friend, or for the member's next device.
public struct ShownLine: Sendable, Equatable {
  public let line: String
  /// They say who may use the line, how, and until when.
  public let sentences: [String]

  public init(line: String, sentences: [String]) { (self.line, self.sentences) = (line, sentences) }
}

/// The work behind the screen of clubs. Any thread may call; a cancelled call throws `cancelled`.
public protocol ClubsServices: Sendable {
  /// An empty form for each kind of store that is not a folder of this machine.
  var forms: [PlaceForm] { get }
  /// Reports all clubs at once as far as this machine knows them, then again whenever more is known, until each was asked.
  func clubs(_ report: @escaping @Sendable ([ClubRow]) -> Void) async
  /// Looks at the values, then asks the server as far as they name one. Without a finding that is an error, the form can
  /// be sent.
  func check(_ form: PlaceForm) async -> [FormFinding]
  /// Writes the club into a file of its own, and returns its name here.
  func add(_ form: PlaceForm) async throws(StoreError) -> String
  /// Takes an invitation, or a line that names a place.
  func join(_ line: String, agreed: Bool) async throws(StoreError) -> JoinAnswer
  /// nil if the club needs no sign-in, or has a working one.
  func beginSignIn(_ club: String) async throws(StoreError) -> SignInStep?
  /// Waits until the browser on this machine has delivered the code; nil if no browser can. Returns a sentence.
  func awaitSignIn(_ step: SignInStep) async throws(StoreError) -> String?
  /// Returns a sentence, such as `Signed in to Dropbox as Ann.`
  func finishSignIn(_ step: SignInStep, _ answer: String) async throws(StoreError) -> String
  /// A line that signs in the member's next device.
  func deviceLine(_ club: String) async throws(StoreError) -> ShownLine
  /// A line without secrets that fills in a friend's form.
  func placeLine(_ club: String) async throws(StoreError) -> ShownLine
  /// nil if it cannot be made here.
  func qr(_ text: String) async -> QRBlocks?
}

/// The first view of the screen of clubs.
public enum ClubsStart: Sendable, Equatable {
  /// No club was ever opened on this machine: where is it?
  case firstStart
  case list
  case add
  case join(String)
  case signIn(club: String)
}

/// How the screen of clubs ended.
public enum ClubsOutcome: Sendable, Equatable {
  /// Open this club, and say a sentence about it.
  case open(club: String, said: String?)
  /// Make and open the club of this machine.
  case thisMachine
  case demo
  /// Back to the club from which the member came.
  case back
  case quit
}
