internal import CPlatform
internal import POSIX

/// Locks down a process that handles foreign bytes; see `confine`.
public enum Confinement {
  /// The steps that the system refused.
  public struct Refusals: OptionSet, Sendable, CustomStringConvertible {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let limits = Refusals(rawValue: Int(CP_OPEN_LIMITS))
    public static let privileges = Refusals(rawValue: Int(CP_OPEN_PRIVILEGES))
    public static let calls = Refusals(rawValue: Int(CP_OPEN_CALLS))

    /// Names the refused steps, for messages.
    public var description: String {
      let names: [(Refusals, String)] = [
        (.limits, "its limits"), (.privileges, "its privileges"), (.calls, "its system calls"),
      ]
      return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
  }

  /// Called first: closes all descriptors from `first` on, leaves the working directory, and ends with the thread that
  /// started this process.
  public static func leave(keeping first: Int32) {
    cp_end_with_parent()
    cp_close_from(first)
    _ = chdir("/")
    cp_keep_memory_small()
  }

  /// Gives up, for the rest of this process, files, sockets, other processes and new privileges. Open descriptors and
  /// memory remain. Needs a process of one thread.
  /// - Parameter threads: true if it may start threads; each takes some of its memory.
  public static func confine(
    mostFileBytes: Int, mostDataBytes: Int, mostDescriptors: Int, threads: Bool = false
  ) -> Refusals {
    let refused = cp_confine(
      UInt64(clamping: mostFileBytes), UInt64(clamping: mostDataBytes), UInt32(clamping: mostDescriptors),
      threads ? 1 : 0)
    return Refusals(rawValue: Int(refused))
  }

  /// Limits the data of this process further, in bytes. Later allocations beyond the limit fail.
  public static func limitData(_ bytes: Int) { _ = cp_limit_data(UInt64(max(0, bytes))) }
}
