import Basics
import ClubServices
import Database
import FileStores
import Logging
import Markdown

/// The remarks on a note or photo: shown, and added as byteclub adds them, never over another member's.
enum BrowserTalk {
  static let mostLetters = 4000
  /// The largest file of remarks that a page shows, in bytes.
  private static let mostShownBytes: UInt64 = 1 << 20
  /// The remarks that a page shows, the last ones.
  private static let mostShown = 500
  private static let attempts = 8
  static let ending = ".talk.md"

  /// The file of remarks; nil if there is none.
  static func file(of thing: ServerNode, in club: ServedClub) async throws(StoreError) -> ServerNode? {
    guard let file = try await club.index.find(display: thing.display + ending), !file.isFolder else { return nil }
    return file
  }

  private static func bytes(of file: ServerNode, in club: ServedClub) async throws(StoreError) -> [UInt8] {
    try await club.index.store.readAll(file.path, ifRevision: file.storeRevision, limit: Talk.mostBytes).bytes
  }

  /// The remarks, with the authors of the versions that brought them: of the last versions, as many as byteclub compares.
  /// - Throws: errors of reading the file; `tooLarge`; `CancellationError` if the visitor goes.
  private static func checked(_ file: ServerNode, in club: ServedClub) async throws -> Talk {
    try await LinkText.someAtOnce(club.index.locks) {
      let old = try await club.index.read {
        try $0.revisions(id: file.id, before: file.rev, limit: NotesService.mostBlamed)
      }
      var versions = [FileEntry(path: file.path, kind: .file, member: file.author?.shownName)]
      var (texts, size) = ([try await bytes(of: file, in: club)], file.size)
      for version in old.prefix(NotesService.mostBlamed - 1) {
        size += version.size
        do {
          guard size <= NotesService.mostBlamedBytes, let content = try await club.files.content(of: version) else {
            break
          }
          texts.append(try await content.bytes())
        } catch let error as StoreError where error.kind == .notFound || error.kind == .corrupt {
          club.files.logger.warning("An old version of \"\(file.display)\" cannot be compared: \(error)")
          break
        }
        versions.append(FileEntry(path: file.path, kind: .file, member: version.author?.shownName))
      }
      let (found, isCut) = ((versions, texts), texts.count <= old.count)
      return await club.index.pool.run {
        let blame = NotesService.blame(file.path, found.0, found.1, isCut: isCut)
        return Talk(found.1[0], authors: blame.authors)
      }
    }
  }

  /// A remark that is to be answered, and the name beside it; nil if there is none of that id.
  static func answered(
    _ id: String?, on thing: ServerNode, in club: ServedClub
  ) async throws -> (id: String, member: String)? {
    guard let id, TalkItem.isID(id), let file = try await file(of: thing, in: club), file.size <= mostShownBytes else {
      return nil
    }
    let bytes = try await bytes(of: file, in: club)
    guard await club.index.pool.run({ Talk(bytes).remark(id) }) != nil else { return nil }
    let name = MadeCache.Name(file: file.id + " claim " + id, rev: file.rev)
    if let known = club.texts[name] { return (id, String(decoding: known.bytes, as: UTF8.self)) }
    return try await club.index.locks.reading("remarks of \(file.id)") {
      guard let claim = try await checked(file, in: club).remark(id)?.claim else { return nil }
      _ = club.texts.keep(Array(claim.utf8), as: name)
      return (id, claim)
    }
  }

  // MARK: Showing

  /// As HTML, made once for each version of the file; nil without remarks.
  static func make(of thing: ServerNode, mayAnswer: Bool, in club: ServedClub) async throws -> Made? {
    guard let file = try await file(of: thing, in: club) else { return nil }
    guard file.size <= mostShownBytes else { return Made(Array(tooMany.utf8)) }
    let name = MadeCache.Name(file: file.id + (mayAnswer ? " answered" : " read"), rev: file.rev)
    if let known = club.texts[name] { return known }
    return try await club.index.locks.reading("remarks of \(file.id)") {
      if let known = club.texts[name] { return known }
      let talk = try await checked(file, in: club)
      let made = await club.index.pool.run { Array(html(talk, mayAnswer: mayAnswer).utf8) }
      return club.texts.keep(made, as: name)
    }
  }

  private static let tooMany = "<p class=\"note\">There are too many remarks for a page. Read them with byteclub.</p>\n"

