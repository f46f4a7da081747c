internal import ClubServices
internal import FileStores
internal import TextUI

/// The facts that a search asks of rows.
struct RowFilter: Sendable, Hashable {
  let query: NoteQuery
  let unread: Set<StorePath>
  let pinned: Set<StorePath>

  func admits(_ facts: NoteQuery.Facts) -> Bool {
    var facts = facts
    facts.isUnread = unread.contains(facts.path)
    facts.isPinned = pinned.contains(facts.path)
    return query.admits(facts)
  }
}

/// Searches in the find field: what they leave of the rows, how they go on, and those of earlier days.
extension FileList {
  private static let mostSearches = 20
  private static let mostSearchBytes = 1000

  /// Shows the rows that the find field and the search leave.
  mutating func filterRows() {
    let (facts, field) = (filter(find.query), find)
    let found = find.found.map { Set($0.files.keys) }
    let among = found.map { found in field.within.map(found.intersection) ?? found } ?? field.within
    table?.find(field.names, among: among, texts: field.textPaths, where: facts)
  }

  /// The file that stays selected while more is found; nil for the first row, which stays until the member moves the cursor.
  var kept: StorePath? { rows.selection == 0 && !find.isMoved ? nil : selected }

  /// The filter of a search; nil if it asks for no facts.
  private func filter(_ query: NoteQuery) -> RowFilter? {
    guard query.hasFacts else { return nil }
    return RowFilter(
      query: query, unread: query.terms.contains { $0.filter == .is } ? Set(news.unsorted) : [], pinned: pins)
  }

  /// The hits of a search that the list's own marks let pass.
  func admitted(_ files: [FoundFile], by words: String) -> [FoundFile] {
    guard let filter = filter(NoteQuery(words, clock)), !filter.query.isPlain else { return files }
    return files.filter { file in
      guard let facts = table?.facts(of: file.path) else { return true }
      return filter.admits(facts)
    }
  }

  // MARK: Completion

  private var filters: [NoteQuery.Filter] {
    words.one == "note" ? NoteQuery.Filter.allCases : [.by, .since, .before, .in, .is]
  }

  func offers(isAsked: Bool) -> QueryOffers? {
    find.field.cursor == find.field.bytes.count ? offers(for: find.field.string, isAsked: isAsked) : nil
  }

  /// Shows the values that have become known meanwhile, unless the member goes through those from before.
  mutating func renewOffers() {
    if find.isTyping, find.offers?.taken == nil { find.offers = offers(isAsked: false) }
  }

  /// With `isAsked` also before the first letter of a word.
  func offers(for text: String, isAsked: Bool) -> QueryOffers? {
    QueryOffers(text, filters: filters, isAsked: isAsked) { filter in
      switch filter {
      case .by: table?.knownAuthors ?? []
      case .in: table?.allAlbums.map { String(decoding: $0, as: UTF8.self) } ?? []
      case .tag: tags ?? []
      case .since, .before, .is, .has: []
      }
    }
  }

  /// Goes on with the last word by the first offer, or by the next one if there are several.
  mutating func goOn(backward: Bool) -> Commands {
    guard
      var offers = find.offers.flatMap({ $0.taken != nil && $0.texts.count == 1 ? nil : $0 }) ?? offers(isAsked: true)
    else { return [] }
    let count = offers.texts.count
    let place = offers.taken.map { ($0 + (backward ? count - 1 : 1)) % count } ?? (backward ? count - 1 : 0)
    offers.taken = place
    var field = find
    _ = field.field.replace(offers.start..<field.field.bytes.count, with: Array(offers.texts[place].utf8))
    (field.offers, field.past) = (offers, nil)
    return narrowAndSearch(field)
  }

  // MARK: Earlier searches

  /// True if a key of the find field goes to an earlier or a later search.
  func recalls(_ key: Key) -> Bool {
    guard find.isTyping, renaming == nil, key.code == .up || key.code == .down, !searches.isEmpty else { return false }
    return find.past != nil || find.field.isEmpty && key.code == .up
  }

  /// Shows an earlier search in the field. Behind the newest one the field is empty.
  mutating func recall(older: Bool) -> Commands {
    let place = (find.past ?? -1) + (older ? 1 : -1)
    guard place < searches.count else { return [] }
    var field = find
    field.field = TextField(place < 0 ? "" : searches[place])
    (field.past, field.offers) = (place < 0 ? nil : place, nil)
    return narrowAndSearch(field)
  }

  /// Remembers a search, in place of the same one before.
  mutating func remember(_ text: String) -> Commands {
    guard !text.isEmpty, text.utf8.count <= Self.mostSearchBytes, searches.first != text else { return [] }
    searches = [text] + searches.filter { $0 != text }.prefix(Self.mostSearches - 1)
    return [.run(.keep(.search(text), of: words.many))]
  }
}
