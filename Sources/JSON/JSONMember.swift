/// One member of an object.
public struct JSONMember: Sendable, Equatable {
  /// Its key.
  public let key: String
  /// Its value.
  public let value: JSONValue
  /// Where its key begins; nil when it was not read, or nobody wanted to know.
  public let place: JSONPlace?

  /// A member.
  public init(_ key: String, _ value: JSONValue, place: JSONPlace? = nil) {
    self.key = key
    self.value = value
    self.place = place
  }
}

/// A place in a text: for messages to people.
public struct JSONPlace: Sendable, Equatable {
  /// Counted from 1.
  public let line: Int
  /// Counted from 1, in bytes.
  public let column: Int

  /// A place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
