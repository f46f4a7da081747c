import ClubServices
import FileStores

/// Which draft a word on the command line means.
enum DraftName {
  /// The newest draft of that name or id.
  /// - Throws: `notFound`.
  static func draft(_ name: String, in drafts: [Draft]) throws(StoreError) -> Draft {
    let newestFirst = drafts.sorted { $0.changed > $1.changed }
    let names = [name, name + ".md"]
    if let draft = newestFirst.first(where: { $0.id == name || names.contains($0.shownName) }) { return draft }
    throw StoreError(
      .notFound, "There is no draft \"\(name)\" on this machine.", remedy: "See what there is with: byteclub draft ls")
  }
}
