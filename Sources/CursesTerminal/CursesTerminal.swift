internal import CNcurses
internal import Glibc
public import TextUI

/// The terminal of this process: ncurses for output, our own decoder for input.
///
/// All members but `waker` are called on the thread that made it. However the process ends (a return from `main`,
/// `exit`, a signal, a crash), the terminal is given back: cursor shown, full screen left, modes and settings restored.
public final class CursesTerminal: Terminal {
  /// Columns and rows, as of the last `wait`, `suspend` or `handOver`.
  public private(set) var size: Size
  /// What it can show.
  public let abilities: TerminalAbilities
  /// Ends a `wait`; may be called from any thread, also after `close`.
  public var waker: @Sendable () -> Void { { cn_wake() } }

  private var decoder = InputDecoder()
  /// When the decoder decides what is undecided, unless more bytes come; nil when nothing is.
  private var decideAt: Int64?
  private var painter: GridPainter
  private var input = [UInt8](repeating: 0, count: 1 << 14)
  private var waiting: [InputEvent] = []
  var isOpen = true
  var window = Window()

  /// Takes the terminal.
  /// - Throws: `TerminalError`, with a sentence for people; the terminal is then as it was.
  public init(options: CursesOptions = CursesOptions()) throws(TerminalError) {
    guard isatty(0) == 1, isatty(1) == 1 else { throw .notATerminal }
    func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    guard let name = TerminalName(environment: environment) else { throw .unnamed }
    try Self.start(name, term: environment("TERM") ?? "", mouse: options.mouse)
    let colors =
      options.colors ?? name.abilities(colors: Int(cn_colors()), saysTrueColor: cn_says_true_color())
    abilities = TerminalAbilities(colors: colors, asciiOnly: options.asciiOnly)
    painter = GridPainter(colors, ncursesColors: Int(cn_colors()))
    size = Self.measure()
  }

  deinit { close() }

