public import FileStores
public import Markdown
public import TextUI

struct PreviewState: Sendable {
  /// Its answer is or will be shown; nil while nothing is selected.
  private(set) var request: PreviewRequest?
  private(set) var content: PreviewContent?
  /// The answer takes so long that the earlier preview must go.
  private(set) var isSlow = false
  private(set) var top = 0
  /// Changes with each answer, for kept lines.
  private(set) var version = 0
  /// Its content stays visible for a moment while the next file loads.
  private(set) var shown: StorePath?

  /// The request to perform; nil if nothing changed.
  mutating func follow(_ wanted: PreviewRequest?) -> PreviewRequest? {
    guard let wanted else {
      if request != nil { self = PreviewState(version: version + 1) }
      return nil
    }
    if let request, request.isSame(as: wanted) {
      self.request = wanted
      return nil
    }
    if request?.path != wanted.path || request?.sought != wanted.sought { top = 0 }
    (request, isSlow) = (wanted, false)
    version += 1
    return wanted
  }

  init() {}

  private init(version: Int) { self.version = version }

  /// The file's preview is requested again. Its present one stays until then.
  mutating func forget(_ path: StorePath) {
    if request?.path == path { request = nil }
  }

  /// Ignores the answer if the selection has moved on.
  mutating func take(_ action: PreviewAction) {
    switch action {
    case .shown(let answered, let content):
      guard let request, answered.isSame(as: request) else { return }
      (self.content, shown, isSlow) = (content, answered.path, false)
      if let hit = content.hit { top = max(0, min(hit - request.rows / 3, content.lines.count - request.rows)) }
    case .delayed(let answered):
      guard let request, answered.isSame(as: request), shown != request.path else { return }
      isSlow = true
    }
    version += 1
  }

  /// Negative is up.
  mutating func scroll(by lines: Int) {
    let height = request?.rows ?? 1
    top = max(0, min(top + lines, (content?.lines.count ?? 0) - height))
  }
}

public struct PreviewRequest: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case note, photo
    /// The first names in a folder, whose own name is among its facts.
    case folder([[UInt8]])
  }
  public let kind: Kind
  public let path: StorePath
  /// nil if unknown; another size or time is another content.
  public let size: UInt64?
  public let modified: Timestamp?
  /// The member who wrote the file last; nil if unknown.
  var author: String?
  /// The number of remarks, in words.
  var remarks = ""
  /// The cells for the content.
  public let columns: Int
  public let rows: Int
  /// Of the terminal.
  var resolution = PictureResolution()
  /// On a terminal without Unicode.
  var isASCII = false
  /// True for a picture without its facts, as within a note.
  var isBare = false
  /// The member's text that the club does not have yet, of the note or of the photo's caption.
  var own: OwnTextName?
  /// The place of a note's text that a search found.
  var sought: SoughtPlace?

  /// An unknown size or time counts as equal.
  func isSame(as other: PreviewRequest) -> Bool {
    kind == other.kind && isBare == other.isBare && path == other.path && own == other.own && sought == other.sought
      && columns == other.columns && rows == other.rows && resolution == other.resolution
      && (size == nil || other.size == nil || size == other.size)
      && (modified == nil || other.modified == nil || modified == other.modified)
  }
}

public enum PreviewAction: Sendable {
  case shown(PreviewRequest, PreviewContent)
  case delayed(PreviewRequest)
}

public struct PreviewContent: Sendable {
  /// Above the lines.
  public var picture: ShownPicture?
  public var lines: [PreviewLine]
  /// The file goes on behind the lines.
  public var isCut = false
  /// The line with the place that a search found.
  var hit: Int?
  /// The offsets of the searched words in the rendered text.
  var places: [Range<Int>] = []

  init(picture: ShownPicture? = nil, lines: [PreviewLine], isCut: Bool = false) {
    (self.picture, self.lines, self.isCut) = (picture, lines, isCut)
  }
}

/// Texts with their roles, or a line of a rendered note.
public struct PreviewLine: Sendable {
  public struct Run: Sendable {
    /// Any bytes; they are filtered when drawn.
    public var text: [UInt8]
    public var role: Role
  }
  public var runs: [Run]
  /// Drawn instead of `runs`.
  public var rendered: StyledLine?

  init(_ line: StyledLine) { (runs, rendered) = ([], line) }

  init(_ text: [UInt8], _ role: Role = .text) { runs = [Run(text: text, role: role)] }

  init(_ text: String, _ role: Role = .text) { self.init(Array(text.utf8), role) }

  /// A text that begins at an offset, with the places of a search.
  init(_ text: [UInt8], from offset: Int, marking places: [Range<Int>]) {
    runs = []
    var end = 0
    let inside = places.map { ($0.lowerBound - offset)..<($0.upperBound - offset) }
      .filter { $0.overlaps(0..<text.count) }.sorted { $0.lowerBound < $1.lowerBound }
    for place in inside {
      let place = place.clamped(to: min(end, text.count)..<text.count)
      runs.append(Run(text: Array(text[end..<place.lowerBound]), role: .text))
      runs.append(Run(text: Array(text[place]), role: .match))
      end = place.upperBound
    }
    runs.append(Run(text: Array(text[end...]), role: .text))
  }

  init(label: String, _ text: String) {
    runs = [Run(text: Array(label.utf8), role: .dim), Run(text: Array(text.utf8), role: .text)]
  }
}
