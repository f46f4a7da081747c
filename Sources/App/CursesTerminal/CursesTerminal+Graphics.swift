internal import CNcurses
internal import POSIX
internal import TextUI

extension CursesTerminal {
  struct Graphics {
    let setting: GraphicsSetting
    let environment: (String) -> String?
    var questions: GraphicsQuestions
    var answers = GraphicsAnswers()
    var isAsked = false
    var sharesMemory = false
    var graphemes = GraphemeMode.missing
    var isRedrawn = false
    /// Holds the pixel of the question.
    var memory: SharedPictures?

    init(_ setting: GraphicsSetting, environment: @escaping (String) -> String?) {
      (self.setting, self.environment) = (setting, environment)
      questions = GraphicsQuestions(environment: environment)
    }

    /// All questions were asked but those about pictures, which inside tmux leaves none.
    var awaitsAnswers: Bool { questions.isAsked && (needsAnswers || !questions.isInTmux) }

    /// Blocks need no answers.
    var needsAnswers: Bool {
      switch setting {
      case .halfBlocks, .quadrants, .sextants: false
      case .auto, .kitty, .sixel, .iterm2: true
      }
    }
  }

  /// Asks once, after the first frame. The answers are input, which `take` finds.
  func askGraphics() {
    guard !graphics.isAsked else { return }
    graphics.isAsked = true
    if graphics.needsAnswers, graphics.questions.isAsked, !graphics.questions.isInTmux {
      let memory = SharedPictures()
      graphics.questions.sharedPixel = memory.share([0, 0, 0])
      graphics.memory = memory
    }
    ask(graphics.needsAnswers ? graphics.questions.bytes : graphics.questions.bytesWithoutPictures)
  }

  /// An answer that comes later would be typed into the next program. Waits for it as long as most terminals take.
  func awaitAnswers() {
    guard graphics.isAsked, graphics.awaitsAnswers else { return }
    let end = now() + Self.patience
    var input = [UInt8](repeating: 0, count: 4096)
    while !graphics.answers.isOver {
      let left = end - now()
      var polled = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&polled, 1, Int32(left / 1_000_000 + 1)) > 0 else { return }
      let count = cn_read(&input, input.count)
      guard count > 0 else { return }
      for event in decoder.decode(input[..<count]) {
        if case .report(let report) = event { graphics.answers.take(report) } else { waiting.append(event) }
      }
    }
  }

  /// In nanoseconds.
  private static let patience: Int64 = 400_000_000

  /// The font may have another size, too.
  func measureAgain() {
    // Until the answer comes, the system's size is nearer than an old answer.
    if Self.measurePixels() != nil { graphics.answers.cell = nil }
    graphics.answers.window = nil
    if graphics.isAsked, graphics.needsAnswers { ask(Array("\u{1B}[16t".utf8)) }
    decideGraphics()
  }

  /// Keeps the answers of the terminal and the program's abilities apart from what the member does. The next screen
  /// begins with the background that this one was given.
  func take(_ events: inout [InputEvent]) {
    for case .background(let rgb) in events { abilities.background = Theme.Background(rgb: rgb) }
    guard events.contains(where: { if case .report = $0 { true } else { false } }) else { return }
    for case .report(let report) in events {
      // An answer to a question that was not asked.
      if case .mode = report, !graphics.isAsked { continue }
      graphics.answers.take(report)
    }
    events.removeAll { if case .report = $0 { true } else { false } }
    if graphics.answers.isOver { graphics.memory = nil }
    decideGraphics()
    decideGraphemes()
  }

  /// Before all answers have come, pictures are blocks: a picture would be drawn twice. A barrier that comes early (tmux
  /// answers for itself) is followed by another decision.
  func decideGraphics() {
    let decision = GraphicsDecision(
      graphics.setting, graphics.answers, environment: graphics.environment, colors: abilities.colors,
      isASCII: abilities.asciiOnly, window: size, pixels: Self.measurePixels())
    guard graphics.answers.isOver || !graphics.needsAnswers || graphics.setting != .auto else { return }
    let isOther = decision.mode != abilities.graphics || decision.cell != abilities.cell
    guard isOther || decision.sharesMemory != graphics.sharesMemory else { return }
    (abilities.graphics, abilities.cell) = (decision.mode, decision.cell)
    graphics.sharesMemory = decision.sharesMemory
    painter.use(decision.mode, cell: decision.cell, sharesMemory: decision.sharesMemory)
    if isReady { waiting.append(.abilities(abilities)) }
  }

  /// Once, when all answers have come. Texts are then laid out again.
  func decideGraphemes() {
    guard graphics.isAsked, graphics.graphemes == .missing else { return }
    graphics.graphemes = GraphemeMode(graphics.answers, graphics.questions)
    guard graphics.graphemes != .missing else {
      // Terminals that do not know the question may have printed its last letter.
      if graphics.answers.isOver, graphics.answers.graphemes == nil, !graphics.questions.isInTmux, !graphics.isRedrawn {
        graphics.isRedrawn = true
        invalidate()
      }
      return
    }
    useGraphemes()
    painter.drawGraphemes()
    Graphemes.areWhole = true
    waiting.append(.abilities(abilities))
  }

  /// However the process ends, and while another program has the terminal, the mode is as it was.
  func useGraphemes() { if graphics.graphemes != .missing { cn_keep_graphemes(graphics.graphemes == .off) } }

  private func ask(_ bytes: [UInt8]) {
    guard graphics.questions.isAsked, !bytes.isEmpty else { return }
    cn_write(bytes, bytes.count)
  }

  private static func measurePixels() -> Size? {
    var (width, height): (Int32, Int32) = (0, 0)
    cn_measure_pixels(&width, &height)
    return width > 0 && height > 0 ? Size(Int(width), Int(height)) : nil
  }

  /// The first frame reads the abilities itself.
  private var isReady: Bool { graphics.isAsked }
}