  /// Gives the terminal back. What is painted later is not shown, and `wait` returns `.terminate`.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    leaveWindow()
    cn_stop()
  }

  private static func start(_ name: TerminalName, term: String, mouse: Bool) throws(TerminalError) {
    var result = CN_UNKNOWN_TERMINAL
    for candidate in name.candidates {
      result = cn_start(candidate, mouse)
      if result != CN_UNKNOWN_TERMINAL { break }
    }
    switch result {
    case CN_OK: return
    case CN_NOT_A_TERMINAL: throw .notATerminal
    case CN_UNKNOWN_TERMINAL: throw .unknown(name: Self.shown(term))
    case CN_NO_CURSOR_MOVES: throw .tooSimple(name: Self.shown(term))
    case CN_BUSY: throw .taken
    default: throw .system(reason: String(cString: strerror(errno)))
    }
  }

  /// The sentence is printed on a terminal: what the variable holds must not drive it.
  private static func shown(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(40).map { (0x20..<0x7F).contains($0.value) ? $0 : "?" }))
  }

  private static func measure() -> Size {
    var (columns, rows): (Int32, Int32) = (0, 0)
    cn_measure(&columns, &rows)
    return Size(Int(columns), Int(rows))
  }

  /// Sleeps until there is something. What the decoder has not decided is decided after its patience without more bytes,
  /// however often the sleep is ended meanwhile; there is no timer but that and the caller's.
  public func wait(seconds: Int?) -> [InputEvent] {
    guard isOpen else { return [.terminate] }
    if !waiting.isEmpty {
      defer { waiting.removeAll() }
      return waiting
    }
    let seen = Int(cn_wait(milliseconds(seconds)))
    var events: [InputEvent] = []
    if seen & CN_INPUT == 0, let decideAt, now() >= decideAt {
      events = decoder.flush()
      waitForMore()
    }
    if seen == 0 { return events }
    var isOver = seen & (CN_TOLD_TO_END | CN_HUNG_UP) != 0
    if seen & CN_INPUT != 0 { isOver = read(into: &events) || isOver }
    if seen & CN_TOLD_TO_STOP != 0 {
      suspend()
    } else if seen & CN_CONTINUED != 0 {
      cn_resume()
      comeBack()
      waiting.append(.resumed)
    }
    if seen & CN_RESIZED != 0 {
      // Also without another size: terminals rearrange what they show.
      size = Self.measure()
      waiting = waiting.filter { if case .resize = $0 { false } else { true } } + [.resize(size)]
      invalidate()
    }
    if !waiting.isEmpty {
      events += waiting
      waiting.removeAll()
    }
    if isOver { events.append(.terminate) }
    return events
  }

  /// How long to sleep: until the decoder decides, or as long as the caller says; -1 without an end.
  private func milliseconds(_ seconds: Int?) -> Int32 {
    guard let decideAt else { return seconds.map { Int32(clamping: $0 * 1000) } ?? -1 }
    return Int32(clamping: max(0, decideAt - now() + 999_999) / 1_000_000)
  }

  /// What is undecided now waits for more bytes.
  private func waitForMore() { decideAt = decoder.patience.map { now() + Int64($0) * 1_000_000 } }

  /// Nanoseconds of a clock that is never set.
  private func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Reads all that is there, a megabyte at most. Returns whether the terminal is gone.
  ///
  /// After a few bytes, which are a key, nothing more is asked for: that would be one of four system calls between a
  /// key and its answer. What has come meanwhile ends the next `wait` at once.
  private func read(into events: inout [InputEvent]) -> Bool {
    defer { waitForMore() }
    var total = 0
    repeat {
      let count = cn_read(&input, input.count)
      if count == 0 { return true }
      if count < 0 { return false }
      if events.isEmpty { events = decoder.decode(input[..<count]) } else { events += decoder.decode(input[..<count]) }
      total += count
      if count <= Self.longestKey { return false }
    } while total < 1 << 20 && cn_has_input()
    return false
  }

  /// `CSI` with three numbers.
  private static let longestKey = 16

  private func takeSize() {
    let now = Self.measure()
    guard now != size else { return }
    size = now
    waiting.append(.resize(now))
  }

  private func comeBack() {
    painter.forget()
    takeSize()
  }

  /// Shows a grid: only rows that changed go to ncurses, in one write; 24-bit colour is painted over them in another.
  public func paint(_ grid: Grid) {
    guard isOpen else { return }
    painter.paint(grid)
  }

  /// Writes everything at the next `paint`.
  public func invalidate() {
    guard isOpen else { return }
    painter.forget()
    cn_repaint()
  }

  /// Stops the job as Ctrl-Z does. Returns when it goes on, at once where nobody could continue it; the next `wait`
  /// returns `.resumed`.
  public func suspend() {
    guard isOpen else { return }
    leaveWindow()
    cn_suspend()
    comeBack()
    enterWindow()
    waiting.append(.resumed)
  }

  /// Runs a program on the terminal, with default signals, and waits for its end. Ctrl-C is the program's meanwhile.
  public func handOver(to program: ExternalProgram) -> ExternalProgram.End {
    guard let name = program.arguments.first, !name.isEmpty else { return .notStarted("no program was named") }
    guard isOpen else { return .notStarted("the terminal was given back") }
    let arguments: [UnsafeMutablePointer<CChar>?] = program.arguments.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var value: Int32 = 0
    leaveWindow()
    let end = cn_run(arguments, &value)
    comeBack()
    enterWindow()
    switch end {
    case CN_EXITED: return .exited(value)
    case CN_SIGNALLED: return .signalled(value)
    default: return .notStarted(String(cString: strerror(value)))
    }
  }

  /// Rings the bell.
  public func bell() {
    guard isOpen else { return }
    cn_write("\u{7}", 1)
  }

  /// Offers text to the clipboard through OSC 52. Controls are dropped from it; text over 74,000 bytes, which
  /// terminals would cut, is not offered: the bell rings instead.
  public func copy(_ text: String) {
    guard isOpen else { return }
    guard let bytes = ClipboardSequence.bytes(offering: text, isInTmux: getenv("TMUX") != nil) else { return bell() }
    cn_write(bytes, bytes.count)
  }
}
