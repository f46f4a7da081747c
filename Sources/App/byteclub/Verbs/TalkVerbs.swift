import ArgumentParser
import ClubServices
import FileStores
import JSON

/// What members say about notes and photos.
struct TalkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "talk",
    abstract: "Read and write remarks on notes and photos.",
    discussion: Examples.text([
      "byteclub talk add pier.jpg \"Is that the old crane?\"": "a remark on a photo",
      "byteclub talk add pier.jpg \"The vice.\" --at 132,-8.5": "in a direction of a panorama",
      "byteclub talk add Walk \"Low tide only.\" --on \"over the sand\"": "on words of a note",
      "byteclub talk ls Walk": "remarks with their answers and ids",
      "byteclub talk reply Walk k3f9q2xa \"At half tide, too.\"": "answer one",
      "byteclub talk reply Walk k3f9q2xa +1": "agree with one",
    ])
      + "\n\nRemarks lie beside the note or photo as plain text (Walk.md.talk.md), which any editor reads. byteclub only "
      + "adds to that file, so two members never conflict, and remarks made without the network are sent later. The name "
      + "beside a remark is what its writer's byteclub says.",
    subcommands: [TalkList.self, TalkAdd.self, TalkReply.self, TalkFix.self, TalkRemove.self, TalkJoin.self])
}

struct TalkList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the remarks on a note or photo: id, time, member and text.",
    discussion: Examples.text([
      "byteclub talk ls": "everything that has remarks, also what is gone",
      "byteclub talk ls Walk": "answers are indented below what they answer",
      "byteclub talk ls pier.jpg --json": "with id, member, time, text, place and re",
    ]))

  @Argument(
    help: "The note or photo; without it, all that have remarks, with the number.", completion: NameCompletion.files)
  var name: String?
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    guard let name else { return try await TalkList.all(session) }
    let thing = try await Talk.thing(named: name, session)
    let notes = session.open.notes
    var talk = try await notes.talk(about: thing)
    if !talk.remarks.isEmpty, let checked = try await notes.checkedTalk(about: thing) { talk = checked }
    var notices: [String] = []
    if talk.remarks.isEmpty { notices.append("Nobody has said anything about \"\(thing)\" yet.") }
    if !talk.strange.isEmpty {
      let lines =
        talk.strange.count == 1 ? "a line that is no remark" : "\(talk.strange.count) lines that are no remarks"
      notices.append("The file has \(lines): \"\(try Talk.path(of: thing))\".")
    }
    if talk.unread > 0 { notices.append("\(talk.unread) more remarks are not shown.") }
    if let words = talk.uncompared { notices.append(words) }
    var answer = Answer(talk.remarks.map { Record(.remark($0), lines: TalkList.lines($0)) })
    answer.notices = notices
    return answer
  }

  private static func all(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let things = try await notes.thingsWithTalk()
    var records: [Record] = []
    for (path, isGone) in things {
      var count: Int?
      do throws(StoreError) {
        count = try await notes.talk(about: path).count
      } catch {
        // The others are listed all the same.
        guard error.kind == .tooLarge else { throw error }
      }
      let json = JSONValue.members([
        "path": .string("\(path)"), "remarks": count.map { .number($0) }, "isGone": .bool(isGone),
      ])
      let words = count.map { "\($0)" } ?? "too many"
      records.append(Record(json, line: "\(path)  \(words)\(isGone ? "  gone" : "")"))
    }
    guard things.contains(where: { $0.isGone }) else { return Answer(records) }
    return Answer(records, notice: "Give the remarks on what is gone to another note or photo with: byteclub talk join")
  }

  /// A remark without answers that is withdrawn says so alone.
  private static func lines(_ remark: Talk.Remark) -> [String] {
    let indent = String(repeating: "  ", count: remark.depth)
    let time = RFC3339.text(remark.time)
    let place =
      switch remark.item.aim {
      case .direction(let yaw, let pitch): "  @\(yaw),\(pitch)"
      case .words(let words): "  on \"\(words)\""
      default: ""
      }
    let agreed = remark.agreed.isEmpty ? "" : "  +1 \(remark.agreed.joined(separator: ", "))"
    let text = remark.isWithdrawn ? ["(withdrawn)"] : remark.text.split(separator: "\n").map { String($0) }
    let first = "\(indent)\(remark.id)  \(time)  \(remark.claim)\(place)\(agreed)"
    return [first] + text.map { "\(indent)  \($0)" }
  }
}

