internal import TextUI
internal import Transfers

extension ClubScreen {
  /// Asks first about running transfers and texts that are not in the club.
  static func quit(_ state: inout ClubState, isSure: Bool = false) -> Commands {
    state.asksAboutTexts = false
    if !isSure, let question = textsQuestion(state) {
      state.question = question
      state.asksAboutTexts = true
      return []
    }
    guard state.underway > 0 else { return [.quit] }
    return [.run(.transfers(.askToLeave), key: "transfers.leave")]
  }

  static func askToLeave(_ state: inout ClubState, isElsewhere: Bool, canGoOn: Bool) -> Commands {
    let count = state.underway
    // Files that are being checked belong to no other process yet.
    guard count > 0, !isElsewhere || state.photos.preparing > 0 else {
      if count > 0 { state.farewell = "\(words(count)) running in the background." }
      return [.quit]
    }
    // A question that came in the middle of a word would take its letters for an answer.
    guard !state.shown.takesText, state.line == nil else {
      state.frame.say("\(words(count)) under way. \(state.frame.keys.name(of: .quit)) quits.")
      return []
    }
    ask(&state, canGoOn: canGoOn)
    return []
  }

  private static func ask(_ state: inout ClubState, canGoOn: Bool) {
    let count = state.underway
    state.leavingQuestion = ClubState.LeavingQuestion(canGoOn: canGoOn, count: count)
    var answers: [Question<ClubAction>.Answer] = [
      .init("w", "wait", .leave(.whenDone)), .init("p", "pause", .leave(.pausing)),
    ]
    if canGoOn { answers.append(.init("b", "background", .leave(.inBackground))) }
    answers += [.init("c", "cancel", .leave(.cancelling)), .init(Key(.escape), "stay", nil)]
    state.question = Question("\(words(count)) under way. Quit?", answers: answers)
  }

  private static func words(_ count: Int) -> String { count == 1 ? "A transfer is" : "\(count) transfers are" }

  static func leave(_ leaving: ClubState.Leaving, _ state: inout ClubState) -> Commands {
    (state.question, state.leavingQuestion) = (nil, nil)
    state.leaving = leaving
    if leaving.isWaiting { state.frame.notice = nil }
    return []
  }

  /// Updates the question and the notice about quitting, and quits as soon as possible.
  static func followLeaving(_ state: inout ClubState) -> Commands {
    if state.asksAboutTexts, state.question != nil {
      state.question = textsQuestion(state)
      if state.question == nil {
        state.frame.say("All texts are safe now. \(state.frame.keys.name(of: .quit)) quits.")
      }
    }
    state.asksAboutTexts = state.asksAboutTexts && state.question != nil
    if let question = state.leavingQuestion, question.count != state.underway {
      if state.underway > 0 {
        ask(&state, canGoOn: question.canGoOn)
      } else {
        (state.question, state.leavingQuestion, state.leaving) = (nil, nil, nil)
        state.frame.say("The transfers have finished. \(state.frame.keys.name(of: .quit)) quits.")
      }
    }
    let commands = advanceLeaving(&state)
    if let leaving = state.leaving, leaving.isWaiting, state.frame.notice == nil {
      state.frame.say(notice(leaving, state.underway))
    }
    return commands
  }

  private static func notice(_ leaving: ClubState.Leaving, _ count: Int) -> String {
    let what = count == 1 ? "transfer is" : "\(count) transfers are"
    return leaving == .whenDone
      ? "byteclub quits when the \(what) done. Esc stays." : "byteclub quits when the \(what) cancelled. Esc stays."
  }

  /// Waits while a file is being checked.
  private static func advanceLeaving(_ state: inout ClubState) -> Commands {
    guard state.photos.preparing == 0, let leaving = state.leaving else { return [] }
    switch leaving {
    case .whenDone, .whenCancelled: return state.transfers.underway == 0 ? [.quit] : []
    case .cancelling:
      state.leaving = .whenCancelled
      guard state.transfers.underway > 0 else { return [.quit] }
      return outer(TransfersScreen.say(state.transfers.underwayIDs.map { .cancel($0) }))
    case .pausing, .inBackground:
      state.leaving = .asked
      return [.run(.transfers(leaving == .pausing ? .pauseAndLeave : .goOnInBackground))]
    case .asked: return []
    }
  }
}

extension ClubScreen {
  /// nil if the club has all saved texts.
  static func textsQuestion(_ state: ClubState) -> Question<ClubAction>? {
    let stay = Question<ClubAction>.Answer(Key(.escape), "stay", nil)
    if state.notes.mayLoseText {
      return Question(
        "A text is not saved and cannot be kept here. Quit?", answers: [.init("q", "quit", .leaveTexts), stay])
    }
    guard let words = state.notes.waitingWords else { return nil }
    let isOne = state.notes.countToSend == 1
    let more =
      state.frame.connection == nil
      ? isOne ? "It is kept here and sent at the next start." : "They are kept here and sent at the next start."
      : "Kept here; the next start sends \(isOne ? "it" : "them")."
    return Question(
      state.frame.size.width < 80 ? "\(words). Quit?" : "\(words). \(more)",
      answers: [.init("s", "send now", .sendTexts), .init("q", "quit", .leaveTexts), stay])
  }
}
