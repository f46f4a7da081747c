internal import Basics
internal import FileStores
internal import Synchronization

/// Removes what byteclubs that were killed have left: parts, leases and probes. All members share one sweep a day, whose
/// time is that of the file `.byteclub/swept`. nginx does not list these names, so there they stay.
struct WebDAVSweep: Sendable {
  /// The age of a leaving that goes, in seconds of the server's clock. An unfinished upload lives as long.
  static let age: Int64 = 2 * 86_400
  private static let pause: Int64 = 86_400

  let store: WebDAVStore

  /// Sweeps if nobody has for a day, and if the server's times tell the age of a file. A sweep that fails is for the next
  /// writing session.
  func run() async {
    guard store.server.known?["times"] == "kept" else { return }
    do throws(StoreError) {
      let mark = try StorePath(".byteclub/swept")
      let now = try await store.serverTime(.root)
      if let last = try await store.look(at: mark)?.changed, now - last < WebDAVSweep.pause { return }
      for (path, isFolder) in try await leavings(before: now - WebDAVSweep.age) {
        await store.remove(path, isFolder: isFolder)
      }
      try await store.makeFolder(mark.parent)
      let call = WebDAVCall(.put, store.address.url(mark), about: mark, body: .bytes(Array("\(now)\n".utf8)))
      _ = try await store.client.call(call)
    } catch {
      return
    }
  }

  private func leavings(before: Int64) async throws(StoreError) -> [(path: StorePath, isFolder: Bool)] {
    var old: [(path: StorePath, isFolder: Bool)] = []
    var folders = [StorePath.root]
    while let folder = folders.popLast() {
      _ = try await store.client.propfind(folder, isFolder: true, isDeep: true) { (resource) throws(StoreError) in
        guard let resource, resource.entry.path.parent == folder, resource.entry.path != folder,
          let name = String(validating: resource.entry.path.name, as: UTF8.self)
        else { return }
        let isFolder = resource.entry.kind == .folder
        if WebDAVSweep.isLeaving(name, in: folder) {
          if let changed = resource.changed, changed < before { old.append((resource.entry.path, isFolder)) }
        } else if isFolder, WebDAVSweep.isSearched(resource.entry.path) {
          folders.append(resource.entry.path)
        }
      }
    }
    return old
  }

  private static func isSearched(_ folder: StorePath) -> Bool {
    !folder.isReserved || [".byteclub", WebDAVLease.folder].contains("\(folder)")
  }

  private static func isLeaving(_ name: String, in folder: StorePath) -> Bool {
    if "\(folder)" == WebDAVLease.folder { return true }
    if folder.isReserved { return name.hasPrefix("probe-") }
    return name.hasPrefix(".byteclub-part-")
  }
}

extension WebDAVStore {
  /// Starts the sweep at the first write of this store. It does not hold the write up.
  func beginWriting() {
    guard tuning.sweeps else { return }
    let (store, tasks) = (self, pool.tasks)
    sweep.withLock { sweep in
      if sweep == nil { sweep = Task(executorPreference: tasks) { await WebDAVSweep(store: store).run() } }
    }
  }
}
