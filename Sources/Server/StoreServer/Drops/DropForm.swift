import Basics
import Database
import FileStores
import HTTPTypes
import Imaging
import Logging
import Markdown

/// The outcome of one form of a drop page, for its giver.
struct DropOutcome: Sendable {
  struct Refusal: Sendable, Equatable {
    /// The picture's name at the giver's.
    let name: String
    let reason: String
  }

  /// The names of the pictures in the club.
  var kept: [String] = []
  var refused: [Refusal] = []
  /// The reason why the rest of the form was not read.
  var broken: String?
}

/// Reads a form with pictures, and keeps each picture as soon as it is whole. Fields count for the pictures behind them.
struct DropForm {
  /// Files and fields of one form.
  static let mostParts = 220
  /// Bytes of a form that may be thrown away.
  private static let mostSkipped = 64 << 20
  private static let mostFieldBytes = 16 << 10
  private static let mostShownLetters = 120
  private static let recognised = 12

  /// The page of a guest; nil for a member's own pictures.
  private let page: ServerDropPage?
  private let member: ServerMember
  private let folder: String
  private let club: ServedClub
  private let form: MultipartBody
  private let mayGoOn: @Sendable () async throws(StoreError) -> Bool
  private let began = ContinuousClock.now
  private var skipped = 0
  private var guest: String?
  private var caption: String?
  private(set) var outcome = DropOutcome()

  init(_ form: MultipartBody, for page: ServerDropPage, of club: ServedClub) {
    (self.form, self.page, self.club) = (form, page, club)
    (member, folder, guest) = (page.member, page.folder, page.guest)
    mayGoOn = { () async throws(StoreError) in true }
  }

  /// For a member's own pictures.
  /// - Parameter mayGoOn: false once the member may not write any more. It is asked before and after each picture.
  init(
    _ form: MultipartBody, by member: ServerMember, into folder: String, of club: ServedClub,
    while mayGoOn: @escaping @Sendable () async throws(StoreError) -> Bool
  ) {
    (self.form, self.member, self.folder, self.club, self.mayGoOn) = (form, member, folder, club, mayGoOn)
    page = nil
  }

  /// - Throws: 400 for a request that is no form with files.
  static func body(of call: Call) throws(APIFailure) -> MultipartBody {
    do throws(MultipartMachine.Fault) {
      let type = call.head.headerFields[.contentType] ?? ""
      guard type.lowercased().hasPrefix("multipart/form-data") else { throw .noBoundary }
      return try MultipartBody(type, call.body, mostParts: mostParts)
    } catch {
      throw .plain(status: 400, "Open this address in a browser, and send the pictures from its page.")
    }
  }

  mutating func read() async {
    do {
      while let head = try await form.part() {
        if let file = head.file { try await take(file) } else { try await note(head.name) }
      }
    } catch let fault as MultipartMachine.Fault {
      outcome.broken = fault.sentence
    } catch let error as StoreError {
      outcome.broken = error.message
    } catch {
      outcome.broken = "The connection broke during the request."
    }
  }

  // MARK: Parts

  private mutating func note(_ name: String?) async throws(StoreError) {
    var value: [UInt8] = []
    while value.count < DropForm.mostFieldBytes, let chunk = try await next() {
      value += chunk.prefix(DropForm.mostFieldBytes - value.count)
    }
    try await skip()
    let text = String(decoding: value, as: UTF8.self)
    switch name {
    case "name": guest = page?.guest ?? DropText.guest(text)
    case "caption": caption = DropText.caption(text)
    default: break
    }
  }

  private mutating func take(_ file: String) async throws(StoreError) {
    let name = String(HTMLText.visible(file).prefix(DropForm.mostShownLetters))
    var beginning: [UInt8] = []
    while beginning.count < DropForm.recognised, let chunk = try await next() { beginning += chunk }
    // A browser sends an empty file if none was chosen.
    if beginning.isEmpty, file.isEmpty { return }
    guard let format = beginning.withUnsafeBytes({ PictureFormat.recognise($0) }) else {
      return try await refuse(name, DropText.refusal)
    }
    guard let left = try await left() else { throw StoreError(.badInput, ended) }
    guard left.pictures > 0 else { return try await refuse(name, "the page has all the pictures that it takes") }
    let limit = min(left.bytes, Call.largestContent)
    let (room, form, clock) = (club.files.room, form, self)
    var held: ByteChunk? = beginning[...]
    let content: Content
    do throws(StoreError) {
      content = try await room.receive(limit: limit) { () throws(StoreError) in
        defer { held = nil }
        if let held { return held }
        try clock.checkTime()
        return try await form.next()
      }
    } catch {
      switch error.kind {
      case .tooLarge:
        let most = LinkPages.words(bytes: limit)
        return try await refuse(
          name, limit == left.bytes ? "it is too large: the page takes \(most) more" : "it is larger than \(most)")
      case .quota: return try await refuse(name, DropForm.noRoom)
      default: throw error
      }
    }
    if let reason = await keep(content, as: DropText.fileName(file, format)) {
      outcome.refused.append(DropOutcome.Refusal(name: name, reason: reason))
    }
  }

