import Backends
import JSON

/// Merges the settings: flag before variable before file before default.
struct ConfigReader {
  let table: SettingTable
  var report = ConfigReport()
  let place: String
  private let isDropIn: Bool

  init(_ table: SettingTable, place: String, isDropIn: Bool = false) {
    (self.table, self.place, self.isDropIn) = (table, place, isDropIn)
  }

  /// `place` is the file's name for messages; `flags` are by flag name. `hasHome` is true if the usual club's directory
  /// is there. `theme` reads a theme of the member's own by its name.
  static func read(
    _ table: SettingTable, file: [UInt8]?, place: String, dropIns: [DropIn] = [], hasHome: Bool = false,
    environment: Environment, flags: [String: String] = [:],
    theme: (String) throws(ConfigFault) -> [UInt8]? = { _ in nil }
  ) -> ConfigReport {
    var reader = ConfigReader(table, place: place)
    for setting in table.settings where !setting.isPattern {
      if let value = setting.fallback { reader.report.config.set(setting.key, value, .builtIn) }
    }
    if let file {
      reader.report.hasFile = true
      if let members = reader.members(of: file) { reader.take(members, below: []) }
    }
    reader.completeClubs()
    if reader.report.config.clubNames.isEmpty, hasHome || dropIns.isEmpty { reader.addHome() }
    reader.take(dropIns)
    for setting in table.settings {
      if let variable = setting.variable, let text = environment[variable] {
        reader.take(text, of: setting, .variable(variable))
      }
      if let flag = setting.flag, let text = flags[flag] { reader.take(text, of: setting, .flag(flag)) }
    }
    reader.takeTheme(theme)
    reader.warnOfVariables(environment)
    reader.report.config.sort(by: table)
    return reader.report
  }

  /// nil, with a fault, for anything but an object.
  mutating func members(of file: [UInt8]) -> [JSONMember]? {
    do {
      var options = JSONReader.Options()
      options.keepsPlaces = true
      options.takesByteOrderMark = true
      if case .object(let members) = try JSONReader.read(file, options) { return members }
      report.faults.append("\(place): the config must be an object in braces.")
    } catch {
      report.faults.append("\(place), line \(error.place.line): not valid JSON: \(error.reason).")
    }
    return nil
  }

  mutating func take(_ members: [JSONMember], below path: [String], store: String? = nil) {
    var seen: Set<String> = []
    let known = table.children(of: path, store: store)
    for member in members {
      let here = path + [member.key]
      let key = here.joined(separator: ".")
      if !seen.insert(member.key).inserted {
        report.warnings.append("\(place), line \(member.line): \"\(key)\" appears twice; the last value is used.")
      }
      if let known, !known.contains(member.key) {
        warnUnknown(key, member, path, known, store: store)
      } else if path == ["network", "headers"], let reason = NetworkSettings.fault(inName: member.key) {
        report.faults.append(
          "\(place), line \(member.line): \"\(key)\" cannot be: \"\(member.key)\" \(reason).")
      } else if let setting = table.setting(here, store: store) {
        take(member, of: setting, here)
      } else if case .object(let inner) = member.value {
        if path == ["clubs"] { addClub(member.key, line: member.line) }
        take(inner, below: here, store: path == ["clubs"] ? self.store(inner) : nil)
      } else {
        complain(key, member, allowed: "an object in braces")
      }
    }
  }

  private mutating func take(_ member: JSONMember, of setting: Setting, _ path: [String]) {
    let key = path.joined(separator: ".")
    guard let value = setting.value(of: member.value) else {
      if setting.kind == .theme, case .object(let members) = member.value, let wrong = ThemeFile.wrong(in: members) {
        complain("\(key).\(wrong.key)", wrong, allowed: ThemeFile.allowed(wrong))
      } else {
        complain(key, member, allowed: setting.allowed)
      }
      return
    }
    guard case .keys(let words) = value else {
      report.config.set(key, value, isDropIn ? .dropIn(place, line: member.line) : .file(line: member.line))
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

  /// The default kind if none is set; nil for an unknown kind.
  func store(_ club: [JSONMember]) -> String? {
    guard let said = club.last(where: { $0.key == "store" })?.value else { return table.stores.kinds[0].name }
    return table.stores.names.first { .string($0) == said }
  }

  mutating func completeClubs() {
    for name in report.config.clubNames {
      let key = "clubs.\(name).store"
      let isWrong = report.faults.contains { $0.contains("\"\(key)\"") }
      if report.config.storeKind(of: name) == nil {
        report.config.set(key, .text(table.stores.kinds[0].name), .builtIn)
      }
      let kind = table.stores.kinds.first { $0.name == report.config.storeKind(of: name) }
      // An unknown kind has its own fault, and unknown required settings.
      if let kind, !isWrong { demandSettings(of: kind, for: name) }
    }
  }

  /// The club of a member without clubs in the config.
  private mutating func addHome() {
    let home = table.stores.directory("~/ByteClub")
    report.config.addClub("home")
    report.config.set("clubs.home.store", .text(home.kind), .builtIn)
    for (key, value) in home.options { report.config.set("clubs.home.\(key)", .text(value), .builtIn) }
  }

  private mutating func demandSettings(of kind: any StoreKind, for club: String) {
    for setting in kind.settings {
      let key = "clubs.\(club).\(setting.key)"
      guard let demand = setting.required, report.config.text(key) == nil, report.config.program(key) == nil,
        !report.faults.contains(where: { $0.contains("\"\(key)\"") })
      else { continue }
      report.faults.append("\(place): the club \"\(club)\" has no \"\(setting.key)\"; \(demand).")
    }
  }

  mutating func complain(_ key: String, _ member: JSONMember, allowed: String) {
    report.faults.append("\(place), line \(member.line): \"\(key)\" is \(member.value.spoken); it must be \(allowed).")
  }

  /// Unknown variables with byteclub's prefix, except those of its scripts and its demo.
  private mutating func warnOfVariables(_ environment: Environment) {
    let known = table.settings.compactMap(\.variable) + ["BYTECLUB_CONFIG", Environment.tokenVariable]
    let others = ["BYTECLUB_TEST_BINARY", "BYTECLUB_SKIP_PACKAGES", Demo.variable]
    for name in environment.names where name.hasPrefix("BYTECLUB_") && !(known + others).contains(name) {
      // The common prefix would make all names look near.
      let words = known.map { String($0.dropFirst("BYTECLUB_".count)) }
      let near =
        NearestWord.to(String(name.dropFirst("BYTECLUB_".count)), in: words)
        .map { " Did you mean BYTECLUB_\($0)?" } ?? ""
      report.warnings.append("byteclub does not know the variable \(name), and ignores it.\(near)")
    }
  }

  private mutating func warnUnknown(
    _ key: String, _ member: JSONMember, _ path: [String], _ known: [String], store: String?
  ) {
    let other = store.flatMap { _ in table.setting(path + [member.key]) }
    let whose = other == nil ? "" : " for a club whose store is \"\(store ?? "")\""
    var sentence =
      "\(place), line \(member.line): byteclub does not know the setting \"\(key)\"\(whose), and ignores it."
    let everywhere = table.settings.map(\.key)
    if let near = NearestWord.to(member.key, in: known) {
      sentence += " Did you mean \"\((path + [near]).joined(separator: "."))\"?"
    } else if let near = everywhere.first(where: { $0.split(separator: ".").last.map(String.init) == member.key }),
      other == nil
    {
      sentence += " Did you mean \"\(near)\"?"
    }
    report.warnings.append(sentence)
  }
}

extension JSONMember {
  var line: Int { place?.line ?? 1 }
}