  static func html(_ talk: Talk, mayAnswer: Bool) -> String {
    let shown = talk.remarks.suffix(mostShown)
    let (rest, unknown) = (talk.remarks.count - shown.count, shown.count { $0.author == nil })
    var hints: [String] = []
    if rest > 0 { hints.append("\(rest) earlier remarks are not shown here. Read them with byteclub.") }
    if unknown > 0 {
      hints.append(
        "The names beside \(unknown) of these remarks were not compared with who brought them: that can be done for the last "
          + "\(NotesService.mostBlamed) versions that are kept, and for those of members.")
    }
    return hints.map { "<p class=\"hint\">\($0)</p>\n" }.joined()
      + shown.map { html($0, mayAnswer: mayAnswer) }.joined()
  }

  private static func html(_ remark: Talk.Remark, mayAnswer: Bool) -> String {
    var about = LinkPages.day(remark.time.seconds) + " " + LinkPages.minute(remark.time.seconds)
    if remark.isCorrected { about += ", corrected" }
    if case .words(let words) = remark.item.aim { about += ", on “\(words)”" }
    if !remark.agreed.isEmpty { about += ", +1 by " + remark.agreed.prefix(20).joined(separator: ", ") }
    let answer =
      mayAnswer && !remark.isWithdrawn ? " <a href=\"?answer=\(remark.id)#say\" class=\"hint\">Answer</a>" : ""
    let text = remark.isWithdrawn ? "<em>withdrawn</em>" : HTMLText.escaped(remark.text)
    return """
      <article id="remark-\(remark.id)" class="depth\(remark.depth)"><p class="by"><b><bdi>\(HTMLText.name(remark.claim))</bdi></b>
      <span class="hint">\(HTMLText.escaped(about))</span>\(answer)</p>
      <p class="said" dir="auto">\(text)</p></article>

      """
  }

  // MARK: Adding

  /// Adds a remark, or an answer to one. The same form, sent again, adds nothing.
  /// - Parameter number: of the form.
  /// - Throws: 400, 409, 413; errors of the store.
  static func add(
    _ text: String, answer target: String?, form number: String, to thing: ServerNode, by member: ServerMember,
    in club: ServedClub
  ) async throws {
    guard text.count <= mostLetters else {
      throw APIFailure.plain(
        status: 413, "The remark has more than \(mostLetters) letters. Go back, and send it in two parts.")
    }
    guard let text = DropText.lines(text, letters: mostLetters) else {
      throw APIFailure.plain(status: 400, "The remark has no text. Go back, and write one.")
    }
    if let target, !TalkItem.isID(target) { throw APIFailure.plain(status: 400, "That is no remark.") }
    if let node = try await club.index.find(display: thing.display + ending), node.isFolder {
      throw APIFailure.plain(status: 409, "A folder has the name that the file of remarks would have.")
    }
    let draft = "\(member.id) \(number)"
    for _ in 0..<attempts {
      let file = try await file(of: thing, in: club)
      do {
        return try await add(text, target, draft, to: thing, file, ServerAuthor(member), club)
      } catch let error as Tagged where error.tag == "conflict" {
        // Another remark came meanwhile.
        continue
      } catch let error as StoreError where error.tellsOfChange {
        continue
      }
    }
    throw APIFailure.plain(status: 503, "Others are writing remarks at the moment. Go back, and send yours once more.")
  }

  private static let noRoom = APIFailure.plain(
    status: 413, "There is no room for more remarks on this. Write a note with byteclub.")

  private static func add(
    _ text: String, _ target: String?, _ draft: String, to thing: ServerNode, _ file: ServerNode?,
    _ author: ServerAuthor, _ club: ServedClub
  ) async throws {
    var bytes = Array(Talk.head(of: thing.path).utf8)
    if let file {
      guard file.size <= UInt64(Talk.mostBytes) else { throw noRoom }
      bytes = try await self.bytes(of: file, in: club)
    }
    let known = bytes
    let talk = await club.index.pool.run { Talk(known) }
    if let target, talk.remark(target) == nil {
      throw APIFailure.plain(
        status: 409, "The remark that you answer is not there any more. Go back, and send yours alone.")
    }
    let time = Timestamp(seconds: club.index.now())
    for place in 0... {
      let item = TalkItem(
        member: author.name, time: time, id: TalkItem.id(of: draft, number: place),
        aim: target.map { .reply(to: $0) } ?? .whole, text: text)
      if let there = talk.item(item.id) {
        if there.isRepeated(by: item) { return }
        continue
      }
      if !bytes.isEmpty, bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
      bytes += item.markdown.utf8
      break
    }
    guard bytes.count <= Talk.mostBytes else { throw noRoom }
    let order = CommitOrder(
      display: thing.display + ending, mode: file.map { .update($0.rev) } ?? .add, autorename: false, isStrict: false,
      clientModified: nil, author: author)
    _ = try await club.files.put(Content(bytes, pool: club.index.pool), order)
  }
}
