internal import Basics
internal import ClubServices
internal import FileStores
internal import TextUI
internal import Transfers

extension ClubScreen {
  static func type(_ input: MemberInput, _ state: inout ClubState) -> Commands {
    switch input {
    case .command(.pathAccept), .command(.pathComplete):
      guard let refusal = state.line?.refusal else {
        if case .command(.pathAccept) = input { return runLine(&state) }
        complete(&state)
        return []
      }
      state.line = nil
      state.frame.say(refusal)
    case .command(.pathCancel): state.line = nil
    case .command, .mouse: break
    case .typed(let key):
      switch key.code {
      case .up, .down: state.line?.recall(isOlder: key.code == .up)
      default: _ = state.line?.field.handle(key)
      }
    case .pasted(let bytes): _ = state.line?.field.paste(bytes)
    }
    return askTags(&state)
  }

  /// For a search of the notes with `tag:` in it, so that they are there when Tab is pressed.
  private static func askTags(_ state: inout ClubState) -> Commands {
    guard state.tab == .notes, let search = state.line.flatMap({ TypedCommand.sought(in: $0.field.string) }) else {
      return []
    }
    return ClubState.outer(NotesScreen.askTags(for: search, &state.notes, state.frame))
  }

  private static func runLine(_ state: inout ClubState) -> Commands {
    let text = state.line?.field.string ?? ""
    let words = words(of: text)
    state.line = nil
    guard !words.isEmpty else { return [] }
    // An invitation is a secret.
    if state.history.last != text, words[0] != "join" { state.history.append(text) }
    do throws(TypedCommand.Fault) {
      return perform(try TypedCommand(words, line: text), &state)
    } catch {
      switch error {
      case .usage(let usage): state.frame.complain("Usage: \(usage)")
      case .unknown:
        state.frame.complain(
          TypedCommand.shellWords.contains(words[0])
            ? "\"\(text)\" works in a shell only: type \"byteclub \(text)\" there. Tab shows what works here."
            : "byteclub has no command \"\(text)\". Tab shows what works here.")
      }
      return []
    }
  }

  /// A line with an invitation is `join`, so that its secret is neither shown nor kept.
  private static func words(of text: String) -> [String] {
    let words = TypedWords(text).words
    guard words.contains(where: { $0.lowercased().contains("/join#") }) else { return words }
    return ["join", words.drop { ["byteclub", "join"].contains($0) }.joined(separator: " ")]
  }

  private static func perform(_ command: TypedCommand, _ state: inout ClubState) -> Commands {
    if command.changesClub, state.frame.refusesChange() { return [] }
    switch command {
    case .quit: return quit(&state)
    case .help: return run(.help, &state)
    case .news: return openNews(&state)
    case .who:
      sayWho(&state)
      return []
    case .waiting: return show(.notes, &state) + notes(.waitingAsked, &state)
    case .trashView: return show(.notes, &state) + notes(.trashAsked, &state)
    case .today: return show(.notes, &state) + notes(.todayAsked, &state)
    case .tags: return show(.notes, &state) + notes(.tagsAsked, &state)
    case .broken:
      return show(.notes, &state) + ClubState.outer(NotesScreen.runInList(.notesBroken, &state.notes, &state.frame))
    case .search(let words):
      return state.search(words, on: state.tab)
    case .read(let name):
      guard let path = paths([name], .notes, &state)?.first else { return [] }
      return show(.notes, &state) + notes(.asked(path), &state)
    case .edit(let name):
      return paths([name], .notes, &state)?.first.map { [.run(.notes(.beginEdit($0)))] } ?? []
    case .link(let tab, let name):
      guard let path = paths([name], tab, &state)?.first else { return [] }
      let commands = show(tab, &state)
      switch tab {
      case .notes: state.notes.question = state.notes.files.linkQuestion(path)?.map(NotesAction.files)
      case .photos: state.photos.question = state.photos.files.linkQuestion(path)?.map(PhotosAction.files)
      case .added: break
      }
      return commands
    case .rename(let tab, let name, let new):
      return paths([name], tab, &state)?.first.map { state.run(.rename($0, to: new), on: tab) } ?? []
    case .makeFolder(let name):
      return show(.notes, &state) + state.run(state.notes.files.making(folder: name), on: .notes)
    case .move(let tab, let names, let album):
      guard let paths = paths(names, tab, &state), let table = state.files(on: tab)?.table else { return [] }
      do throws(StoreError) {
        return state.run(.move(paths, to: try table.album(named: album)), on: tab)
      } catch {
        state.frame.complain(error)
        return []
      }
    case .trash(let tab, let names): return paths(names, tab, &state).map { state.run(.trash($0), on: tab) } ?? []
    case .view(let name):
      guard let path = paths([name], .photos, &state)?.first else { return [] }
      return show(.photos, &state) + photos(.asked(path), &state)
    case .info(let name):
      guard let path = paths([name], .photos, &state)?.first else { return [] }
      return show(.photos, &state) + [.run(.photos(.info(path)), key: "photos.info")]
    case .askForPhotos(let giver):
      let commands = show(.photos, &state)
      guard !giver.isEmpty else { return commands + state.tell(.input(.command(.photosAsk))) }
      return commands + ClubState.outer(PhotosScreen.ask(giver, &state.frame))
    case .wall(let asks): return openWall(&state, asks: asks)
    case .upload(let files):
      state.photos.preparing += files.count
      return [.run(.photos(.upload(files)))]
    case .download(let names, let directory):
      guard let paths = paths(names, .photos, &state) else { return [] }
      state.photos.preparing += paths.count
      return [.run(.photos(.download(paths, to: directory ?? state.photos.downloadDirectory)))]
    case .transfer(let verb): return perform(verb, &state)
    case .club(let name): return change(to: name, &state)
    case .clubs(let start): return leave(to: .clubs(start), &state)
    }
  }

