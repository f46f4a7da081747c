import Backends
import Basics
import FileStores
import JSON
import POSIX

/// All calls block. Callers hold a `JoinLock`.
extension DropIn {
  /// Writes a club's file, durably: readers see the old or the new one.
  /// - Parameter kind: its settings are written, as far as the club has them, and nothing else.
  /// - Parameter former: the place from which the club moved.
  static func write(
    _ store: StoreDescription, of kind: any StoreKind, as name: String, former: String? = nil, _ paths: Paths
  ) throws(StoreError) {
    let settings = kind.settings.compactMap { setting -> JSONMember? in
      guard setting.value != .program, let value = store.options[setting.key] else { return nil }
      return JSONMember(setting.key, setting.value == .flag ? .bool(value == "true") : .string(value))
    }
    let file: JSONValue = .object(
      [JSONMember("version", .number(version)), JSONMember("store", .string(store.kind))] + settings
        + (former.map { [JSONMember("was", .string($0))] } ?? []))
    do throws(SystemError) {
      try Folders.make(paths.dropIns, mode: 0o700)
      try WholeFile.write(Array("\(file.encoded)\n".utf8), to: name + ".json", in: try OpenFile(folder: paths.dropIns))
    } catch {
      throw .system(error.code, "written", path(of: name, paths))
    }
  }

  static func remove(_ name: String, _ paths: Paths) throws(StoreError) {
    guard unlink(path(of: name, paths)) == 0 || errno == ENOENT else {
      throw .system(errno, "removed", path(of: name, paths))
    }
  }

  static func path(of name: String, _ paths: Paths) -> String { "\(paths.dropIns)/\(name).json" }
}

/// Held while clubs are joined or left: one process at a time looks which names are free, and writes.
struct JoinLock: Sendable {
  private let file: OpenFile

  /// Blocks.
  /// - Throws: `conflict` while another process has it, or if it has changed the clubs of the report.
  init(_ paths: Paths, knowing report: ConfigReport) throws(StoreError) {
    let directory = try PrivateDirectory(making: paths.joinsDirectory)
    let isFree: Bool
    do throws(SystemError) {
      file = try OpenFile(directory.path(of: "lock"), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
      isFree = try FileLock.take(file.descriptor)
    } catch {
      throw .system(error.code, "locked", directory.path(of: "lock"))
    }
    let known = report.dropInClubs.union(report.brokenDropIns.map(\.club))
    guard isFree, Set(DropIn.all(paths).map(\.name)) == known else { throw JoinLock.isTaken }
  }

  /// The system releases the lock with the last reference, too.
  func release() { FileLock.release(file.descriptor) }

  private static var isTaken: StoreError {
    StoreError(
      .conflict, "Another byteclub joins or leaves a club on this machine.", remedy: "Try again when it has ended.")
  }
}
