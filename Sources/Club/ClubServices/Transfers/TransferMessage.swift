import FileStores
import JSON
import Transfers

/// The messages between the transfers' server and its clients: one JSON object a line, with one member. The client
/// numbers its requests, and each answer repeats the number.
enum TransferMessage: Sendable, Hashable {
  /// Another version is refused. Every version has `hello` and `refused` in this form.
  static let version = 4
  static let maxRequestBytes = 4 << 20
  /// The longest line that a client reads: a long list is one line.
  static let maxAnswerBytes = 256 << 20
  static let ordersAtOnce = 500

  // Requests. `hello` comes first, and only then; `journal` is the client's journal file.
  case hello(version: Int, journal: String)
  case add(Int, [TransferOrder])
  case perform(Int, TransferCommand)
  /// All, or those of one file of this machine. An owner of an earlier version answers with all.
  case list(Int, ofLocal: String?)
  case askLimit(Int)
  case attach(Int)

  // Answers. The connection ends after `refused`.
  case welcome(version: Int, process: Int32)
  case refused(StoreError)
  case added(Int, [Transfer.ID])
  case done(Int)
  case failed(Int, StoreError)
  case listed(Int, [Transfer])
  case limit(Int, UInt64?)

  case event(TransferEvent)

  var line: [UInt8] { Array(JSONValue.object([member]).encoded.utf8) }

  init?(_ line: [UInt8], maxBytes: Int) {
    var options = JSONReader.Options()
    options.mostBytes = maxBytes
    guard case .object(let members)? = try? JSONReader.read(line, options), members.count == 1,
      let message = try? TransferMessage(members[0].key, members[0].value)
    else { return nil }
    self = message
  }

  var answered: Int? {
    switch self {
    case .added(let number, _), .done(let number), .failed(let number, _), .listed(let number, _),
      .limit(let number, _):
      number
    default: nil
    }
  }

  private var member: JSONMember {
    func numbered(_ key: String, _ number: Int, _ name: String? = nil, _ value: JSONValue? = nil) -> JSONMember {
      JSONMember(
        key,
        .object([JSONMember("number", .number(number))]).adding(name.map { [JSONMember($0, value ?? .null)] } ?? []))
    }
    return switch self {
    case .hello(let version, let journal):
      JSONMember("hello", .members(["version": .number(version), "journal": .string(journal)]))
    case .add(let number, let orders): numbered("add", number, "orders", .array(orders.map(\.json)))
    case .perform(let number, let command): numbered("perform", number, "command", command.json)
    case .list(let number, let file): numbered("list", number, file.map { _ in "local" }, file.map { .string($0) })
    case .askLimit(let number): numbered("askLimit", number)
    case .attach(let number): numbered("attach", number)
    case .welcome(let version, let process):
      JSONMember("welcome", .members(["version": .number(version), "process": .number(process)]))
    case .refused(let error): JSONMember("refused", .members(["error": error.json]))
    case .added(let number, let ids): numbered("added", number, "ids", .array(ids.map { .string($0) }))
    case .done(let number): numbered("done", number)
    case .failed(let number, let error): numbered("failed", number, "error", error.json)
    case .listed(let number, let transfers): numbered("listed", number, "transfers", .array(transfers.map(\.json)))
    case .limit(let number, let rate): numbered("limit", number, "bytesPerSecond", rate.map { JSONValue(unsigned: $0) })
    case .event(let event): event.member
    }
  }

  private init(_ key: String, _ value: JSONValue) throws(StoreError) {
    var number: Int { get throws(StoreError) { try value.required("number", JSONValue.integer) } }
    var version: Int { get throws(StoreError) { try value.required("version", JSONValue.integer) } }
    switch key {
    case "hello": self = .hello(version: try version, journal: try value.string("journal"))
    case "add":
      self = .add(try number, try value.list("orders") { (order) throws(StoreError) in try TransferOrder(order) })
    case "perform": self = .perform(try number, try TransferCommand(value.member("command")))
    case "list": self = .list(try number, ofLocal: try value.optional("local", JSONValue.string))
    case "askLimit": self = .askLimit(try number)
    case "attach": self = .attach(try number)
    case "welcome":
      self = .welcome(
        version: try version, process: Int32(truncatingIfNeeded: try value.required("process", JSONValue.integer)))
    case "refused": self = .refused(try StoreError(json: value.member("error")))
    case "added": self = .added(try number, try value.list("ids", JSONValue.string))
    case "done": self = .done(try number)
    case "failed": self = .failed(try number, try StoreError(json: value.member("error")))
    case "listed":
      self = .listed(try number, try value.list("transfers") { (item) throws(StoreError) in try Transfer(item) })
    case "limit": self = .limit(try number, try value.optional("bytesPerSecond", JSONValue.unsigned))
    default: self = .event(try TransferEvent(key, value))
    }
  }
}

