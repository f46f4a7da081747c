import JSON
import TextUI

/// A theme in a file of its own: an object with a `base` (dark, light or plain) and colours for hues and roles. The files
/// in `Themes` come with byteclub; a member's own are in `themes` beside the config, and go before these.
enum ThemeFile {
  static let example = ##"{"base": "dark", "accent": "#7AA2F7"}"##
  static let usual = ["auto"] + Theme.Base.allCases.map(\.rawValue)
  static let builtIn = [
    "dracula": PackageResources.dracula_json, "everforest": PackageResources.everforest_json,
    "github-light": PackageResources.github_light_json, "gruvbox": PackageResources.gruvbox_json,
    "gruvbox-light": PackageResources.gruvbox_light_json, "nord": PackageResources.nord_json,
    "rose-pine": PackageResources.rose_pine_json, "tokyo-night": PackageResources.tokyo_night_json,
  ]

  /// The first member that is neither a base nor the colour of a hue or a role.
  static func wrong(in members: [JSONMember]) -> JSONMember? {
    members.first { member in
      guard let text = member.value.text else { return true }
      guard member.key != "base" else { return !DropIn.isName(text) }
      return HexColor.value(text) == nil || Role(name: member.key) == nil && Hue(rawValue: member.key) == nil
    }
  }

  /// The allowed value in place of a wrong member, as the end of a sentence.
  static func allowed(_ wrong: JSONMember) -> String {
    let names = Hue.allCases.map(\.rawValue) + Role.allCases.map(\.name)
    if wrong.key == "base" { return "the name of a theme" }
    if names.contains(wrong.key) { return "a colour such as \"#7AA2F7\"" }
    let near = NearestWord.to(wrong.key, in: names).map { ", such as \"\($0)\"" } ?? ""
    return "the colour of a hue or a role\(near); \"man byteclub\" lists them"
  }

  static func colors(of members: [JSONMember]) -> SettingValue {
    .colors(members.reduce(into: [:]) { $0[$1.key] = $1.value.text })
  }
}

extension ThemeChoice {
  /// Colours by the names of hues and roles.
  mutating func take(_ colors: [String: String]) {
    for (name, color) in colors {
      if let role = Role(name: name) { overrides[role] = HexColor.value(color) }
      if let hue = Hue(rawValue: name) { hues[hue] = HexColor.value(color) }
    }
  }
}

extension ConfigReader {
  /// Reads the theme that the settings name, unless the program draws it without a file.
  mutating func takeTheme(_ own: (String) throws(ConfigFault) -> [UInt8]?) {
    let key = "ui.theme"
    guard let name = report.config.themeName, !ThemeFile.usual.contains(name) else { return }
    do throws(ConfigFault) {
      if let bytes = try own(name) {
        report.config.namedTheme = theme(bytes, "themes/\(name).json")
      } else if let bytes = ThemeFile.builtIn[name] {
        report.config.namedTheme = theme(bytes, name)
      } else {
        var origin = report.config.origin(of: key)?.spoken ?? key
        if case .file(let line) = report.config.origin(of: key) { origin = "\(place), line \(line): \"\(key)\"" }
        let known = Setting.spoken((ThemeFile.usual + ThemeFile.builtIn.keys.sorted()).map { "\"\($0)\"" })
        report.faults.append(
          "\(origin) names the theme \"\(name)\", which is not there. It must be \(known), or a file of yours, "
            + "themes/\(name).json beside the config.")
      }
    } catch {
      report.faults.append(error.description)
    }
  }

  private mutating func theme(_ bytes: [UInt8], _ place: String) -> ThemeChoice? {
    var reader = ConfigReader(table, place: place)
    defer { report.faults += reader.report.faults }
    guard let members = reader.members(of: bytes) else { return nil }
    let base = members.last { $0.key == "base" }?.value.text
    if let wrong = ThemeFile.wrong(in: members) {
      reader.complain(wrong.key, wrong, allowed: ThemeFile.allowed(wrong))
      return nil
    }
    guard let base, let base = Theme.Base(rawValue: base) else {
      reader.report.faults.append(
        "\(place): \"base\" must be \(Setting.spoken(Theme.Base.allCases.map { "\"\($0)\"" })).")
      return nil
    }
    var choice = ThemeChoice(base)
    if case .colors(let colors) = ThemeFile.colors(of: members) { choice.take(colors) }
    return choice
  }
}
