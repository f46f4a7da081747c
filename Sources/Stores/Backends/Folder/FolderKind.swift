internal import Basics
internal import FileStores

struct FolderKind: StoreKind {
  let name = "folder"
  let about = "a directory of this machine"
  let settings = [
    StoreSetting(
      "path", .path, required: "name its directory",
      about: "The directory of the club NAME.")
  ]

  static func directory(_ path: String) -> StoreDescription {
    StoreDescription(kind: FolderKind().name, options: ["path": path])
  }

  /// A store that keeps no versions. The config file has no such setting.
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
