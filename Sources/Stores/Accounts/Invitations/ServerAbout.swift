public import Backends
public import FileStores
import JSON

/// The description of a `byteclub serve`, by itself.
public struct ServerAbout: Sendable, Equatable {
  private static let mostBytes = 1 << 16

  /// Foreign text, at most 40 characters.
  public let version: String
  /// Beyond Dropbox's API.
  public let capabilities: Set<String>

  /// - Returns: nil from an older server, and from one that is not byteclub's.
  /// - Throws: the transport's errors; `server`.
  public static func ask(
    _ service: AccountService, transport: any HTTPTransport
  ) async throws(StoreError) -> ServerAbout? {
    guard !service.isDropbox, service.version == .v2 else { return nil }
    let (response, body) = try await transport.call(
      HTTPRequest(
        .post, "\(service.origin)/2/byteclub/about", headers: ["Content-Type": "application/json"],
        body: .bytes(Array("null".utf8))), limit: mostBytes)
    switch response.status {
    case 200:
      guard let answer = try? JSONReader.read(body), let version = answer["version"]?.text else { return nil }
      return ServerAbout(
        version: String(version.prefix(40)),
        capabilities: Set((answer["capabilities"]?.elements ?? []).compactMap(\.text)))
    // An older byteclub serve answers 400 to a call that it does not know.
    case 400..<500: return nil
    default:
      throw StoreError(
        502...504 ~= response.status ? .offline : .server,
        "\(service.name) does not say its version (status \(response.status)).", remedy: "Try again later.")
    }
  }

  /// Negative if the server is older than a version, positive if it is newer.
  public func age(beside version: String) -> Int {
    func numbers(_ text: String) -> [Int] {
      text.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) ?? 0 }
    }
    var (own, other) = (numbers(self.version), numbers(version))
    own += Array(repeating: 0, count: max(0, other.count - own.count))
    other += Array(repeating: 0, count: max(0, own.count - other.count))
    return own == other ? 0 : own.lexicographicallyPrecedes(other) ? -1 : 1
  }
}
