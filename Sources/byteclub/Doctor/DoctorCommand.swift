import ArgumentParser
import FileStores

/// `byteclub doctor`.
struct DoctorCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check versions, paths, terminal and club, and say how to fix problems.",
    discussion: Examples.text(["byteclub doctor": "exit code 1 when something is wrong"])
      + "\n\nIt makes missing directories of byteclub and changes nothing else.")

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let environment = Environment.process
    var findings = SystemCheckup.findings() + TerminalCheckup.findings(environment)
    do throws(ConfigFault) {
      let paths = try Paths(environment, config: shared.config)
      findings += ConfigCheckup.findings(paths, shared.start, environment)
      findings += PathCheckup.findings(paths)
      findings += await ClubCheckup.findings(shared.start, environment)
    } catch {
      findings.append(Finding(verdict: .wrong, subject: "Paths", found: error.description))
    }
    var answer = Answer(findings.map(\.record))
    let wrong = findings.filter { $0.verdict == .wrong }.count
    if wrong > 0 {
      let sentence = wrong == 1 ? "One thing is wrong." : "\(wrong) things are wrong."
      answer.badNews = StoreError(.badInput, sentence)
    } else {
      let hasNotes = findings.contains { $0.verdict == .note }
      answer.notices = [hasNotes ? "Nothing is wrong. Read the notes above." : "No problems found."]
    }
    return answer
  }
}
