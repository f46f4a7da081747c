import CLinux

/// What the system says of a failed call.
enum SystemError {
  /// The system's words for an error number, without a full stop.
  static func sentence(_ code: Int32) -> String {
    cl_describe(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
