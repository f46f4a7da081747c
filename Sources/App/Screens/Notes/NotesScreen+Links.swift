internal import ClubServices
internal import FileStores
internal import Markdown
internal import TextUI

/// Following the links of a note.
extension NotesScreen {
  static func follow(
    _ link: MarkdownLink, _ reader: NoteReader, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    switch link.kind {
    case .check(let check): return toggle(check, reader, &state, &frame)
    case .tag(let tag): return follow(tag: tag, &state, &frame)
    case .place(let offset):
      changeReader(&state) { $0.go(to: offset) }
      return []
    case .note(let name): return follow(LinkTarget(note: name), from: reader.note.entry.path, &state, &frame)
    case .address(let path): return follow(LinkTarget(path), from: reader.note.entry.path, &state, &frame)
    case .picture(let path):
      var target = LinkTarget(path)
      if case .note(let words) = target { target = .note(words.split) }
      return follow(target, from: reader.note.entry.path, &state, &frame)
    }
  }

  /// Follows a link of a note, or of a photo's hot spot, which is a link from the top of the club.
  static func follow(
    _ target: LinkTarget, from note: StorePath, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    switch target {
    case .web(let address):
      state.question = .opening(address.text, .confirmedAddress(address.text))
    case .refused(let address): refuse(address, &frame)
    case .heading(let name):
      var isThere = false
      changeReader(&state) { isThere = $0.go(toHeading: name) }
      if !isThere { frame.complain("This note has no heading \"\(name)\".") }
    case .photo(let words): state.wantedPhoto = LinkedPhoto(words: words, note: note)
    case .note(let words):
      guard state.files.table != nil else {
        frame.complain("byteclub has not read the list of notes yet. Follow the link again in a moment.")
        return []
      }
      if let path = state.files.path(of: words, from: note) { return open(path, &state, heading: words.heading) }
      guard !words.isRooted else {
        refuse(words.path, &frame)
        return []
      }
      let name = words.path.hasPrefix("./") ? String(words.path.dropFirst(2)) : words.path
      guard NoteScope.isNoteName(Array(name.utf8).split(separator: UInt8(ascii: "/")).last ?? []) else {
        frame.complain("byteclub opens notes and pictures, and \"\(name)\" is neither.")
        return []
      }
      guard !frame.isReader else {
        frame.complain("The club has no note \"\(name)\".")
        return []
      }
      state.question = Question(
        "The club has no note \"", naming: name, "\". Write it?",
        answers: [.init("y", "write it", .confirmedNew(name)), .init("n", "no", nil)])
    }
    return []
  }

  private static func refuse(_ address: String, _ frame: inout Frame) {
    frame.complain(
      "byteclub opens links to http and https (without a user's name), to mailto and to files of the club. "
        + "This is \"\(address)\".")
  }

  /// Opens the form for a note that a link names and the club does not have.
  static func beginNote(named name: String, _ state: inout NotesState, _ frame: Frame) -> Commands {
    var form = NewNoteForm(session: takeSession(&state))
    form.name = TextField(name, placeholder: form.name.placeholder)
    form.isInText = true
    state.views.append(form)
    fit(&state, frame)
    return []
  }
}

/// A photo that a link of a note leads to.
struct LinkedPhoto: Sendable {
  let words: LinkWords
  let note: StorePath
}

extension NotesState {
  /// True for a link of a note to another one that the list does not have.
  func lacksNote(of link: MarkdownLink, from note: StorePath) -> Bool {
    guard files.table != nil, case .note(let words)? = LinkTarget(link) else { return false }
    return files.path(of: words, from: note) == nil
  }
}

extension NoteReader {
  /// Brings a place of the note into view, and its link into focus: from the number of a footnote, Enter leads back.
  mutating func go(to offset: Int) {
    page?.show(offset)
    page?.focusLink(at: offset)
  }

  /// Goes to the place that a search or a link wants.
  mutating func show(_ opening: OpeningText, _ frame: inout Frame) {
    show(opening.sought)
    if let heading = opening.heading, !go(toHeading: heading) {
      frame.say("\"\(opening.path)\" has no heading \"\(heading)\".")
    }
  }

  /// Scrolls to a heading, named as in a link; false if the note has none of that name.
  mutating func go(toHeading name: String) -> Bool {
    let wanted = LinkTarget.anchor(Array(name.utf8))
    guard let heading = page?.headings().first(where: { LinkTarget.anchor($0.text) == wanted }) else { return false }
    scroll(to: heading.offset)
    return true
  }
}
