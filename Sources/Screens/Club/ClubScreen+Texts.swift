internal import TextUI

/// Quitting while texts of the member are not in the club.
extension ClubScreen {
  /// What is asked before quitting; nil when all that was saved is in the club.
  static func textsQuestion(_ state: ClubState) -> Question<ClubAction>? {
    let stay = Question<ClubAction>.Answer(Key(.escape), "stay", nil)
    if state.notes.mayLoseText {
      return Question(
        "A text is not saved and cannot be kept here. Quit?", answers: [.init("q", "quit", .leaveTexts), stay])
    }
    guard let words = state.notes.waitingWords else { return nil }
    let isOne = state.notes.countToSend == 1
    let more = isOne ? "It is kept here and sent at the next start." : "They are kept here and sent at the next start."
    return Question(
      state.frame.size.width < 80 ? "\(words). Quit?" : "\(words). \(more)",
      answers: [.init("s", "send now", .sendTexts), .init("q", "quit", .leaveTexts), stay])
  }
}