  private static func perform(_ verb: TransferVerb, _ state: inout ClubState) -> Commands {
    func say(_ ids: [String], _ command: (String) -> TransferCommand) -> Commands {
      var whole: [String] = []
      for id in ids {
        guard let line = state.transfers.line(typed: id) else {
          state.frame.complain("byteclub has no transfer with the ID \"\(id)\". Enter on a transfer shows its ID.")
          return []
        }
        whole.append(line.id)
      }
      return outer(TransfersScreen.say(whole.map(command)))
    }
    return switch verb {
    case .list: state.transfers.isOpen ? [] : toggleTransfers(&state)
    case .say(let word, let ids): say(ids, word.command)
    case .move(let id, let move): say([id]) { .move($0, move) }
    case .limit(let limit): outer(TransfersScreen.say([.limit(limit)]))
    }
  }

  /// nil, with a complaint, if a file is missing.
  private static func paths(_ names: [String], _ tab: ClubState.Tab, _ state: inout ClubState) -> [StorePath]? {
    guard let files = state.files(on: tab) else { return nil }
    guard files.table != nil else {
      state.frame.complain("The list of \(files.words.many) is not loaded yet. Open their tab, then try again.")
      return nil
    }
    var paths: [StorePath] = []
    for name in names {
      guard let path = files.path(named: name) else {
        state.frame.complain("The club has no \(files.words.one) called \"\(name)\".")
        return nil
      }
      paths.append(path)
    }
    return paths
  }

  /// Completes the last word to the common prefix of all choices; a complete word lists the choices.
  private static func complete(_ state: inout ClubState) {
    guard let text = state.line?.field.string else { return }
    let typed = TypedWords(text)
    let isBehindSpace = typed.lastStart == text.endIndex
    let before = isBehindSpace ? typed.words[...] : typed.words.dropLast()
    let last = isBehindSpace ? "" : typed.words.last ?? ""
    if before.first == "search", let search = TypedCommand.sought(in: text),
      let offers = state.files(on: state.tab)?.offers(for: search, isAsked: true)
    {
      return goOn(search, by: offers, &state)
    }
    let choices = choices(after: before, state).filter { $0.utf8.starts(with: last.utf8) }
    guard let first = choices.first else {
      state.frame.say("No completion begins with \"\(last)\".")
      return
    }
    let common = choices.dropFirst().reduce(first, TypedWords.common)
    let isWhole = choices.count == 1
    if common != last || isWhole {
      let word = TypedWords.quoted(common, isWhole: isWhole)
      state.line?.field = TextField(text[..<typed.lastStart] + word + (isWhole ? " " : ""))
    } else {
      say(choices, &state.frame)
    }
  }

  private static func say(_ choices: [String], _ frame: inout Frame) {
    let more = choices.count > 12 ? "  and \(choices.count - 12) more" : ""
    frame.say(choices.prefix(12).joined(separator: "  ") + more)
  }

  /// Completes the last word of a search as `complete` does.
  private static func goOn(_ search: String, by offers: QueryOffers, _ state: inout ClubState) {
    guard let first = offers.texts.first, let text = state.line?.field.string else { return }
    // Of more than can be offered nobody knows the common beginning.
    let isWhole = offers.texts.count < QueryOffers.most
    let common = isWhole ? offers.texts.dropFirst().reduce(first, TypedWords.common) : ""
    let typed = search.utf8.count - offers.start
    guard offers.texts.count == 1 || common.utf8.count > typed else {
      return say(offers.texts.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }, &state.frame)
    }
    state.line?.field = TextField(String(decoding: text.utf8.dropLast(typed), as: UTF8.self) + common)
  }

  private static func choices(after words: ArraySlice<String>, _ state: ClubState) -> [String] {
    if TransferVerb.takesID(after: words) { return state.transfers.lines.map(\.id) }
    if words == ["club"] { return TypedCommand.following(words) + state.clubs }
    guard let tab = TypedCommand.named(after: words) else { return TypedCommand.following(words) }
    guard let table = state.files(on: tab)?.table else { return [] }
    let names = table.album == nil ? (0..<table.count).map { table.name(at: $0) } : table.allNames
    return names.compactMap { String(validating: $0, as: UTF8.self) }
  }
}

struct CommandLine: Sendable {
  var field = TextField()
  /// The reason why the typed words do nothing: they are words to find in a view that has no find. Nil for a command.
  let refusal: String?
  /// Newest last.
  private let history: [String]
  /// The shown history line; the count if none is shown.
  private var place: Int
  /// Replaced by a history line.
  private var typed = ""

  init(_ history: [String]) {
    (self.history, refusal) = (history, nil)
    place = history.count
  }

  init(refusing refusal: String) { (history, self.refusal, place) = ([], refusal, 0) }

  var label: String { refusal == nil ? ":" : "Find: " }

  mutating func recall(isOlder: Bool) {
    let next = place + (isOlder ? -1 : 1)
    guard (0...history.count).contains(next) else { return }
    if place == history.count { typed = field.string }
    place = next
    field = TextField(next == history.count ? typed : history[next])
  }
}
