import FileStores
import TextUI

/// One sentence on the screen, while one club is closed and another one opens. What is typed meanwhile is for that club.
enum OpeningScreen: Screen {
  struct State: Sendable {
    var sentence: String
    var theme: Theme
    let isASCII: Bool
    /// nil if the member did not wait.
    var result: Result<PreparedClub, StoreError>?
    var typed: [InputEvent] = []
    var isTerminated = false
  }

  enum Action: Sendable {
    case reported(String)
    case ended(Result<PreparedClub, StoreError>)
    case typed(InputEvent)
    case cancelled
    case terminated
  }

  enum Effect: Sendable {
    case open
  }

  /// No member types as much; something may lie on the keyboard.
  private static let mostTyped = 1000

  static func action(for event: InputEvent, in state: State) -> Action? {
    switch event {
    case .terminate: .terminated
    case .key(Key(.escape)), .key(Key(.character("c"), .control)): .cancelled
    case .key, .paste: .typed(event)
    default: nil
    }
  }

  static func clockRead(_ state: inout State, secondsSince1970: Int64) {}

  static func update(_ state: inout State, _ action: Action) -> [Command<Effect, Never, Action>] {
    switch action {
    case .reported(let sentence):
      state.sentence = sentence
      return []
    case .typed(let event):
      if state.typed.count < mostTyped { state.typed.append(event) }
      return []
    case .ended(let result): state.result = result
    case .cancelled: break
    case .terminated: state.isTerminated = true
    }
    return [.quit]
  }

  static func draw(_ state: State, on canvas: inout Canvas) {
    canvas.theme = state.theme
    canvas.isASCII = state.isASCII
    let below = canvas.paragraph(state.sentence, x: 1, y: 1)
    canvas.text("Esc lists the clubs.", x: 1, y: below, style: canvas[.dim], width: max(0, canvas.size.width - 2))
  }
}

struct OpeningPerformer: EffectPerformer {
  let open: @Sendable (_ tell: @escaping @Sendable (String) -> Void) async -> Result<PreparedClub, StoreError>

  @concurrent
  func perform(_ effect: OpeningScreen.Effect, _ sender: Sender<OpeningScreen.Action>) async {
    sender.send(.ended(await open { sender.send(.reported($0)) }))
  }
}
