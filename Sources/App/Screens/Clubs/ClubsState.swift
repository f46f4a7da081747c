public import FileStores
public import TextUI

public struct ClubsState: Sendable {
  /// nil while the screen is shown, or ended without a choice.
  public internal(set) var outcome: ClubsOutcome?
  public internal(set) var frame: Frame
  let forms: [PlaceForm]
  /// The open club, to which Esc leads back.
  let current: String?
  let offersThisMachine: Bool
  /// The topmost.
  var view: any ClubsView
  /// The bottom one is first.
  var below: [any ClubsView] = []
  var question: Question<ClubsAction>?
  var help: HelpTable?
  /// Keys without a command that the member has heard of.
  var explainedKeys: Set<Key> = []
  /// Forms that were left half filled in, by kind.
  var keptForms: [String: PlaceForm] = [:]
  var keptLine = ""
  /// The number of the running call of each kind.
  private var calls: [ClubsCall.Kind: Int] = [:]
  private var lastNumber = 0

  init(_ frame: Frame, forms: [PlaceForm], current: String?, offersThisMachine: Bool, _ view: any ClubsView) {
    (self.frame, self.forms, self.current, self.view) = (frame, forms, current, view)
    self.offersThisMachine = offersThisMachine
  }

  /// The quit key quits here, and elsewhere leads back.
  var isHome: Bool { below.isEmpty && view.isHome }

  /// The answer to an older call of the same kind is then ignored.
  mutating func ask(_ call: ClubsCall) -> ClubsScreen.Commands {
    lastNumber += 1
    calls[call.kind] = lastNumber
    return [.run(ClubsEffect(call: call, number: lastNumber), key: call.isWrite ? nil : call.kind.rawValue)]
  }

  mutating func stop(_ kinds: [ClubsCall.Kind]) -> ClubsScreen.Commands {
    kinds.filter { calls.removeValue(forKey: $0) != nil }.map { .cancel(key: $0.rawValue) }
  }

  /// False for an answer that nothing waits for any more.
  mutating func expects(_ effect: ClubsEffect, isLast: Bool) -> Bool {
    guard calls[effect.call.kind] == effect.number else { return false }
    if isLast { calls[effect.call.kind] = nil }
    return true
  }
}

public enum ClubsAction: FailableAction {
  case input(MemberInput)
  case helpKey(Key)
  /// Negative is up.
  case helpScrolled(by: Int)
  case unboundKey(Key)
  /// Only clears the last notice.
  case keyWithoutMeaning
  case agreed
  case dismissedQuestion
  case quitAgreed
  case resized(Size)
  case focused(Bool)
  /// 0xRRGGBB.
  case background(UInt32)
  case abilities(TerminalAbilities)
  case terminated
  case answered(ClubsEffect, ClubsAnswer)
  case failed(ClubsEffect, StoreError)
}

public struct ClubsEffect: Sendable {
  let call: ClubsCall
  /// Tells the call from earlier ones.
  let number: Int
}

enum ClubsCall: Sendable {
  case clubs
  case check(PlaceForm)
  case add(PlaceForm)
  case join(String, agreed: Bool)
  case beginSignIn(String)
  case awaitSignIn(SignInStep)
  case finishSignIn(SignInStep, answer: String)
  case deviceLine(String)
  case placeLine(String)
  case qr(String)

  /// Of each kind one call runs at a time. The raw value is the key of its effect.
  enum Kind: String, Sendable, CaseIterable {
    case list = "clubs.list"
    case check = "clubs.check"
    case call = "clubs.call"
    case wait = "clubs.wait"
    case qr = "clubs.qr"
  }

  var kind: Kind {
    switch self {
    case .clubs: .list
    case .check: .check
    case .awaitSignIn: .wait
    case .qr: .qr
    case .add, .join, .beginSignIn, .finishSignIn, .deviceLine, .placeLine: .call
    }
  }

  /// Nothing cancels it.
  var isWrite: Bool { if case .add = self { true } else { false } }
}

public enum ClubsAnswer: Sendable {
  /// More may be known later.
  case rows([ClubRow])
  case allAsked
  case findings([FormFinding])
  case added(String)
  case joined(JoinAnswer)
  case step(SignInStep?)
  /// nil if no browser can deliver the code.
  case signedIn(String?)
  case line(ShownLine)
  case qr(QRBlocks?)

  var isLast: Bool { if case .rows = self { false } else { true } }
}
