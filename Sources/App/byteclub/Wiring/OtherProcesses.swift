import CPlatform
import POSIX

/// Processes of this machine, as far as the system shows them to this user.
enum OtherProcesses {
  private static let most = 1 << 16
  private static let mostVariableBytes = 1 << 20

  /// All but this process.
  static func ids() -> [pid_t] {
    let own = getpid()
    return [Int32](unsafeUninitializedCapacity: most) {
      $1 = Int(max(0, cp_processes($0.baseAddress, Int32($0.count))))
    }.filter { $0 != own }
  }

  /// The path of a process's program; nil if the system does not show it. Process 0 is this one.
  static func program(of process: pid_t) -> String? {
    let bytes = bytes(Int(PATH_MAX)) { cp_program_path(process, $0, $1) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The variables that a process was started with, each `NAME=value`.
  static func variables(of process: pid_t) -> [ArraySlice<UInt8>] {
    bytes(mostVariableBytes) { cp_environment(process, $0, $1) }.split(separator: 0)
  }

  private static func bytes(_ room: Int, _ read: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [UInt8] {
    [CChar](unsafeUninitializedCapacity: room) { $1 = max(0, read($0.baseAddress, $0.count)) }
      .map { UInt8(bitPattern: $0) }
  }
}
