internal import Basics
internal import CNcurses
internal import POSIX
public import TextUI

/// ncurses for output, `InputDecoder` for input.
/// The thread that made it calls all members except `waker`. However the process ends (a return from `main`, `exit`, a
/// signal, a crash), cursor, screen, modes and settings of the terminal are restored.
public final class CursesTerminal: Terminal {
  /// As of the last `wait`, `suspend` or `handOver`.
  public private(set) var size: Size
  public internal(set) var abilities: TerminalAbilities
  /// Ends a `wait`; any thread may call it, even after `close`.
  public var waker: @Sendable () -> Void { { cn_wake() } }

  private let descriptorsOfPrograms: UInt?
  var decoder = InputDecoder()
  /// The monotonic clock's nanoseconds at which undecided input is decided; nil if none is undecided.
  private var decideAt: Int64?
  var painter: GridPainter
  private var input = [UInt8](repeating: 0, count: 1 << 14)
  var waiting: [InputEvent] = []
  var isOpen = true
  var window = Window()
  var graphics: Graphics

  /// - Throws: `TerminalError` with a sentence for people; the terminal is then unchanged.
  public init(options: CursesOptions = CursesOptions()) throws(TerminalError) {
    guard isatty(0) == 1, isatty(1) == 1 else { throw .notATerminal }
    func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    guard let name = TerminalName(environment: environment) else { throw .unnamed }
    try Self.start(name, term: environment("TERM") ?? "", mouse: options.mouse)
    let colors =
      options.colors ?? name.abilities(colors: Int(cn_colors()), saysTrueColor: cn_says_true_color())
    abilities = TerminalAbilities(
      colors: colors, asciiOnly: options.asciiOnly,
      background: environment("COLORFGBG").flatMap(TerminalName.background(colorFGBG:)))
    descriptorsOfPrograms = options.descriptorsOfPrograms
    painter = GridPainter(
      colors, ncursesColors: Int(cn_colors()), hasHyperlinks: window.sequences.hasHyperlinks)
    size = Self.measure()
    graphics = Graphics(options.graphics, environment: environment)
    decideGraphics()
  }

  deinit { close() }

  /// Later paints are ignored, and `wait` returns `.terminate`.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    Graphemes.areWhole = false
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
    default: throw .system(reason: SystemError.text(errno))
    }
  }

  /// The sentence is printed on a terminal: no controls.
  private static func shown(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(40).map { (0x20..<0x7F).contains($0.value) ? $0 : "?" }))
  }

  private static func measure() -> Size {
    var (columns, rows): (Int32, Int32) = (0, 0)
    cn_measure(&columns, &rows)
    return Size(Int(columns), Int(rows))
  }

  /// Sleeps until input, a signal, a wake-up, or the end of `seconds`. Undecided input is decided after the decoder's
  /// patience without more bytes, regardless of other wake-ups; there are no other timers.
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
    var isOver = seen & (CN_ASKED_TO_END | CN_HUNG_UP) != 0
    if seen & CN_INPUT != 0 { isOver = read(into: &events) || isOver }
    if seen & CN_ASKED_TO_STOP != 0 {
      suspend()
    } else if seen & CN_CONTINUED != 0 {
      cn_resume()
      comeBack()
      waiting.append(.resumed)
    }
    if seen & CN_RESIZED != 0 {
      // Even for an equal size: terminals rearrange their content.
      size = Self.measure()
      waiting = waiting.filter { if case .resize = $0 { false } else { true } } + [.resize(size)]
      measureAgain()
      invalidate()
    }
    take(&events)
    if !waiting.isEmpty {
      events += waiting
      waiting.removeAll()
    }
    if isOver { events.append(.terminate) }
    return events
  }

  /// -1 for no limit.
  private func milliseconds(_ seconds: Int?) -> Int32 {
    guard let decideAt else { return seconds.map { Int32(clamping: $0 * 1000) } ?? -1 }
    return Int32(clamping: max(0, decideAt - now() + 999_999) / 1_000_000)
  }

  private func waitForMore() { decideAt = decoder.patience.map { now() + Int64($0) * 1_000_000 } }

  /// Nanoseconds of the monotonic clock.
  func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Reads at most a megabyte; true if the terminal is gone.
  /// It stops after a few bytes, which are a key: another read would be one of the few system calls between a key and
  /// its response. Bytes that arrive meanwhile end the next `wait` at once.
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

  /// The length of `CSI` with three numbers.
  private static let longestKey = 16

  private func takeSize() {
    let now = Self.measure()
    guard now != size else { return }
    size = now
    measureAgain()
    waiting.append(.resize(now))
  }

  private func comeBack() {
    painter.forget()
    takeSize()
  }

  /// Passes only changed rows to ncurses, in one write, and paints hyperlinks and 24-bit colour over them, all between the
  /// marks of a synchronized update.
  public func paint(_ grid: Grid) {
    guard isOpen else { return }
    painter.paint(grid)
    askGraphics()
  }

  public func invalidate() {
    guard isOpen else { return }
    painter.forget()
    cn_repaint()
  }

  /// Stops the job as Ctrl-Z does. Returns when the job continues, or at once if no shell could continue it; the next
  /// `wait` returns `.resumed`.
  public func suspend() {
    guard isOpen else { return }
    leaveWindow()
    cn_suspend()
    comeBack()
    enterWindow()
    waiting.append(.resumed)
  }

  /// The program has default signals, and Ctrl-C goes to it.
  public func handOver(to program: ExternalProgram) -> ExternalProgram.End {
    guard let name = program.arguments.first, !name.isEmpty else { return .notStarted("no program was named") }
    guard isOpen else { return .notStarted("the terminal was given back") }
    let arguments: [UnsafeMutablePointer<CChar>?] = program.arguments.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var value: Int32 = 0
    leaveWindow()
    let end = cn_run(arguments, descriptorsOfPrograms ?? 0, &value)
    comeBack()
    enterWindow()
    switch end {
    case CN_EXITED: return .exited(value)
    case CN_SIGNALLED: return .signalled(value)
    default: return .notStarted(SystemError.text(value))
    }
  }

  public func bell() {
    guard isOpen else { return }
    cn_write("\u{7}", 1)
  }

  /// Offers text through OSC 52, without control characters. Rings the bell for text over 74,000 bytes, which terminals
  /// would cut.
  public func copy(_ text: String) {
    guard isOpen else { return }
    guard let bytes = ClipboardSequence.bytes(offering: text, isInTmux: getenv("TMUX") != nil) else { return bell() }
    cn_write(bytes, bytes.count)
  }
}
