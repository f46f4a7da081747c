internal import FileStores
internal import TextUI

/// A line from a friend, or from the member's other device.
struct InvitationView: ClubsView {
  private var typed: FieldSet
  private let joinsAtOnce: Bool
  private(set) var isAsking = false
  private var problem: StoreError?

  init(_ line: String = "", joinsAtOnce: Bool = false) {
    typed = FieldSet([ClubsField("Line", line, placeholder: "https://club.example/join#...")])
    self.joinsAtOnce = joinsAtOnce
  }

  var title: String { "An invitation" }
  var places: [KeyCommand.Place] { [.clubForm] }
  var footer: [CommandID] { [.clubFormEnter] }
  var takesText: Bool { true }
  var line: String { typed.fields[0].text.string }

  mutating func begin() -> [ClubsStep] { joinsAtOnce ? join(agreed: false) : [] }

  private mutating func join(agreed: Bool) -> [ClubsStep] {
    guard !isAsking, line.contains(where: { $0 != " " }) else { return [] }
    (isAsking, problem) = (true, nil)
    return [.ask(.join(line, agreed: agreed))]
  }

  mutating func take(_ input: MemberInput, _ frame: Frame) -> [ClubsStep] {
    switch input {
    case .command(.clubFormEnter), .command(.clubFormSend): return join(agreed: false)
    case .command: break
    case .typed, .pasted, .mouse:
      // The answer would be about another line.
      guard !isAsking else { break }
      if typed.take(input, page(frame), height: ClubsScreen.bodySize(of: frame).height) { problem = nil }
    }
    return []
  }

  mutating func agreed() -> [ClubsStep] { join(agreed: true) }

  mutating func answered(_ answer: ClubsAnswer) -> [ClubsStep] {
    isAsking = false
    guard case .joined(let answer) = answer else { return [] }
    return switch answer {
    case .joined(let club, let said): [.end(.open(club: club, said: said))]
    case .question(let text): [.question(text, yes: "yes")]
    case .form(let form): [.show(PlaceFormView(form))]
    }
  }

  mutating func failed(_ call: ClubsCall, _ error: StoreError) { (isAsking, problem) = (false, error.shown) }

  mutating func stop() -> Bool {
    isAsking = false
    return true
  }

  private func page(_ frame: Frame) -> ClubsPage {
    var page = ClubsPage(frame)
    page.say("Paste the whole line from a friend, or from your other device. It is good once.", .dim)
    page.gap()
    page.field(0)
    page.gap()
    if isAsking { page.sayAsking() }
    page.complain(problem)
    return page
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) { page(frame).draw(typed, on: &canvas) }
}
