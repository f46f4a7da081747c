internal import Basics
public import TextUI

/// The answers of a terminal to `GraphicsQuestions`; nil or empty where none came.
public struct GraphicsAnswers: Sendable, Hashable {
  /// `OK`, or the reason against a picture of kitty's protocol.
  public var kitty: String?
  /// The same for a picture in shared memory.
  public var sharedMemory: String?
  /// DA1.
  public var attributes: [Int]?
  /// XTVERSION. Inside tmux both tmux and the terminal around it may answer.
  public var versions: [String] = []
  public var cell: Size?
  public var window: Size?
  /// DECRPM of mode 2027, grapheme clusters.
  public var graphemes: Int?

  public init() {}

  /// DA1, which every terminal answers, is asked last: what was not answered before it is unknown to the terminal.
  public var isOver: Bool { attributes != nil }

  public mutating func take(_ report: TerminalReport) {
    switch report {
    case .attributes(let numbers): attributes = numbers
    case .version(let text): if !versions.contains(text) { versions.append(text) }
    case .cell(let size): cell = size
    case .window(let size): window = size
    case .graphics(GraphicsQuestions.id, let message): kitty = message
    case .graphics(GraphicsQuestions.sharedID, let message): sharedMemory = message
    // Terminals answer in order, and once.
    case .mode(GraphemeMode.number, let setting): if !isOver, graphemes == nil { graphemes = setting }
    case .graphics, .mode: break
    }
  }
}

/// Questions to a terminal about pictures.
public struct GraphicsQuestions: Sendable, Hashable {
  /// Of the pictures in the questions; any numbers.
  static let id = 31
  static let sharedID = 32

  public let isInTmux: Bool
  /// Other terminals, such as the Linux console, may print the questions.
  public let isAsked: Bool
  /// The name of a pixel in shared memory; nil to not ask for that.
  var sharedPixel: String?

  /// Terminals that are known to pass over strings that they do not know.
  private static let known = [
    "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "wezterm", "ghostty", "kitty", "konsole", "gnome", "vte",
    "mintty", "contour", "st-", "rio", "mlterm",
  ]

  public init(environment: (String) -> String?) {
    isInTmux = !(environment("TMUX") ?? "").isEmpty
    let term = environment("TERM") ?? ""
    isAsked = isInTmux || Self.known.contains(where: term.hasPrefix) && !term.hasPrefix("screen")
  }

  /// Each question with its name for people.
  public var all: [(name: String, bytes: [UInt8])] {
    // A picture of one pixel that is neither shown nor kept.
    let picture = Array("\u{1B}_Gi=\(Self.id),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8)
    let version = Array("\u{1B}[>q".utf8)
    var questions: [(String, [UInt8])] = []
    if isInTmux {
      questions.append(("kitty graphics, around tmux", TmuxPassthrough.wrapped(picture)))
      questions.append(("name, around tmux (XTVERSION)", TmuxPassthrough.wrapped(version)))
    } else {
      questions.append(("kitty graphics", picture))
      if let sharedPixel {
        let name = Base64.text(of: Array(sharedPixel.utf8))
        questions.append(
          ("shared memory", Array("\u{1B}_Gi=\(Self.sharedID),s=1,v=1,S=3,a=q,t=s,f=24;\(name)\u{1B}\\".utf8)))
      }
    }
    questions.append(("name (XTVERSION)", version))
    if !isInTmux { questions.append(GraphemeMode.question) }
    questions.append(("pixels of a cell (CSI 16 t)", Array("\u{1B}[16t".utf8)))
    questions.append(("pixels of the window (CSI 14 t)", Array("\u{1B}[14t".utf8)))
    questions.append(("attributes (DA1)", Self.barrier))
    return questions
  }

  /// In one write.
  public var bytes: [UInt8] { isAsked ? all.flatMap(\.bytes) : [] }

  /// The questions that are left where pictures are blocks anyway.
  var bytesWithoutPictures: [UInt8] { isAsked && !isInTmux ? GraphemeMode.question.bytes + Self.barrier : [] }

  private static let barrier = Array("\u{1B}[c".utf8)
}

/// How pictures are shown, and why. Pure.
public struct GraphicsDecision: Sendable, Hashable {
  public let mode: GraphicsMode
  /// In pixels; a guess where the terminal does not say.
  public let cell: Size
  /// The terminal reads pictures in this machine's shared memory.
  public private(set) var sharesMemory = false
  /// A sentence.
  public let reason: String
  /// Remedies, as a sentence; empty if there is nothing to do.
  public var remedy = ""

  /// For a terminal that does not say: the VT340's cell, of which most are multiples.
  private static let guess = Size(10, 20)
  /// These take their placeholders through tmux.
  private static let withPlaceholders = ["kitty", "ghostty"]

