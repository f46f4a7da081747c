internal import CPlatform
internal import POSIX

public struct SystemError: Error, Hashable, CustomStringConvertible {
  public let code: Int32

  public init(code: Int32) { self.code = code }

  public static var last: SystemError { SystemError(code: errno) }

  public var description: String { SystemError.text(code) }

  /// The system's text for an error number, without a full stop: "Permission denied". Safe on any thread.
  public static func text(_ code: Int32) -> String { String(cString: cp_describe(code)) }
}
