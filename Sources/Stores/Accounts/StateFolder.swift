public import Backends
internal import Basics
public import FileStores
import POSIX

/// Small texts of a club in a folder of the app's state. Calls block.
public struct StateFolder: Sendable {
  private let directory: String
  private let club: String

  /// - Parameter directory: made by the first write.
  /// - Parameter club: the club's place.
  public init(_ directory: String, club: String) {
    self.directory = directory
    self.club = String(SHA256.hexadecimal(of: Array(club.utf8)).prefix(32))
  }

  /// nil if there is no readable text, because a default serves as well.
  public func text(_ name: String) -> String? {
    do throws(StoreError) {
      return try PrivateDirectory(at: directory).read("\(name)-\(club)").map { String(decoding: $0, as: UTF8.self) }
    } catch {
      return nil
    }
  }

  public func write(_ text: String, as name: String) throws(StoreError) {
    try PrivateDirectory(making: directory).write(Array(text.utf8), as: "\(name)-\(club)")
  }
}

/// The findings about a club's server, which all programs of this member use. Calls block.
public struct FindingsFile: FindingsKeeping {
  private static let name = "findings"
  private let files: StateFolder
  private let kind: String
  private let version: Int

  /// nil for a kind without a self-test.
  /// - Parameter state: the directory of the app's state.
  public init?(state: String, _ kind: any StoreKind, _ store: StoreDescription) {
    guard let test = kind.selfTest else { return nil }
    files = StateFolder(state + "/servers", club: "\(kind.name):\(kind.identity(of: store))")
    (self.kind, version) = (kind.name, test.version)
  }

  public func kept() -> ServerFindings? {
    guard let text = files.text(Self.name), let findings = ServerFindings(bytes: Array(text.utf8)),
      findings.kind == kind, findings.version == version
    else { return nil }
    return findings
  }

  public func keep(_ findings: ServerFindings?) throws(StoreError) {
    try files.write(findings.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "", as: Self.name)
  }
}