  /// `window` is the size in cells, `pixels` the system's size of the window in pixels (`TIOCGWINSZ`), nil if unknown.
  public init(
    _ setting: GraphicsSetting, _ answers: GraphicsAnswers, environment: (String) -> String?,
    colors: TerminalAbilities.Colors, isASCII: Bool = false, window: Size, pixels: Size? = nil
  ) {
    let isInTmux = GraphicsQuestions(environment: environment).isInTmux
    let known = Self.cell(answers, window: window, pixels: pixels)
    func decide(_ mode: GraphicsMode, _ reason: String, _ remedy: String = "") -> Self {
      Self(mode: mode, cell: known ?? Self.guess, reason: reason, remedy: remedy)
    }
    switch setting {
    case .halfBlocks, .quadrants, .sextants:
      let mode: GraphicsMode =
        setting == .halfBlocks ? .halfBlocks : setting == .quadrants ? .quadrants : .sextants
      self = decide(mode, "The config asks for \(setting.rawValue).")
    case .kitty:
      self = decide(
        isInTmux ? .kittyInTmux : .kitty, "The config asks for kitty's graphics.", Self.passthrough(isInTmux))
    case .sixel:
      self = decide(
        .sixel, "The config asks for sixels." + (known == nil ? " The terminal does not say how large a cell is." : ""))
    case .iterm2: self = decide(.iTerm2, "The config asks for iTerm2's inline images.")
    case .auto where isASCII: self = decide(.halfBlocks, "The config or the locale asks for ASCII.")
    case .auto where colors == .none: self = decide(.halfBlocks, "The terminal has no colours, or none are wanted.")
    case .auto where isInTmux: self = Self.inTmux(answers, known, decide)
    case .auto: self = Self.outside(answers, environment, known, decide)
    }
    sharesMemory = mode == .kitty && answers.sharedMemory == "OK"
  }

  private init(mode: GraphicsMode, cell: Size, reason: String, remedy: String) {
    (self.mode, self.cell, self.reason, self.remedy) = (mode, cell, reason, remedy)
  }

  private typealias Decide = (GraphicsMode, String, String) -> Self

  private static func outside(
    _ answers: GraphicsAnswers, _ environment: (String) -> String?, _ cell: Size?, _ decide: Decide
  ) -> Self {
    let name = answers.versions.first ?? ""
    let program = environment("TERM_PROGRAM") ?? ""
    // Their kitty graphics are younger and lack parts; their own protocol is whole.
    if name.hasPrefix("iTerm2") || name.hasPrefix("WezTerm") || ["iTerm.app", "WezTerm"].contains(program) {
      return decide(.iTerm2, "\(name.isEmpty ? program : name) shows iTerm2's inline images.", "")
    }
    if answers.kitty == "OK" {
      return decide(.kitty, "The terminal\(name.isEmpty ? "" : ", \(name),") shows kitty's graphics.", "")
    }
    guard let attributes = answers.attributes else {
      return decide(.halfBlocks, "The terminal has not answered.", "")
    }
    guard attributes.contains(4) else {
      let reason = "The terminal\(name.isEmpty ? "" : ", \(name),") shows neither kitty's graphics nor sixels."
      return decide(.halfBlocks, reason, "")
    }
    guard cell != nil else {
      let reason = "The terminal shows sixels, but does not say how many pixels a cell has."
      return decide(.halfBlocks, reason, "Set \"graphics\" to \"sixel\" if its cells have 10 x 20 pixels.")
    }
    return decide(.sixel, "The terminal\(name.isEmpty ? "" : ", \(name),") shows sixels.", "")
  }

  private static func inTmux(_ answers: GraphicsAnswers, _ cell: Size?, _ decide: Decide) -> Self {
    let outer = answers.versions.first { !$0.hasPrefix("tmux") } ?? ""
    if answers.kitty == "OK" {
      if withPlaceholders.contains(where: outer.lowercased().hasPrefix) {
        return decide(.kittyInTmux, "\(outer) shows kitty's graphics through tmux.", "")
      }
      let name = outer.isEmpty ? "The terminal around tmux" : outer
      return decide(
        .halfBlocks, "\(name) shows kitty's graphics, but is not known to take them through tmux.",
        "Set \"graphics\" to \"kitty\" if it knows Unicode placeholders.")
    }
    if answers.attributes?.contains(4) == true, cell != nil { return decide(.sixel, "tmux shows sixels.", "") }
    guard answers.attributes != nil else { return decide(.halfBlocks, "tmux has not answered.", "") }
    return decide(.halfBlocks, "No answer about pictures came through tmux.", passthrough(true))
  }

  private static func passthrough(_ isInTmux: Bool) -> String {
    isInTmux ? "In tmux's config: set -g allow-passthrough on" : ""
  }

  /// The answer for a cell is exact; the window may have a border.
  private static func cell(_ answers: GraphicsAnswers, window: Size, pixels: Size?) -> Size? {
    func part(_ pixels: Size) -> Size? {
      guard window.width > 0, window.height > 0 else { return nil }
      let cell = Size(pixels.width / window.width, pixels.height / window.height)
      return (2...200).contains(cell.width) && (4...400).contains(cell.height) ? cell : nil
    }
    if let cell = answers.cell, (2...200).contains(cell.width), (4...400).contains(cell.height) { return cell }
    return pixels.flatMap(part) ?? answers.window.flatMap(part)
  }
}
