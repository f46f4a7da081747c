internal import FileStores
internal import TextUI

/// Signing in to a club: a page to open, a code or a password. It goes on by itself when the browser delivers the code.
struct SignInView: ClubsView {
  private enum Stage {
    case beginning
    case refused(StoreError?)
    case open(SignInStep)
  }

  private let club: String
  /// The club was added just now.
  private let isNew: Bool
  private var stage = Stage.beginning
  private var typed = FieldSet([])
  private var qr: QRBlocks?
  /// The answer is on its way to the service.
  private var isFinishing = false
  private var waitsForBrowser = false
  private var problem: StoreError?

  init(_ club: String, isNew: Bool = false) { (self.club, self.isNew) = (club, isNew) }

  var title: String { "Sign in to \(club)" }
  var places: [KeyCommand.Place] { takesText ? [.clubForm] : [.clubForm, .clubLine, .moves] }
  var takesText: Bool { !typed.fields.isEmpty }

  var footer: [CommandID] {
    guard case .open(let step) = stage else { return [.clubFormEnter] }
    return [.clubFormEnter] + (step.address == nil ? [] : [.clubFormCopy])
  }

  var isAsking: Bool { isFinishing }

  mutating func begin() -> [ClubsStep] {
    (stage, problem) = (.beginning, nil)
    return [.ask(.beginSignIn(club))]
  }

  mutating func take(_ input: MemberInput, _ frame: Frame) -> [ClubsStep] {
    switch (input, stage) {
    case (.command(.clubFormEnter), .refused): return begin()
    case (.command(.clubFormEnter), .open(let step)), (.command(.clubFormSend), .open(let step)): return finish(step)
    case (.command(.clubFormCopy), .open(let step)), (.command(.clubLineCopy), .open(let step)):
      return step.address.map { [.copy($0), .say("Copied the address.")] } ?? []
    case (_, _):
      guard !isFinishing else { break }
      if typed.take(input, page(frame), height: ClubsScreen.bodySize(of: frame).height) { problem = nil }
    }
    return []
  }

  private mutating func finish(_ step: SignInStep) -> [ClubsStep] {
    let answer = typed.fields.first?.text.string ?? ""
    guard !isFinishing, !answer.isEmpty || !takesText else { return [] }
    (isFinishing, problem) = (true, nil)
    return [.ask(.finishSignIn(step, answer: answer))]
  }

  mutating func answered(_ answer: ClubsAnswer) -> [ClubsStep] {
    switch answer {
    case .step(nil): return [.end(.open(club: club, said: isNew ? "Added the club \"\(club)\"." : nil))]
    case .step(let step?): return open(step)
    case .signedIn(let said?): return [.end(.open(club: club, said: said))]
    case .signedIn(nil): waitsForBrowser = false
    case .qr(let blocks): qr = blocks
    default: break
    }
    return []
  }

  private mutating func open(_ step: SignInStep) -> [ClubsStep] {
    stage = .open(step)
    switch step.input {
    case .password(let label): typed = FieldSet([ClubsField(label, isHidden: true)])
    case .code: typed = FieldSet([ClubsField("Code", placeholder: "from the page")])
    case .confirmation: typed = FieldSet([])
    }
    guard let address = step.address else { return [] }
    waitsForBrowser = true
    return [.ask(.awaitSignIn(step)), .ask(.qr(address))]
  }

  mutating func failed(_ call: ClubsCall, _ error: StoreError) {
    switch call {
    case .beginSignIn: stage = .refused(error.shown)
    case .awaitSignIn: (waitsForBrowser, problem) = (false, error.shown ?? problem)
    default:
      (isFinishing, problem) = (false, error.shown)
      // Nobody can see what is wrong with a hidden text.
      if typed.fields.first?.isHidden == true { typed.fields[0].text = TextField() }
    }
  }

  mutating func stop() -> Bool {
    isFinishing = false
    return true
  }

  private func page(_ frame: Frame) -> ClubsPage {
    ClubsPage(frame, code: qr) { page in
      switch stage {
      case .beginning: page.sayAsking()
      case .refused(let error):
        page.complain(error)
        page.say("Press \(frame.keys.name(of: .clubFormEnter)) to try again.")
      case .open(let step):
        page.say(step.sentence)
        guard let address = step.address else { return }
        page.gap()
        page.whole(address, .link)
      }
    } rest: { page in
      guard case .open = stage else { return }
      page.gap()
      if takesText {
        page.field(0)
      } else {
        page.say("Then press \(frame.keys.name(of: .clubFormEnter)) here.")
      }
      if isFinishing || waitsForBrowser || problem != nil { page.gap() }
      if isFinishing {
        page.sayAsking()
      } else if waitsForBrowser {
        page.say("Goes on by itself when this machine's browser has signed in.", .dim)
      }
      page.complain(problem)
    }
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) { page(frame).draw(typed, on: &canvas) }
}
