/// What a request asks for.
public struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
  /// The word on the wire.
  public let word: String

  /// A method of capital letters; those of one service's own, such as PROPFIND, are named where that is.
  init(_ word: StaticString) { self.word = "\(word)" }

  /// Reads; may be repeated.
  public static let get = HTTPMethod("GET")
  /// As `get`, without the body.
  public static let head = HTTPMethod("HEAD")
  /// Does what the address says.
  public static let post = HTTPMethod("POST")
  /// Puts the body at the address.
  public static let put = HTTPMethod("PUT")
  /// Takes away what is at the address.
  public static let delete = HTTPMethod("DELETE")
  /// Asks what is allowed.
  public static let options = HTTPMethod("OPTIONS")

  /// The word on the wire.
  public var description: String { word }
}
