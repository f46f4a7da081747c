internal import FileStores
internal import TextUI

/// A line for a friend or for the member's next device, or a long sentence about a club.
struct ShownLineView: ClubsView {
  private enum Stage {
    case asking
    case refused(StoreError?)
    case shown(ShownLine)
    case reported(String)
  }

  let title: String
  private let call: ClubsCall?
  private var stage: Stage
  private var qr: QRBlocks?
  /// Scrolls a long text.
  private var typed = FieldSet([])

  init(_ title: String, _ call: ClubsCall) { (self.title, self.call, stage) = (title, call, .asking) }

  init(_ title: String, sentence: String) { (self.title, call, stage) = (title, nil, .reported(sentence)) }

  var places: [KeyCommand.Place] { [.clubLine, .moves] }

  var footer: [CommandID] {
    switch stage {
    case .asking, .reported: []
    case .refused: [.refresh]
    case .shown: [.clubLineCopy]
    }
  }

  mutating func begin() -> [ClubsStep] {
    guard let call else { return [] }
    stage = .asking
    return [.ask(call)]
  }

  mutating func take(_ input: MemberInput, _ frame: Frame) -> [ClubsStep] {
    switch (input, stage) {
    case (.command(.refresh), .refused): return begin()
    case (.command(.clubLineCopy), .shown(let shown)): return [.copy(shown.line), .say("Copied the line.")]
    case (_, _): _ = typed.take(input, page(frame), height: ClubsScreen.bodySize(of: frame).height)
    }
    return []
  }

  mutating func answered(_ answer: ClubsAnswer) -> [ClubsStep] {
    switch answer {
    case .line(let line):
      stage = .shown(line)
      return [.ask(.qr(line.line))]
    case .qr(let blocks): qr = blocks
    default: break
    }
    return []
  }

  /// To ask again helps only where the answer can change.
  mutating func failed(_ call: ClubsCall, _ error: StoreError) {
    stage = [.badInput, .unsupported].contains(error.kind) ? .reported("\(error)") : .refused(error.shown)
  }

  private func page(_ frame: Frame) -> ClubsPage {
    ClubsPage(frame, code: qr) { page in
      switch stage {
      case .asking: page.sayAsking()
      case .refused(let error):
        page.complain(error)
        page.say("Press \(frame.keys.name(of: .refresh)) to ask again.")
      case .reported(let sentence): page.say(sentence)
      case .shown(let shown): page.whole(shown.line, .link)
      }
    } rest: { page in
      guard case .shown(let shown) = stage else { return }
      page.gap()
      for sentence in shown.sentences { page.say(sentence) }
    }
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) { page(frame).draw(typed, on: &canvas) }
}
