import JSON

/// Errors name the member; a missing or null member has its default.
struct Argument: Sendable {
  private let members: JSON
  let place: String

  /// - Throws: `badArgument` for a value other than an object, `null` or nothing.
  init(_ json: JSON?, place: String = "") throws(APIFailure) {
    self.place = place
    switch json {
    case nil, .null: members = .object([])
    case .object: members = json ?? .null
    default: throw .badArgument("\(place)expected object, got something else")
    }
  }

  private subscript(_ key: String) -> JSON? {
    let value = members[key]
    return value == .null ? nil : value
  }

  func has(_ key: String) -> Bool { self[key] != nil }

  /// A value for another reader; nil if it is missing or null.
  func value(_ key: String) -> JSON? { self[key] }

  func string(_ key: String) throws(APIFailure) -> String {
    guard let text = try optionalString(key) else { throw fault(key, "missing required field") }
    return text
  }

  func optionalString(_ key: String) throws(APIFailure) -> String? {
    switch self[key] {
    case nil: return nil
    case .string(let text): return text
    default: throw fault(key, "expected string")
    }
  }

  func bool(_ key: String, default value: Bool) throws(APIFailure) -> Bool {
    switch self[key] {
    case nil: return value
    case .bool(let value): return value
    default: throw fault(key, "expected boolean")
    }
  }

  func integer(_ key: String, in range: ClosedRange<Int64>, default value: Int64? = nil) throws(APIFailure) -> Int64 {
    switch self[key] {
    case nil:
      guard let value else { throw fault(key, "missing required field") }
      return value
    case .integer(let value):
      guard range.contains(value) else {
        throw fault(key, "\(value) is not within \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    default: throw fault(key, "expected integer")
    }
  }

  func number(_ key: String, in range: ClosedRange<Double>, default value: Double) throws(APIFailure) -> Double {
    let number: Double
    switch self[key] {
    case nil: return value
    case .integer(let value): number = Double(value)
    case .fraction(let value): number = value
    default: throw fault(key, "expected float")
    }
    guard range.contains(number) else {
      throw fault(key, "\(number) is not within \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func object(_ key: String) throws(APIFailure) -> Argument {
    guard let value = self[key] else { throw fault(key, "missing required field") }
    return try Argument(value, place: "\(place)\(key): ")
  }

  func optionalObject(_ key: String) throws(APIFailure) -> Argument? {
    try has(key) ? object(key) : nil
  }

  func array(_ key: String) throws(APIFailure) -> [JSON] {
    guard case .array(let elements) = self[key] else { throw fault(key, "expected list") }
    return elements
  }

  func objects(_ key: String, atMost limit: Int) throws(APIFailure) -> [Argument] {
    let elements = try array(key)
    guard elements.count <= limit else { throw fault(key, "has more than \(limit) items") }
    var objects: [Argument] = []
    for element in elements { objects.append(try Argument(element, place: "\(place)\(key): ")) }
    return objects
  }

  func strings(_ key: String, atMost limit: Int) throws(APIFailure) -> [String] {
    let elements = try array(key)
    guard elements.count <= limit else { throw fault(key, "has more than \(limit) items") }
    var texts: [String] = []
    for element in elements {
      guard let text = element.text else { throw fault(key, "expected list of strings") }
      texts.append(text)
    }
    return texts
  }

  func tags(_ key: String, among known: [String]) throws(APIFailure) -> [String] {
    var tags: [String] = []
    for element in try array(key) {
      guard let tag = element.text ?? element[".tag"]?.text, known.contains(tag) else {
        throw fault(key, "invalid tag; expected one of \(known.joined(separator: ", "))")
      }
      tags.append(tag)
    }
    return tags
  }

  func refuse(_ key: String, because reason: String) throws(APIFailure) {
    if has(key) { throw fault(key, reason) }
  }

  /// The tag and the object of a union; a void member may be a bare string.
  func tag(_ key: String, among known: [String], default value: String) throws(APIFailure) -> (String, Argument) {
    guard let union = self[key] else { return (value, try Argument(nil)) }
    if case .string(let word) = union, known.contains(word) { return (word, try Argument(nil)) }
    if case .string(let word) = union[".tag"], known.contains(word) {
      return (word, try Argument(union, place: "\(place)\(key): "))
    }
    throw fault(key, "invalid tag; expected one of \(known.joined(separator: ", "))")
  }

  func rev(_ key: String) throws(APIFailure) -> Int64? {
    guard let text = try optionalString(key) else { return nil }
    guard let rev = Rev.number(text) else {
      throw fault(key, "'\(text)' did not match pattern '[0-9a-f]+' of at least 9 digits")
    }
    return rev
  }

  /// Checks the type of options that change nothing in a club.
  func bools(_ keys: String...) throws(APIFailure) {
    for key in keys { _ = try bool(key, default: false) }
  }

  func fault(_ key: String, _ reason: String) -> APIFailure { .badArgument("\(place)\(key): \(reason)") }
}

/// Members keep their order, because some clients expect ".tag" first.
typealias JSON = JSONValue

extension JSON {
  static func tag(_ tag: String) -> JSON { .object([JSONMember(".tag", .string(tag))]) }
}
