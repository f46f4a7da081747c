internal import FileStores

/// A happening that is news, as commands tell it.
public struct NewsItem: Sendable, Hashable {
  /// The words for scripts.
  public enum Action: String, Sendable, CaseIterable {
    case added, changed, caption, walk, remark, door
  }

  public let happening: Happening
  public let action: Action
  /// Notes it as reported.
  public let mark: NewsCursor.Mark

  init(_ happening: Happening, isAdded: Bool, _ mark: NewsCursor.Mark) {
    (self.happening, self.mark) = (happening, mark)
    action =
      switch happening.kind {
      case .file: isAdded ? .added : .changed
      case .caption: .caption
      case .walk: .walk
      case .remark: .remark
      case .door: .door
      }
  }

  /// A file that changed several times is one item, its last change; a new one stays new. The oldest comes first.
  public static func merged(_ items: [NewsItem]) -> [NewsItem] {
    var newest: [StorePath: NewsItem] = [:]
    for item in items {
      let isAdded = newest[item.mark.path]?.action == .added || item.action == .added
      newest[item.mark.path] = NewsItem(item.happening, isAdded: isAdded, item.mark)
    }
    return newest.values.sorted { ($0.happening.time, $0.mark.path) < ($1.happening.time, $1.mark.path) }
  }
}
