import Database
import FileStores
import Synchronization

/// The club's photos from listings and changes, which saves requests to the store. Any thread may call.
final class KnownPhotos: Sendable {
  private struct State {
    var entries: [StorePath: FileEntry] = [:]
    var bySize: [UInt64: Set<StorePath>] = [:]
    /// The photos reported since a listing began; nil if no listing runs.
    var listed: Set<StorePath>?
    var isListed = false
    /// Tours and remarks below the photos folder; some may have gone since.
    var tours: Set<StorePath> = []

    mutating func put(_ entry: FileEntry) {
      remove(entry.path)
      entries[entry.path] = entry
      if let size = entry.size { bySize[size, default: []].insert(entry.path) }
      listed?.insert(entry.path)
    }

    mutating func remove(_ path: StorePath) {
      guard let old = entries.removeValue(forKey: path), let size = old.size else { return }
      bySize[size]?.remove(path)
      if bySize[size]?.isEmpty == true { bySize[size] = nil }
    }
  }
  private let state = Mutex(State())

  var isListed: Bool { state.withLock { $0.isListed } }

  func entry(at path: StorePath) -> FileEntry? { state.withLock { $0.entries[path] } }

  /// The place of a photo that a file of a tour or walk names: there, or in the album into which it was moved. That is the
  /// album of the only photo with its name; nil if none or several have it. Before a listing the place counts.
  func place(of path: StorePath) -> StorePath? {
    state.withLock { state in
      guard state.isListed, state.entries[path] == nil else { return path }
      let alike = state.entries.keys.filter { $0.name.elementsEqual(path.name) }
      return alike.count == 1 ? alike[0] : nil
    }
  }

  var all: [FileEntry] { state.withLock { Array($0.entries.values) } }

  func paths(ofSize size: UInt64) -> [StorePath] { state.withLock { $0.bySize[size].map { $0.sorted() } ?? [] } }

  /// False if the folder was listed without this file.
  func mayHave(_ file: StorePath) -> Bool { state.withLock { !$0.isListed || $0.tours.contains(file) } }

  func beginListing() { state.withLock { $0.listed = [] } }

  func put(tours: [StorePath]) { state.withLock { $0.tours.formUnion(tours) } }

  func put(_ photos: [FileEntry]) { state.withLock { state in for entry in photos { state.put(entry) } } }

  func endListing() {
    state.withLock { state in
      if let listed = state.listed {
        for path in state.entries.keys where !listed.contains(path) { state.remove(path) }
      }
      (state.listed, state.isListed) = (nil, true)
    }
  }

  /// The photos and tours of an album that has another path.
  func moved(_ album: StorePath, to target: StorePath) {
    state.withLock { state in
      for (path, entry) in state.entries {
        guard let new = path.moved(with: album, to: target) else { continue }
        state.remove(path)
        state.put(entry.moved(to: new))
      }
      state.tours = Set(state.tours.map { $0.moved(with: album, to: target) ?? $0 })
    }
  }

  func take(_ changes: [ChangeSet.Change]) {
    state.withLock { state in
      for change in changes {
        switch change {
        case .present(let entry): state.put(entry)
        case .absent(let path): state.remove(path)
        }
      }
    }
  }

  /// `changes` are of all files.
  /// Returns true if there is another or a changed tour.
  func take(toursOf changes: [ChangeSet.Change]) -> Bool {
    state.withLock { state in
      var isOther = false
      for change in changes {
        switch change {
        case .present(let entry) where KnownPhotos.isBesidePhoto(entry.path):
          state.tours.insert(entry.path)
          isOther = true
        case .present: break
        case .absent(let path): state.tours.remove(path)
        }
      }
      return isOther
    }
  }

  static func isBesidePhoto(_ path: StorePath) -> Bool {
    path.name.suffix(5).elementsEqual(".json".utf8) || Talk.isNamed(path)
  }
}
