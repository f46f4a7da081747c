internal import Basics
internal import FileStores

/// Of Dropbox itself: a club behind another server with its API comes by an invitation.
struct DropboxForm: StoreForm {
  let title = "Dropbox"
  let about =
    "A folder in a Dropbox. byteclub signs in as an app that one member makes for all at "
    + "https://www.dropbox.com/developers/apps and whose key is no secret."
  let fields = [
    StoreFormField("appKey", "App key", example: "a1b2c3d4e5f6g7h", .required),
    StoreFormField("folder", "Folder", example: "/Our club; empty for all that the app sees"),
    StoreFormField("account", "Word for a second account", example: "choir", .rare, isPersonal: true),
  ]

  func completed(_ store: StoreDescription) -> StoreDescription {
    var store = store
    let parts = store.options["folder"].map { PathText.parts($0) } ?? []
    store.options["folder"] = parts.isEmpty ? nil : parts.map { "/" + $0 }.joined()
    return store
  }

  func folderName(of store: StoreDescription) -> String { PathText.name(store.options["folder"] ?? "") }

  func friends(_ store: StoreDescription) -> (store: StoreDescription, sentence: String) {
    (
      store,
      "Share the folder with your friend at Dropbox, and choose \"Enable additional users\" in the settings of the app. In "
        + "another place of their Dropbox, the folder has another path, which they correct."
    )
  }
}
