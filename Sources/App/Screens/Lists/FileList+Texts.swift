internal import ClubServices
internal import FileStores
internal import TextUI

/// Find in texts: below the names that match come the files whose texts contain the typed words.
extension FileList {
  /// Shorter words are in too many texts.
  private static let fewestLetters = 3

  /// Applies the find field. Texts are searched when the words have changed, and when they are entered.
  mutating func narrowAndSearch(_ field: FindField) -> Commands {
    let before = find
    narrow(field)
    let isNew = find.field.bytes != before.field.bytes || !find.isTyping && find.texts == nil
    guard find.found == nil, isNew else { return [] }
    let (text, query) = (find.field.string, find.query)
    let isLong = query.words.contains { $0.count >= FileList.fewestLetters }
    guard query.problem == nil, isLong || query.asksTexts || query.isPlain && text.count >= FileList.fewestLetters
    else {
      return stopTexts()
    }
    return [.run(.searchTexts(text, isTyping: find.isTyping), key: words.key("texts"))]
  }

  func stopTexts() -> Commands { [.cancel(key: words.key("texts"))] }

  /// Shows the files that have the words in their texts alone. The cursor stays. With `unread` the search goes on, and
  /// the files are added to those that it has found.
  mutating func takeTexts(_ words: String, _ files: [FoundFile], unread: Int? = nil) {
    guard find.found == nil, find.field.string == words, let table else { return }
    find.unread = unread ?? 0
    let known = unread == nil ? [:] : find.texts?.files ?? [:]
    // Where names do not decide, the search has judged them, too.
    let asksTexts = find.query.asksTexts
    let texts = files.filter { $0.line != nil && (asksTexts || !table.isFoundByName($0.path)) && table.admits($0.path) }
    guard unread == nil || !texts.isEmpty || asksTexts && !files.isEmpty else { return }
    let chosen = kept
    find.texts = FindField.Found(words: words, files: known.merging(texts.map { ($0.path, $0) }) { first, _ in first })
    if asksTexts { find.within = (unread == nil ? [] : find.within ?? []).union(files.map(\.path)) }
    filterRows()
    choose(chosen)
  }
}

/// A row of a file that was found by its text: the name, and the line with the words in place of size and age.
struct TextMatchRow {
  let row: EntryRow
  let file: FoundFile
  let query: NameQuery

  func content(now: Int64) -> Int {
    var hasher = Hasher()
    hasher.combine(row.content(now: now))
    hasher.combine(file)
    hasher.combine(query)
    return hasher.finalize()
  }

  func draw(now: Int64, on canvas: inout Canvas) {
    let width = canvas.size.width
    let name = min(GlyphReader.columns(of: row.name), width * 2 / 5)
    row.drawName(name, canvas[.text], on: &canvas)
    let x = 5 + name
    let used = canvas.text("\(file.line ?? 0): ", x: x, y: 0, style: canvas[.dim], width: max(0, width - x - 1))
    let text = Array(file.text.utf8)[...]
    canvas.text(
      text, x: x + used, y: 0, style: canvas[.dim], width: max(0, width - x - used - 1), places: query.places(in: text))
  }
}
