internal import TextUI
internal import Transfers

extension ClubScreen {
  static func quit(_ state: inout ClubState) -> Commands { leave(to: nil, &state) }

  /// Asks first about texts that are not in the club. Whoever quits (a nil `next`) is asked about running transfers, too;
  /// beside another club they go on.
  static func leave(to next: Departure?, _ state: inout ClubState, isSure: Bool = false) -> Commands {
    if next != nil {
      // The transfers are being stopped, which nothing takes back.
      guard state.leaving != .asked else {
        state.frame.say("byteclub is about to quit.")
        return []
      }
      state.leaving = nil
    }
    (state.next, state.asksAboutTexts) = (next, false)
    if !isSure, let question = textsQuestion(state) {
      state.question = question
      state.asksAboutTexts = true
      return []
    }
    if next == nil {
      return state.underway == 0 ? [.quit] : [.run(.transfers(.askToLeave), key: "transfers.leave")]
    }
    // A file that is being checked is no transfer yet.
    guard state.photos.preparing == 0 else {
      state.next = nil
      state.frame.say("byteclub is checking a file for its transfer. Leave the club in a moment.")
      return []
    }
    return [.quit]
  }

  static func change(to club: String, _ state: inout ClubState) -> Commands {
    guard club != state.transfers.club else {
      state.frame.say("The club \"\(club)\" is open.")
      return []
    }
    guard state.clubs.contains(club) else {
      let key = state.frame.keys.name(of: .clubs)
      state.frame.complain("There is no club \"\(club)\" on this machine. \(key) lists the clubs.")
      return []
    }
    return leave(to: .club(club), &state)
  }

  static func signIn(_ state: inout ClubState) -> Commands {
    guard state.frame.canSignIn else {
      state.frame.say("byteclub keeps no sign-in for this club.")
      return []
    }
    return leave(to: .clubs(.signIn(club: state.transfers.club)), &state)
  }

  static func askToLeave(_ state: inout ClubState, isElsewhere: Bool, canGoOn: Bool) -> Commands {
    let count = state.underway
    // Files that are being checked belong to no other process yet.
    guard count > 0, !isElsewhere || state.photos.preparing > 0 else {
      if count > 0 { state.farewell = "\(words(count)) running in the background." }
      return [.quit]
    }
    // A question that came in the middle of a word would take its letters for an answer.
    guard !state.takesText, state.line == nil else {
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
        let quits = state.next == nil ? " \(state.frame.keys.name(of: .quit)) quits." : ""
        state.frame.say("All texts are safe now.\(quits)")
        state.next = nil
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
    let quits = state.next == nil
    let leave = Question<ClubAction>.Answer(quits ? "q" : "l", quits ? "quit" : "leave", .leaveTexts)
    let ask = quits ? "Quit?" : "Leave the club?"
    if state.notes.mayLoseText {
      return Question("A text is not saved and cannot be kept here. \(ask)", answers: [leave, stay])
    }
    guard let words = state.notes.waitingWords, state.next?.isForSignIn != true else { return nil }
    let isOne = state.notes.countToSend == 1
    let time = quits ? "at the next start" : "when you come back"
    let more =
      state.frame.connection == nil
      ? isOne ? "It is kept here and sent \(time)." : "They are kept here and sent \(time)."
      : quits ? "Kept here; the next start sends \(isOne ? "it" : "them")." : "Kept here; sent \(time)."
    return Question(
      state.frame.size.width < 80 ? "\(words). \(ask)" : "\(words). \(more)",
      answers: [.init("s", "send now", .sendTexts), leave, stay])
  }
}
