public import Basics
public import FileStores
internal import JSON

/// The answers of a self-test of one club's server: a small value, kept on this machine.
public struct ServerFindings: Sendable, Hashable {
  public struct Answer: Sendable, Hashable {
    /// Such as `create`.
    public let name: String
    /// Such as `kept`.
    public let value: String

    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  static let mostBytes = 16 << 10
  private static let mostAnswers = 100
  /// A server can be upgraded or set up anew: older findings are a reason to test it again.
  static let freshSeconds: Int64 = 7 * 24 * 3600

  /// The name of the kind of store.
  public let kind: String
  /// The version of the kind's self-test. Findings of another version do not count.
  public let version: Int
  /// The server's own word for itself, such as `Apache/2.4.62`; empty if it has none.
  public let server: String
  public let answers: [Answer]
  /// The time of the test, in seconds since 1970; nil for findings of an earlier byteclub.
  public var tested: Int64?

  public init(kind: String, version: Int, server: String, answers: [Answer]) {
    (self.kind, self.version, self.server, self.answers) = (kind, version, server, answers)
  }

  /// The value of the answer with this name.
  public subscript(name: String) -> String? { answers.first { $0.name == name }?.value }

  /// A short JSON text.
  public var bytes: [UInt8] {
    let words = answers.map { JSONMember($0.name, .string($0.value)) }
    let value: JSONValue = .members([
      "kind": .string(kind), "version": .number(version), "server": .string(server), "answers": .object(words),
      "tested": tested.map { .integer($0) },
    ])
    return Array("\(value.encoded)\n".utf8)
  }

  /// nil for anything that `bytes` would not write.
  public init?(bytes: [UInt8]) {
    guard bytes.count <= ServerFindings.mostBytes, let value = JSONValue.answer(bytes),
      let kind = value["kind"]?.text, let version = value["version"]?.integer.flatMap({ Int(exactly: $0) }),
      let server = value["server"]?.text, case .object(let members)? = value["answers"],
      members.count <= ServerFindings.mostAnswers
    else { return nil }
    var answers: [Answer] = []
    for member in members {
      guard let text = member.value.text else { return nil }
      answers.append(Answer(member.key, text))
    }
    self.init(kind: kind, version: version, server: server, answers: answers)
    tested = value["tested"]?.integer
  }

  /// False if the test was long ago, or seems to be yet to come.
  func isFresh(at now: Int64) -> Bool {
    tested.map { $0 <= now && $0 > now - ServerFindings.freshSeconds } ?? false
  }
}

/// Keeps the findings about one club's server. Calls block for the time of a small file's reading or writing.
public protocol FindingsKeeping: Sendable {
  /// nil if there are none, or none that can be read.
  func kept() -> ServerFindings?
  /// nil forgets: the next test begins anew.
  func keep(_ findings: ServerFindings?) throws(StoreError)
}

/// The self-test of a kind's servers: about twelve small requests on names below `.byteclub/`, which are removed again.
public protocol ServerSelfTest: Sendable {
  /// Raised with each change of the questions.
  var version: Int { get }
  /// Tests the server. The club's folder must exist.
  /// - Throws: `notFound` without the club's folder; `notSignedIn`, `offline` and the like. An answer that is wrong is
  ///   a finding, not an error.
  func run(
    on store: StoreDescription, pool: BlockingPool, network: StoreNetwork
  ) async throws(StoreError) -> ServerFindings
  /// The means by which byteclub keeps the conditions of writes at this server.
  func conditions(_ findings: ServerFindings) -> WriteConditions
  /// Sentences for people about the server, the most important first.
  func sentences(_ findings: ServerFindings) -> [String]
}
