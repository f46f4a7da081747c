import Basics
import FileStores
import POSIX

enum ConfigFile {
  static let largestBytes = 1 << 20

  /// nil if there is no file.
  /// - Throws: if the file is unreadable, or was named explicitly and is missing.
  static func read(_ paths: Paths) throws(ConfigFault) -> [UInt8]? {
    let file = "The config file \(paths.abbreviating(paths.configFile))"
    if let bytes = try read(paths.configFile, file) { return bytes }
    guard !paths.configIsNamed else {
      throw ConfigFault("\(file) does not exist. Check its name, or leave out --config.")
    }
    return nil
  }

  /// One of the member's own; nil if there is none.
  static func theme(_ name: String, _ paths: Paths) throws(ConfigFault) -> [UInt8]? {
    let path = "\(paths.themes)/\(name).json"
    return try read(path, "The theme \(paths.abbreviating(path))")
  }

  private static func read(_ path: String, _ file: String) throws(ConfigFault) -> [UInt8]? {
    let (isRegular, bytes): (Bool, [UInt8]?)
    do throws(SystemError) {
      let file = try OpenFile(reading: path)
      isRegular = try file.facts().isRegular
      bytes = isRegular ? try file.readAll(limit: largestBytes) : nil
    } catch {
      guard error.code != ENOENT, error.code != ENOTDIR else { return nil }
      throw ConfigFault("\(file) cannot be read: \(SystemError.text(error.code)).")
    }
    guard isRegular else { throw ConfigFault("\(file) is not a regular file.") }
    guard let bytes else { throw ConfigFault("\(file) is larger than 1 MiB. Check its name.") }
    return bytes
  }
}

/// A wrong setting on the command line, in a variable or in the config; the exit code is that of wrong usage.
struct ConfigFault: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description.withoutAddressPasswords }

  /// Runs `body`, and throws its fault as `badInput`.
  static func asStoreError<Value>(_ body: () throws(ConfigFault) -> Value) throws(StoreError) -> Value {
    do throws(ConfigFault) {
      return try body()
    } catch {
      throw StoreError(.badInput, error.description)
    }
  }
}

/// In increasing precedence.
enum ConfigOrigin: Sendable, Equatable {
  case builtIn
  case file(line: Int)
  case dropIn(String, line: Int)
  case variable(String)
  case flag(String)

  /// For `config show`.
  var spoken: String {
    switch self {
    case .builtIn: "default"
    case .file(let line): "file, line \(line)"
    case .dropIn(let place, let line): "\(place), line \(line)"
    case .variable(let name): name
    case .flag(let name): name
    }
  }

  /// For `--json`.
  var word: String {
    switch self {
    case .builtIn: "default"
    case .file: "file"
    case .dropIn: "dropIn"
    case .variable: "env"
    case .flag: "flag"
    }
  }
}

struct ConfigReport: Sendable {
  /// Wrong settings count as unset.
  var config = Config()
  /// Harmless oddities, as sentences.
  var warnings: [String] = []
  /// Sentences with the place, the value found, and the allowed values.
  var faults: [String] = []
  var hasFile = false
  /// Sentences about drop-ins that are left out, by club. All other clubs work.
  var brokenDropIns: [(club: String, fault: String)] = []
  /// The clubs of drop-ins that are used.
  var dropInClubs: Set<String> = []
  /// The places from which clubs of drop-ins moved, by club.
  var formerPlaces: [String: String] = [:]

  /// The member's header fields, which may be secret, go to no server but those of the clubs that the member wrote into
  /// the config: the address of a drop-in came with an invitation.
  /// - Parameter club: nil for one that the config does not have.
  func network(of club: String?) -> NetworkSettings {
    var network = config.network
    if club.map(dropInClubs.contains) ?? true { network.headers = [] }
    return network
  }

  var hasDropIns: Bool { !brokenDropIns.isEmpty || !dropInClubs.isEmpty }

  /// - Throws: all faults, a line each.
  func checked() throws(ConfigFault) -> Config {
    guard faults.isEmpty else { throw ConfigFault(faults.joined(separator: "\n")) }
    return config
  }
}