extension TransferEvent {
  fileprivate var member: JSONMember {
    switch self {
    case .appeared(let transfer): JSONMember("appeared", transfer.json)
    case .progressed(let transfer): JSONMember("progressed", transfer.json)
    case .resumed(let transfer): JSONMember("resumed", transfer.json)
    case .entered(let transfer): JSONMember("entered", transfer.json)
    case .finished(let transfer): JSONMember("finished", transfer.json)
    case .disappeared(let id): JSONMember("disappeared", .string(id))
    case .reordered(let ids): JSONMember("reordered", .array(ids.map { .string($0) }))
    }
  }

  fileprivate init(_ key: String, _ value: JSONValue) throws(StoreError) {
    switch key {
    case "appeared": self = .appeared(try Transfer(value))
    case "progressed": self = .progressed(try Transfer(value))
    case "resumed": self = .resumed(try Transfer(value))
    case "entered": self = .entered(try Transfer(value))
    case "finished": self = .finished(try Transfer(value))
    case "disappeared": self = .disappeared(try JSONValue.string(value))
    case "reordered":
      var ids: [Transfer.ID] = []
      for id in value.elements ?? [] { ids.append(try JSONValue.string(id)) }
      self = .reordered(ids)
    default: throw .unknown(key)
    }
  }
}

extension TransferCommand {
  fileprivate var json: JSONValue {
    func one(_ key: String, _ id: Transfer.ID) -> JSONValue {
      .object([JSONMember(key, .members(["id": .string(id)]))])
    }
    return switch self {
    case .pause(let id): one("pause", id)
    case .resume(let id): one("resume", id)
    case .cancel(let id): one("cancel", id)
    case .retry(let id): one("retry", id)
    case .dismiss(let id): one("dismiss", id)
    case .acknowledge(let id): one("acknowledge", id)
    case .move(let id, let move):
      .object([JSONMember("move", .members(["id": .string(id), "to": .string(move.rawValue)]))])
    case .pauseAll: .object([JSONMember("pauseAll", .object([]))])
    case .limit(let rate):
      .object([JSONMember("limit", .members(["bytesPerSecond": rate.map { JSONValue(unsigned: $0) }]))])
    }
  }

  fileprivate init(_ json: JSONValue) throws(StoreError) {
    guard case .object(let members) = json, members.count == 1 else { throw .unknown("") }
    let (key, value) = (members[0].key, members[0].value)
    switch key {
    case "pause": self = .pause(try value.string("id"))
    case "resume": self = .resume(try value.string("id"))
    case "cancel": self = .cancel(try value.string("id"))
    case "retry": self = .retry(try value.string("id"))
    case "dismiss": self = .dismiss(try value.string("id"))
    case "acknowledge": self = .acknowledge(try value.string("id"))
    case "move":
      guard let move = TransferMove(rawValue: try value.string("to")) else { throw .unknown(key) }
      self = .move(try value.string("id"), move)
    case "pauseAll": self = .pauseAll
    case "limit": self = .limit(try value.optional("bytesPerSecond", JSONValue.unsigned))
    default: throw .unknown(key)
    }
  }
}

extension JSONValue {
  fileprivate func list<Value>(
    _ key: String, _ read: (JSONValue) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    guard let elements = try member(key).elements else { throw .unknown(key) }
    var values: [Value] = []
    for element in elements { values.append(try read(element)) }
    return values
  }
}

extension StoreError {
  fileprivate static func unknown(_ key: String) -> StoreError {
    StoreError(.corrupt, "Another byteclub sent a message that this one does not know: \"\(key)\".")
  }
}