struct TalkAdd: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Say something about a note or photo. Prints the id of the remark.",
    discussion: Examples.text([
      "byteclub talk add Walk \"Low tide only.\"": "on the whole note",
      "byteclub talk add Walk \"Low tide only.\" --on \"over the sand\"": "on words of it",
      "byteclub talk add pier.jpg \"The vice.\" --at 132,-8.5": "at a yaw and a pitch, in degrees",
      "byteclub talk add Walk < long.txt": "from standard input",
    ]))

  @Argument(help: "The note or photo.", completion: NameCompletion.files) var name: String
  @Argument(help: "The remark; - or nothing is standard input.") var text: String = "-"
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The direction in a panorama: 0,0 is the centre of the picture; right and up are positive.",
      valueName: "yaw,pitch"))
  var at: TalkDirection?
  @Option(help: ArgumentHelp("The words of the note that the remark is about.", valueName: "words")) var on: String?
  @OptionGroup var shared: SharedOptions

  var readsInput: Bool { text == "-" }

  func path(ofInput text: [UInt8], _ setup: ClubSetup) throws(StoreError) -> StorePath { try Talk.draft(name) }

  func validate() throws {
    if at != nil, on != nil { throw ValidationError("--at and --on name two places. Leave one of them out.") }
    if on?.isEmpty == true { throw ValidationError("--on needs words of the note.") }
    if text == "-" { try StandardInput.checkOpen() }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let aim: TalkItem.Aim =
      if let at { .direction(yaw: at.yaw, pitch: at.pitch) } else if let on { .words(on) } else { .whole }
    return try await session.say(text, aim, about: name)
  }
}

/// A text about a remark: its note or photo, which may be left out, the remark's id, and the text.
protocol TalkAnswerVerb: ClubVerb {
  var words: [String] { get }
}

extension TalkAnswerVerb {
  var changesClub: Bool { true }
  var readsInput: Bool { words.last == "-" }

  func path(ofInput text: [UInt8], _ setup: ClubSetup) throws(StoreError) -> StorePath {
    try Talk.draft(words.first ?? "")
  }

  func validate() throws { try TalkTarget.check(words, textFollows: true) }
}

struct TalkReply: TalkAnswerVerb {
  static let configuration = CommandConfiguration(
    commandName: "reply", abstract: "Answer a remark, or agree with it.",
    discussion: Examples.text([
      "byteclub talk reply Walk k3f9q2xa \"At half tide, too.\"": "answer the remark with this id",
      "byteclub talk reply k3f9q2xa \"At half tide, too.\"": "without the name byteclub looks through the club",
      "byteclub talk reply Walk k3f9q2xa +1": "agree",
    ]))

  @Argument(help: "The note or photo (you may leave it out), the id, and the answer; - is standard input.")
  var words: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let (target, text) = (TalkTarget(words.dropLast()), words.last ?? "")
    let name = try await target.name(session)
    return try await session.say(
      text == "+1" ? "" : text, text == "+1" ? .agreement(with: target.id) : .reply(to: target.id), about: name)
  }
}

struct TalkFix: TalkAnswerVerb {
  static let configuration = CommandConfiguration(
    commandName: "fix", abstract: "Correct a remark of yours.",
    discussion: Examples.text(["byteclub talk fix Walk k3f9q2xa \"Low tide only!\"": "the new text"]))

  @Argument(help: "The note or photo (you may leave it out), the id, and the new text; - is standard input.")
  var words: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let target = TalkTarget(words.dropLast())
    return try await session.say(words.last ?? "", .correction(of: target.id), about: try await target.name(session))
  }
}

struct TalkRemove: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Withdraw a remark of yours.",
    discussion: Examples.text(["byteclub talk rm Walk k3f9q2xa": "its text is shown no more; the file keeps it"]))

  @Argument(help: "The note or photo (you may leave it out), and the id.") var words: [String]
  @OptionGroup var shared: SharedOptions

  func validate() throws { try TalkTarget.check(words, textFollows: false) }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let target = TalkTarget(words[...])
    return try await session.say("", .withdrawal(of: target.id), about: try await target.name(session))
  }
}

struct TalkJoin: ChangingVerb {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Give the remarks on a note or photo that is gone to another one.",
    discussion: Examples.text([
      "byteclub talk join \"Old walk.md\" Walk": "below the remarks on Walk",
      "byteclub talk join photos/pier.jpg quay.jpg": "a photo by its path",
    ]))

  @Argument(help: "The path of what is gone, as talk ls has it.") var gone: String
  @Argument(help: "The note or photo that gets its remarks.", completion: NameCompletion.files) var name: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let thing = try await Talk.thing(named: name, session)
    let file = try await session.open.notes.joinTalk(ofGone: try StorePath(Array(gone.utf8)), to: thing)
    try await session.refuseWaiting("The move of the remarks on \"\(gone)\" to \"\(thing)\"", at: file)
    return Answer([Record(.members(["path": .string("\(file)")]), line: "\(file)")])
  }
}

/// A direction as a member writes it: `132,-8.5`.
struct TalkDirection: ExpressibleByArgument {
  let yaw, pitch: Double

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let yaw = numbers[0], let pitch = numbers[1], abs(yaw) <= 360, abs(pitch) <= 90 else {
      return nil
    }
    (self.yaw, self.pitch) = (yaw, pitch)
  }
}

