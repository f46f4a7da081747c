import CursesTerminal
import POSIX
import TextUI

/// The terminal's answers about pictures, and the protocol that the app chooses by them.
enum PictureCheckup {
  static func findings(_ environment: Environment, _ setting: GraphicsSetting, isASCII: Bool) -> [Finding] {
    guard isatty(0) == 1, isatty(1) == 1 else { return [] }
    let ability = ColorAbility(environment, isTerminal: true)
    let colors: TerminalAbilities.Colors =
      switch ability {
      case .none: .none
      case .sixteen: .sixteen
      case .palette: .palette
      case .trueColor: .trueColor
      }
    let inquiry = GraphicsInquiry(setting, colors: colors, isASCII: isASCII) { environment[$0] }
    return findings(inquiry.decision, inquiry.answers, inquiry.questions)
  }

  static func findings(
    _ decision: GraphicsDecision, _ answers: GraphicsAnswers, _ questions: GraphicsQuestions
  ) -> [Finding] {
    let asked = questions.isAsked ? answers.lines(questions) : []
    return [
      Finding(
        verdict: decision.remedy.isEmpty ? .good : .note, subject: "Pictures",
        found: "\(decision.mode.rawValue). \(decision.reason)", remedy: decision.remedy)
    ]
      + asked.map { line in
        // The answer is foreign text.
        let answer = TerminalText.filtered(line.answer.utf8)
        return Finding(verdict: .good, subject: "  asked", found: "\(line.question): \(answer)")
      }
  }
}
