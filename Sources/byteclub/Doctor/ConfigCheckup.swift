/// Whether the settings are right.
enum ConfigCheckup {
  /// The config file, and each thing that is odd or wrong.
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
