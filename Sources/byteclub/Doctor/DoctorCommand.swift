import ArgumentParser
import FileStores

/// `byteclub doctor`.
struct DoctorCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look at versions, paths, terminal and club, and say what to do about what is wrong.",
    discussion: Examples.text(["byteclub doctor": "exit code 1 when something is wrong"])
      + "\n\nNothing is changed, but for making byteclub's own directories.")

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
      answer.notices = ["All is well."]
    }
    return answer
  }
}
