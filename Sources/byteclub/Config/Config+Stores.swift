import Backends

extension Config {
  /// The kind of a club's store, by its name.
  func storeKind(of club: String) -> String? { text("clubs.\(club).store") }

  /// A club's store, as its kind wants to know it: all of its settings that have a value, paths in full.
  /// - Throws: for a path that begins with the home directory when that is not known.
  func store(of club: String, _ kind: any StoreKind, _ paths: Paths) throws(ConfigFault) -> StoreDescription {
    var store = StoreDescription(kind: kind.name)
    for setting in kind.settings {
      let key = "clubs.\(club).\(setting.key)"
      if setting.value == .path {
        store.options[setting.key] = try text(key).map { path throws(ConfigFault) in try paths.expanding(path) }
      } else {
        store.options[setting.key] = text(key)
        store.programs[setting.key] = program(key)
      }
    }
    store.allowsPlainHTTP = mayBePlain
    return store
  }
}