/// The remark that a command is about: its id, with or without the name of the note or photo.
private struct TalkTarget {
  let named: String?
  let id: String

  init(_ words: ArraySlice<String>) { (named, id) = (words.count > 1 ? words.first : nil, words.last ?? "") }

  static func check(_ words: [String], textFollows: Bool) throws {
    let place = words.count - (textFollows ? 2 : 1)
    guard (0...1).contains(place), TalkItem.isID(words[place]) else {
      throw ValidationError(
        "Name the remark by its id\(textFollows ? ", then the text" : ""). See the ids with: byteclub talk ls NAME")
    }
    if textFollows, words.last == "-" { try StandardInput.checkOpen() }
  }

  func name(_ session: Session) async throws(StoreError) -> String {
    if let named { return named }
    let notes = session.open.notes
    for (thing, isGone) in try await notes.thingsWithTalk() where !isGone {
      let talk = try await notes.talk(about: thing)
      if talk.remark(id) != nil || talk.door(id) != nil { return "\(thing)" }
    }
    throw StoreError(
      .notFound, "The club has no remark \(id).", remedy: "See the ids of a note's with: byteclub talk ls NAME")
  }
}

extension Talk {
  /// The path of a draft for a remark that did not arrive: a note of its own.
  fileprivate static func draft(_ name: String) throws(StoreError) -> StorePath {
    try HeldText.path(like: "Remark on \(name)")
  }

  /// The note of this name, else the photo.
  /// - Throws: `notFound`.
  fileprivate static func thing(named name: String, _ session: Session) async throws(StoreError) -> StorePath {
    let note = try await ifThere(or: [.badName]) { () throws(StoreError) in
      try await NoteName.path(name, session.open.notes)
    }
    if let note { return note }
    if let photo = try await PhotoName.find(name, session.open.photos) { return photo.path }
    let folder = "\(session.open.club.photosFolder)/"
    if name.hasPrefix(folder),
      let photo = try await session.open.photos.entry(named: String(name.dropFirst(folder.count)))
    {
      return photo.path
    }
    throw StoreError(
      .notFound, "The club has no note and no photo \"\(name)\".",
      remedy: "See the names with: byteclub note ls, byteclub photo ls")
  }
}

extension Session {
  /// Adds an item to the remarks on a note or photo.
  fileprivate func say(
    _ typed: String, _ aim: TalkItem.Aim, about name: String
  ) async throws(StoreError) -> Answer {
    let thing = try await Talk.thing(named: name, self)
    var bytes = Array(typed.utf8)
    if typed == "-" { bytes = try await TextInput.read("-", self) }
    let text = String(decoding: bytes, as: UTF8.self)
    switch aim {
    case .agreement, .withdrawal: break
    default:
      guard text.contains(where: { !$0.isWhitespace }) else {
        throw StoreError(.badInput, "The remark is empty.", remedy: "Write it behind the name, in quotes.", path: thing)
      }
    }
    let (item, outcome) = try await open.notes.say(text, aim, about: thing)
    let record = Record(.remark(item), line: item.id)
    switch outcome {
    case .saved(let entry): return Answer([record], notice: "Added to \"\(entry.path)\".")
    case .merged(let merged): return Answer([record], notice: merged.sentence)
    case .kept(_, let error): throw kept(try Talk.path(of: thing), error)
    case .conflict, .deleted:
      throw StoreError(
        .conflict, "Someone else changed \"\(try Talk.path(of: thing))\" in the meantime.", remedy: "Try again.",
        path: thing)
    }
  }
}

extension JSONValue {
  static func remark(_ item: TalkItem) -> JSONValue { .members(members(of: item, text: item.text)) }

  static func remark(_ remark: Talk.Remark) -> JSONValue {
    JSONValue.members(members(of: remark.item, text: remark.isWithdrawn ? nil : remark.text)).adding([
      JSONMember("agreed", .array(remark.agreed.map { .string($0) })),
      JSONMember("isCorrected", .bool(remark.isCorrected)),
      JSONMember("isWithdrawn", .bool(remark.isWithdrawn)),
      JSONMember("broughtBy", remark.bringer.map { .string($0) } ?? .null),
    ])
  }

  private static func members(of item: TalkItem, text: String?) -> KeyValuePairs<String, JSONValue?> {
    let place: JSONValue? =
      switch item.aim {
      case .direction(let yaw, let pitch): .members(["yaw": .fraction(yaw), "pitch": .fraction(pitch)])
      case .words(let words): .members(["words": .string(words)])
      default: nil
      }
    return [
      "id": .string(item.id),
      "member": .string(item.member),
      "time": .string(RFC3339.text(item.time)),
      "text": text.map { .string($0) },
      "place": place,
      "re": item.target.map { .string($0) },
    ]
  }
}
