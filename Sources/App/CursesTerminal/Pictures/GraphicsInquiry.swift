internal import CNcurses
internal import POSIX
public import TextUI

/// The questions about pictures outside of the full screen, for `byteclub doctor`.
public struct GraphicsInquiry: Sendable {
  /// Longest wait for an answer, in milliseconds; a terminal far away needs some hundred.
  private static let patience: Int64 = 1500
  /// Answers that come around tmux come after its own.
  private static let extra: Int64 = 300

  public let questions: GraphicsQuestions
  public let answers: GraphicsAnswers
  public let decision: GraphicsDecision

  /// Asks the terminal of standard input and output, which both must be one. What is typed meanwhile is lost.
  public init(
    _ setting: GraphicsSetting, colors: TerminalAbilities.Colors, isASCII: Bool, environment: (String) -> String?
  ) {
    let memory = SharedPictures()
    var questions = GraphicsQuestions(environment: environment)
    questions.sharedPixel = memory.share([0, 0, 0])
    defer { withExtendedLifetime(memory) {} }
    self.questions = questions
    answers = questions.isAsked ? Self.answers(to: questions) : GraphicsAnswers()
    var size = winsize()
    _ = ioctl(1, UInt(TIOCGWINSZ), &size)
    decision = GraphicsDecision(
      setting, answers, environment: environment, colors: colors, isASCII: isASCII,
      window: Size(Int(size.ws_col), Int(size.ws_row)),
      pixels: size.ws_xpixel > 0 && size.ws_ypixel > 0 ? Size(Int(size.ws_xpixel), Int(size.ws_ypixel)) : nil)
  }

  private static func answers(to questions: GraphicsQuestions) -> GraphicsAnswers {
    var answers = GraphicsAnswers()
    var old = termios()
    guard tcgetattr(0, &old) == 0 else { return answers }
    var raw = old
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(0, TCSANOW, &raw) == 0 else { return answers }
    defer { tcsetattr(0, TCSAFLUSH, &old) }
    let bytes = questions.bytes
    cn_write(bytes, bytes.count)
    var decoder = InputDecoder()
    var end = now() + patience
    var isLate = false
    while !answers.isOver || questions.isInTmux, now() < end {
      var polled = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(max(1, end - now()))) > 0 else { continue }
      var input = [UInt8](repeating: 0, count: 4096)
      let count = read(0, &input, input.count)
      guard count > 0 else { break }
      for case .report(let report) in decoder.decode(input[..<count]) { answers.take(report) }
      if answers.isOver, !isLate {
        isLate = true
        end = min(end, now() + extra)
      }
    }
    return answers
  }

  /// Milliseconds of the monotonic clock.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension GraphicsAnswers {
  /// For people: each question and its answer.
  public func lines(_ questions: GraphicsQuestions) -> [(question: String, answer: String)] {
    let inner = versions.first { $0.hasPrefix("tmux") }
    func pixels(_ size: Size?) -> String? { size.map { "\($0.width) x \($0.height)" } }
    return questions.all.map { question in
      let answer: String? =
        switch question.name {
        case let name where name.hasPrefix("kitty"): kitty
        case let name where name.hasPrefix("shared"): sharedMemory
        case let name where name.hasPrefix("name, around"): versions.first { $0 != inner }
        case let name where name.hasPrefix("name"): questions.isInTmux ? inner : versions.first
        case GraphemeMode.question.name: graphemes.map(String.init)
        case let name where name.hasPrefix("pixels of a cell"): pixels(cell)
        case let name where name.hasPrefix("pixels of the window"): pixels(window)
        default: attributes.map { $0.map(String.init).joined(separator: " ") }
        }
      return (question.name, answer ?? "no answer")
    }
  }
}