  private var ended: String { page == nil ? "Your session has ended." : "The page has ended." }

  /// Of the page; a member has all the room that there is. Nil if the page, or the member's session, has ended.
  private func left() async throws(StoreError) -> (bytes: UInt64, pictures: Int)? {
    guard let page else { return try await mayGoOn() ? (.max, .max) : nil }
    return try await club.drops.left(of: page)
  }

  /// Reads past the rest of a picture that is not kept.
  private mutating func refuse(_ name: String, _ reason: String) async throws(StoreError) {
    outcome.refused.append(DropOutcome.Refusal(name: name, reason: reason))
    try await skip()
  }

  private mutating func skip() async throws(StoreError) {
    while let chunk = try await next() {
      skipped += chunk.count
      guard skipped <= DropForm.mostSkipped else {
        throw StoreError(.badInput, "Too much of it was not for this page.")
      }
    }
  }

  private func next() async throws(StoreError) -> ByteChunk? {
    try checkTime()
    return try await form.next()
  }

  private func checkTime() throws(StoreError) {
    guard (ContinuousClock.now - began) / .seconds(1) < club.drops.slowestSeconds else {
      throw StoreError(.badInput, "The pictures came too slowly.")
    }
  }

  // MARK: Keeping

  private static let noRoom = "the club has no room for it"

  /// Keeps a whole picture under a free name, by the way of every upload. Returns the reason if it cannot be kept.
  private mutating func keep(_ content: Content, as name: String) async -> String? {
    let author = ServerAuthor(member, guest: page == nil ? nil : guest ?? DropText.somebody)
    let display = folder + "/" + name
    do {
      if let node = try await known(content, as: display) {
        // The form that brought it may have broken off before the name was kept.
        if node.author == author { await keepName(of: author) }
        await note(node, by: author)
        return nil
      }
      if page == nil, try await !mayGoOn() { return ended }
      if let page, try await !club.drops.claim(content.size, of: page, by: author) { return "the page takes no more" }
    } catch {
      return reason(error, name)
    }
    let node: ServerNode
    do {
      node = try await club.files.put(content, order(display, author, autorename: true))
    } catch {
      do throws(StoreError) { if let page { try await club.drops.giveBack(content.size, of: page, by: author) } } catch
      {
        club.files.logger.warning("A picture that was not kept counts for its page, too: \(error)")
      }
      return reason(error, name)
    }
    await keepName(of: author)
    await note(node, by: author)
    return nil
  }

  private func keepName(of author: ServerAuthor) async {
    do throws(StoreError) { if page != nil { try await club.drops.keep(author) } } catch {
      club.files.logger.warning("The name of a guest may be forgotten: \(error)")
    }
  }

  /// The same picture where it came before: under its name, or under a number that it got because the name was taken.
  private func known(_ content: Content, as display: String) async throws -> ServerNode? {
    var (name, number) = (display, 0)
    while let node = try await club.index.find(display: name) {
      if !node.isFolder, node.size == content.size, try await content.hash() == node.hash { return node }
      number += 1
      name = NumberedName.marked(path: display, " (\(number))")
    }
    return nil
  }

  /// Tells the giver of a picture that is in the club, and keeps its caption.
  private mutating func note(_ node: ServerNode, by author: ServerAuthor) async {
    outcome.kept.append(node.name)
    // The same picture may have been there before, from another.
    guard let caption, node.author == author else { return }
    do {
      let note = Content(Array((caption + "\n").utf8), pool: club.index.pool)
      _ = try await club.files.put(note, order(node.display + ".md", author, autorename: false))
    } catch {
      outcome.refused.append(
        DropOutcome.Refusal(name: "The caption of " + node.name, reason: reason(error, node.name + ".md")))
    }
  }

  private func order(_ display: String, _ author: ServerAuthor, autorename: Bool) -> CommitOrder {
    CommitOrder(
      display: display, mode: .add, autorename: autorename, isStrict: false, clientModified: nil, author: author)
  }

  private func reason(_ error: any Error, _ name: String) -> String {
    switch error {
    case let error as Tagged where error.tag == "insufficient_space": return DropForm.noRoom
    case let error as Tagged where error.tag == "conflict": return "something of that name is there already"
    case let error as StoreError where error.kind == .quota: return DropForm.noRoom
    case let error as StoreError where error.kind == .offline || error.kind == .rateLimited:
      return "the club's files cannot be reached at the moment"
    default:
      club.files.logger.warning("The picture \"\(name)\" of a form was not kept: \(error)")
      return "the server could not keep it"
    }
  }
}
