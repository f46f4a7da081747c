internal import TextUI

extension ClubsScreen {
  static func run(_ command: CommandID, _ state: inout ClubsState) -> Commands {
    switch command {
    case .help:
      let places = state.view.places + [.everywhere]
      var table = HelpTable(
        HelpSections.of(places, state.frame.keys) { [view = state.view] in
          $0.place != .everywhere || works($0.id, in: view)
        })
      table.resize(bodySize(of: state.frame))
      state.help = table
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .close, .clubFormCancel, .quit, .interrupt: return back(command, &state)
    default: return follow(state.view.take(.command(command), state.frame), &state)
    }
    return []
  }

  /// Stops waiting for an answer, else leaves the view. Only the quit key quits, and Ctrl-C after a question.
  private static func back(_ command: CommandID, _ state: inout ClubsState) -> Commands {
    if state.view.isAsking {
      guard state.view.stop() else {
        state.frame.say("byteclub is writing the club. Wait a moment.")
        return []
      }
      return state.stop([.call, .check])
    }
    if state.isHome {
      if command == .quit { return end(.quit, &state) }
      if command == .interrupt {
        state.question = Question(
          "Quit byteclub?", answers: [.init("y", "quit", .quitAgreed), .init("n", "stay", nil)])
        return []
      }
    }
    return leave(&state)
  }

  private static func leave(_ state: inout ClubsState) -> Commands {
    if let form = state.view as? PlaceFormView { state.keptForms[form.form.kind] = form.filled }
    if let invitation = state.view as? InvitationView { state.keptLine = invitation.line }
    if let view = state.below.popLast() {
      state.view = view
    } else if state.current != nil {
      return end(.back, &state)
    } else if state.view.isHome {
      state.frame.say("Press \(state.frame.keys.name(of: .quit)) to quit.")
      return []
    } else {
      return follow([.showOverList(ClubsList(current: nil))], &state)
    }
    return state.stop([.call, .check, .wait, .qr])
  }

  static func end(_ outcome: ClubsOutcome, _ state: inout ClubsState) -> Commands {
    state.outcome = outcome
    return [.quit]
  }

  static func take(_ answer: ClubsAnswer, to effect: ClubsEffect, _ state: inout ClubsState) -> Commands {
    guard state.expects(effect, isLast: answer.isLast) else { return [] }
    if case .add(let form) = effect.call { state.keptForms[form.kind] = nil }
    // The list lies below all other views.
    if effect.call.kind == .list, !state.below.isEmpty { return follow(state.below[0].answered(answer), &state) }
    return follow(state.view.answered(answer), &state)
  }

  static func follow(_ steps: [ClubsStep], _ state: inout ClubsState) -> Commands {
    var commands: Commands = []
    for step in steps { commands += follow(step, &state) }
    return commands
  }

  private static func follow(_ step: ClubsStep, _ state: inout ClubsState) -> Commands {
    switch step {
    case .ask(let call): return state.ask(call)
    case .stop(let kind): return state.stop([kind])
    case .show(let view):
      state.below.append(state.view)
      state.view = view
      return follow(state.view.begin(), &state)
    case .showOverList(let view):
      let stopped = state.stop(ClubsCall.Kind.allCases)
      var list = view as? ClubsList ?? ClubsList(current: state.current)
      let begun = list.begin()
      state.below = []
      state.view = list
      return stopped + follow(begun + (view is ClubsList ? [] : [.show(view)]), &state)
    case .showPlaces:
      return follow(.show(PlacesView(forms: state.forms, offersThisMachine: state.offersThisMachine)), &state)
    case .showForm(let form):
      return follow(.show(PlaceFormView(state.keptForms[form.kind] ?? form)), &state)
    case .showInvitation: return follow(.show(InvitationView(state.keptLine)), &state)
    case .question(let text, let yes):
      state.question = Question(
        "", naming: text, showsWholeName: true, answers: [.init("y", yes, .agreed), .init("n", "no", nil)])
    case .say(let text): state.frame.say(text)
    case .copy(let text): return [.copy(text)]
    case .end(let outcome): return end(outcome, &state)
    }
    return []
  }
}
