internal import FileStores

/// A directory of this machine.
struct FolderKind: StoreKind {
  let name = "folder"
  let about = "a directory of this machine"
  let settings = [
    StoreSetting(
      "path", .path, required: "name its directory",
      about: "The directory of the club NAME.")
  ]

  /// Such a store, by its absolute path.
  static func directory(_ path: String) -> StoreDescription {
    StoreDescription(kind: FolderKind().name, options: ["path": path])
  }

  /// The same, which keeps no versions: the setting is none of the config's.
  static func plainDirectory(_ path: String) -> StoreDescription {
    StoreDescription(kind: FolderKind().name, options: ["path": path, "versions": "none"])
  }

  func place(of store: StoreDescription) -> StorePlace { .directory(store.options["path"] ?? "") }

  func open(
    _ store: StoreDescription, pool: BlockingPool, network: StoreNetwork?
  ) throws(StoreError) -> any FileStore {
    try FolderStore(root: store.required("path"), pool: pool, keepsVersions: store.options["versions"] != "none")
  }
}
