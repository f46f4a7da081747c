import JSON

/// Brings the settings together: flag before variable before file before default.
struct ConfigReader {
  private let table: SettingTable
  private var report = ConfigReport()
  private var place = ""

  private init(_ table: SettingTable) {
    self.table = table
  }

  /// Reads everything. `file` is the config file's bytes, nil when there is none; `place` is its name for messages;
  /// `flags` are what the command line said, by flag name.
  static func read(
    _ table: SettingTable, file: [UInt8]?, place: String, environment: Environment, flags: [String: String] = [:]
  ) -> ConfigReport {
    var reader = ConfigReader(table)
    reader.place = place
    for setting in table.settings where !setting.isPattern {
      if let value = setting.fallback { reader.report.config.set(setting.key, value, .builtIn) }
    }
    if let file {
      reader.report.hasFile = true
      reader.take(file)
    }
    reader.completeClubs()
    for setting in table.settings {
      if let variable = setting.variable, let text = environment[variable] {
        reader.take(text, of: setting, .variable(variable))
      }
      if let flag = setting.flag, let text = flags[flag] { reader.take(text, of: setting, .flag(flag)) }
    }
    reader.report.config.sort(by: table)
    return reader.report
  }

  private mutating func take(_ file: [UInt8]) {
    do {
      var options = JSONReader.Options()
      options.keepsPlaces = true
      options.takesByteOrderMark = true
      guard case .object(let members) = try JSONReader.read(file, options) else {
        report.faults.append("\(place): the config must be an object in braces.")
        return
      }
      take(members, below: [])
    } catch {
      report.faults.append("\(place), line \(error.place.line): this is no JSON: \(error.reason).")
    }
  }

  private mutating func take(_ members: [JSONMember], below path: [String]) {
    var seen: Set<String> = []
    for member in members {
      let here = path + [member.key]
      let key = here.joined(separator: ".")
      if !seen.insert(member.key).inserted {
        report.warnings.append("\(place), line \(member.line): \"\(key)\" appears twice; the last one counts.")
      }
      let known = table.children(of: path)
      if let known, !known.contains(member.key) {
        warnUnknown(key, member.key, path, known, line: member.line)
      } else if path == ["network", "headers"], let reason = NetworkSettings.fault(inName: member.key) {
        report.faults.append(
          "\(place), line \(member.line): \"\(key)\" cannot be: \"\(member.key)\" \(reason).")
      } else if let setting = table.setting(here) {
        take(member, of: setting, here)
      } else if case .object(let inner) = member.value {
        if path == ["clubs"] { addClub(member.key, line: member.line) }
        take(inner, below: here)
      } else {
        complain(key, member, allowed: "an object in braces")
      }
    }
  }

  private mutating func take(_ member: JSONMember, of setting: Setting, _ path: [String]) {
    let key = path.joined(separator: ".")
    guard let value = setting.value(of: member.value) else {
      complain(key, member, allowed: setting.allowed)
      return
    }
    guard case .keys(let words) = value else {
      report.config.set(key, value, .file(line: member.line))
      return
    }
    if let odd = words.first(where: { !table.keys.understands($0) }) {
      report.faults.append(
        "\(place), line \(member.line): \"\(key)\" has the key \"\(odd)\", which byteclub does not know. Keys are "
          + "written like \"n\", \"Ctrl-N\", \"Alt-B\", \"F1\", \"Enter\" or \"PgDn\".")
    } else {
      report.config.setKeys(path[1...].joined(separator: "."), words, .file(line: member.line))
    }
  }

  private mutating func take(_ text: String, of setting: Setting, _ origin: ConfigOrigin) {
    if let value = setting.value(ofText: text) {
      report.config.set(setting.key, value, origin)
    } else {
      report.faults.append("\(origin.spoken) is \"\(text)\"; it must be \(setting.allowed).")
    }
  }

  private mutating func addClub(_ name: String, line: Int) {
    guard !name.isEmpty, !name.contains(".") else {
      report.faults.append("\(place), line \(line): \"\(name)\" cannot be a club's name; leave out dots.")
      return
    }
    report.config.addClub(name)
  }

  private mutating func completeClubs() {
    for name in report.config.clubNames {
      if report.config.text("clubs.\(name).store") == nil {
        report.config.set("clubs.\(name).store", .text("folder"), .builtIn)
      }
      let key = "clubs.\(name).path"
      if report.config.text("clubs.\(name).store") == "folder", report.config.text(key) == nil,
        !report.faults.contains(where: { $0.contains("\"\(key)\"") })
      {
        report.faults.append("\(place): the club \"\(name)\" has no \"path\"; say in which directory it is.")
      }
    }
    guard report.config.clubNames.isEmpty else { return }
    report.config.addClub("home")
    report.config.set("clubs.home.store", .text("folder"), .builtIn)
    report.config.set("clubs.home.path", .text("~/ByteClub"), .builtIn)
  }

  private mutating func complain(_ key: String, _ member: JSONMember, allowed: String) {
    report.faults.append("\(place), line \(member.line): \"\(key)\" is \(member.value.spoken); it must be \(allowed).")
  }

  private mutating func warnUnknown(_ key: String, _ word: String, _ path: [String], _ known: [String], line: Int) {
    var sentence = "\(place), line \(line): there is no setting \"\(key)\"; it is left out of account."
    let everywhere = table.settings.map(\.key)
    if let near = NearestWord.to(word, in: known) {
      sentence += " Did you mean \"\((path + [near]).joined(separator: "."))\"?"
    } else if let near = everywhere.first(where: { $0.split(separator: ".").last.map(String.init) == word }) {
      sentence += " Did you mean \"\(near)\"?"
    }
    report.warnings.append(sentence)
  }
}

extension JSONMember {
  /// Where it begins.
  fileprivate var line: Int { place?.line ?? 1 }
}
