import ArgumentParser
import FileStores
import Imaging
import JSON
import ManualPages
import POSIX

struct DoctorCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check versions, paths, terminal and club, and say how to fix problems.",
    discussion: Examples.text(["byteclub doctor": "exit code 1 when something is wrong"])
      + "\n\nIt makes missing directories of byteclub and changes nothing else.")

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let environment = Environment.process
    var findings = SystemCheckup.findings() + SystemCheckup.colours(areProfiled: Decoder.hasColourProfiles)
    findings += TerminalCheckup.findings(environment)
    do throws(ConfigFault) {
      let paths = try Paths(environment, config: shared.config)
      findings += ConfigCheckup.findings(paths, shared.start, environment)
      findings += ConfigCheckup.pictures(paths, shared.start, environment)
      findings += PathCheckup.findings(paths)
      findings += await ClubCheckup.findings(shared.start, environment, output)
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

struct Finding: Sendable, Equatable {
  enum Verdict: String, Sendable {
    case good
    case note
    case wrong
  }

  let verdict: Verdict
  let subject: String
  let found: String
  var remedy = ""

  var record: Record {
    let mark =
      switch verdict {
      case .good: "  ok    "
      case .note: "  note  "
      case .wrong: "  WRONG "
      }
    let gap = String(repeating: " ", count: max(1, 14 - subject.count))
    var lines = [mark + subject + gap + found]
    if !remedy.isEmpty { lines.append(String(repeating: " ", count: 8 + 14) + "-> " + remedy) }
    return Record(
      .members([
        "verdict": .string(verdict.rawValue), "subject": .string(subject), "found": .string(found),
        "remedy": remedy.isEmpty ? nil : .string(remedy),
      ]),
      lines: lines)
  }
}

enum ConfigCheckup {
  /// Pictures as the config asks for them.
  static func pictures(_ paths: Paths, _ options: StartOptions, _ environment: Environment) -> [Finding] {
    do throws(ConfigFault) {
      let config = try ClubSetup.report(paths, options, environment).config
      return PictureCheckup.findings(environment, config.graphics, isASCII: config.usesASCII(in: environment))
    } catch {
      // The findings about the config have the fault; the app would not start.
      return []
    }
  }

  static func findings(_ paths: Paths, _ options: StartOptions, _ environment: Environment) -> [Finding] {
    let place = paths.abbreviating(paths.configFile)
    do throws(ConfigFault) {
      let report = try ClubSetup.report(paths, options, environment)
      let remedy = "Correct it in \(place); \"byteclub manual | man -l -\" has all settings."
      var findings = report.faults.map {
        Finding(verdict: .wrong, subject: "Config", found: $0, remedy: remedy)
      }
      findings += report.warnings.map { Finding(verdict: .note, subject: "Config", found: $0) }
      findings += SettingTable.clashes(report.config).map {
        Finding(verdict: .note, subject: "Config", found: $0, remedy: remedy)
      }
      if findings.isEmpty {
        let found = report.hasFile ? place : "\(place) does not exist; the defaults apply"
        findings.append(Finding(verdict: .good, subject: "Config", found: found))
      }
      return findings
    } catch {
      return [Finding(verdict: .wrong, subject: "Config", found: error.description)]
    }
  }
}

enum SystemCheckup {
  static func findings() -> [Finding] {
    var system = utsname()
    uname(&system)
    let name = text(&system.sysname), release = text(&system.release), machine = text(&system.machine)
    return [
      Finding(verdict: .good, subject: "byteclub", found: BuildVersion.number),
      Finding(
        verdict: .good, subject: "System",
        found: "\(name) \(release) on \(machine)"),
    ]
  }

  static func colours(areProfiled: Bool) -> [Finding] {
    guard !areProfiled else { return [] }
    return [
      Finding(
        verdict: .note, subject: "Photos",
        found: "shown without their colour profiles: the library liblcms2.so.2 is missing",
        remedy: "Install littleCMS 2 to see their true colours; Debian's package is liblcms2-2.")
    ]
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
