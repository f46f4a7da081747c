internal import ClubServices
internal import FileStores
internal import Markdown
internal import Synchronization
internal import TextUI

/// The tags of a club, each with the number of notes that have it or one below it, as `trips/oslo` is below `trips`.
public struct TagCounts: Sendable, Equatable {
  public struct Count: Sendable, Equatable {
    public let tag: String
    public let notes: Int
  }

  private var spellings: [String: String] = [:]
  private var counts: [String: Int] = [:]

  public init() {}

  /// Adds a note with these tags.
  public mutating func add(_ tags: [String]) {
    var own: Set<String> = []
    for tag in tags {
      var end = tag.endIndex
      while end > tag.startIndex {
        let part = String(tag[..<end])
        if own.insert(part.lowercased()).inserted, spellings[part.lowercased()] == nil {
          spellings[part.lowercased()] = part
        }
        end = tag[..<end].lastIndex(of: "/") ?? tag.startIndex
      }
    }
    for tag in own { counts[tag, default: 0] += 1 }
  }

  /// The most used first.
  public var all: [Count] {
    counts.map { Count(tag: spellings[$0.key] ?? $0.key, notes: $0.value) }
      .sorted { ($1.notes, $0.tag) < ($0.notes, $1.tag) }
  }
}

extension NotesScreen {
  static func openTags(_ state: inout NotesState, _ frame: Frame) -> Commands {
    state.views.append(
      NoteChoice("Tag: ", nil, empty: "No note has a tag yet. A tag is #word in a text, or in the front matter.", frame)
    )
    fit(&state, frame)
    return [.run(.findTags, key: "notes.tags")]
  }

  /// Finds the tags that complete `tag:`, once. Texts behind a network are not read for that; while the store is away,
  /// those of the local copy are.
  static func askTags(for search: String, _ state: inout NotesState, _ frame: Frame) -> Commands {
    let isAtHand = if case .offline = frame.connection { true } else { frame.connection == nil }
    guard state.files.tags == nil, isAtHand, search.contains("tag:") else { return [] }
    state.files.tags = []
    return [.run(.findTags, key: "notes.tags")]
  }

  /// For the list of tags, and for a tag that is typed.
  static func tagsFound(_ tags: TagCounts, _ state: inout NotesState) -> Commands {
    state.tags = tags.all.map(\.tag)
    state.files.tags = state.tags
    state.files.renewOffers()
    guard var choice = state.views.last as? NoteChoice, choice.items == nil else { return complete(&state) }
    choice.take(
      tags.all.map { count in
        .init("#\(count.tag)".utf8, count.notes == 1 ? "1 note" : "\(count.notes.grouped) notes", .tag(count.tag))
      })
    state.replaceTop(choice)
    return []
  }
}

extension NotesPerformer {
  /// Reads the notes that may have tags: those with a number sign, and those with front matter that names them.
  /// - Throws: as a search of the notes.
  func tags() async throws(StoreError) -> TagCounts {
    let found = FoundTags()
    for words in ["#", "tag"] {
      _ = try await service.texts(
        with: words,
        matched: { entry, text in
          guard MarkdownDocument.isMarkdown(named: entry.path.name, beginning: text) else { return }
          found.take(entry.path) { MarkdownDocument.tags(of: TextBuffer(text)) }
        })
    }
    return found.counts
  }

  /// The tags that several tasks find, of each note once.
  private final class FoundTags: Sendable {
    private let state = Mutex<(notes: Set<StorePath>, counts: TagCounts)>(([], TagCounts()))

    var counts: TagCounts { state.withLock { $0.counts } }

    func take(_ path: StorePath, _ tags: () -> [String]) {
      guard state.withLock({ $0.notes.insert(path).inserted }) else { return }
      let tags = tags()
      state.withLock { $0.counts.add(tags) }
    }
  }
}
