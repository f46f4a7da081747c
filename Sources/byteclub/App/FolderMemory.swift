import Database
import FileStores
import Screens

/// The folders that were good last for uploads and downloads of a club, kept from start to start. Calls block.
struct FolderMemory: Sendable {
  private let directory: String
  private let club: String

  /// In a directory below the app's state; `club` is the club's place.
  init(state: String, club: String) {
    directory = state + "/folders"
    self.club = String(SHA256.hexadecimal(of: Array(club.utf8)).prefix(32))
  }

  /// The folder as it was typed; nil when there is none, or none that can be read: then the usual one is proposed.
  func folder(for purpose: PathPurpose) -> String? {
    guard LocalDirectory.exists(directory) else { return nil }
    do throws(StoreError) {
      let bytes = try PrivateDirectory(making: directory).read(name(purpose))
      return bytes.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    } catch {
      return nil
    }
  }

  /// Keeps a folder.
  func remember(_ folder: String, for purpose: PathPurpose) throws(StoreError) {
    try PrivateDirectory(making: directory).write(Array(folder.utf8), as: name(purpose))
  }

  private func name(_ purpose: PathPurpose) -> String { "\(purpose)-\(club)" }
}
