internal import FileStores

/// The abilities of one server, from the findings of its self-test.
struct S3Features: Sendable, Hashable {
  /// The answer of a server to a condition.
  enum Answer: String, Sendable {
    case kept
    /// `If-Match` is compared without the quotes of the ETag (Ceph 16).
    case unquoted
    /// The server answers success and writes all the same.
    case ignored
    /// The server refuses requests with this condition.
    case refused
  }

  var create = Answer.ignored
  var replace = Answer.ignored
  var completeCreate = Answer.ignored
  var completeReplace = Answer.ignored
  var delete = Answer.ignored
  var copyTarget = Answer.ignored
  var isVersioned = false
  /// True if the server refuses a body that has another hash than the request says.
  var comparesBodies = false

  init(_ findings: ServerFindings) {
    func answer(_ name: String) -> Answer { findings[name].flatMap(Answer.init(rawValue:)) ?? .ignored }
    (create, replace) = (answer("create"), answer("replace"))
    (completeCreate, completeReplace) = (answer("completeCreate"), answer("completeReplace"))
    (delete, copyTarget) = (answer("delete"), answer("copyTarget"))
    isVersioned = findings["versions"] == "yes"
    comparesBodies = answer("body") == .kept
  }

  var conditions: WriteConditions {
    create == .kept && (replace == .kept || replace == .unquoted) ? .kept : .none
  }

  /// True if empty objects reserve names: a copy or the end of an upload has no condition, or a move leaves a mark.
  var needsReservations: Bool {
    isVersioned || create == .kept && (copyTarget != .kept || completeCreate != .kept)
  }

  /// The header of a condition; nil if the server does not keep it.
  static func header(_ answer: Answer, ifMatch etag: String) -> (String, String)? {
    switch answer {
    case .kept: ("If-Match", "\"\(etag)\"")
    case .unquoted: ("If-Match", etag)
    case .ignored, .refused: nil
    }
  }
}
