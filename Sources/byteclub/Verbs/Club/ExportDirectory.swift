import Backends
import FileStores

/// The directory that a club is exported into.
struct ExportDirectory {
  /// Where it is, in full.
  let path: String
  /// As a store.
  let store: any FileStore

  /// Opens it, and makes it first when it is not there.
  /// - Throws: `badInput` when it is the club's own directory, or below that; what hinders it from being opened.
  static func open(_ word: String, _ setup: ClubSetup) async throws(StoreError) -> ExportDirectory {
    let pool = setup.pool
    if let club = setup.choice.directory {
      let (path, own) = await pool.run { (LocalDirectory.resolved(word), LocalDirectory.resolved(club)) }
      guard !(path + "/").hasPrefix(own + "/") else {
        throw StoreError(
          .badInput, "\(word) is inside the club.", remedy: "Name a directory outside \(setup.choice.place)."
        )
      }
    }
    let code = await pool.run { LocalDirectory.make(word) }
    guard code == 0 else {
      throw StoreError(
        .notPermitted, "byteclub cannot make the directory \(word): \(SystemError.sentence(code)).",
        remedy: "Name another directory.")
    }
    let path = await pool.run { LocalDirectory.absolute(word) }
    let store = try FolderStore(root: path, pool: pool, isFollowed: false, keepsVersions: false)
    return ExportDirectory(path: path, store: store)
  }
}
