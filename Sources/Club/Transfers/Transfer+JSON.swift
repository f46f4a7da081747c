internal import Basics
package import FileStores
package import JSON

// The JSON of orders, records and transfers, in the journal's rows and between processes. Keys may be added but never
// change their meaning; a change that an older byteclub would misread needs another `TransferRecord.version`.

extension TransferRecord {
  /// The version of the rows. Rows without a version have version 1.
  static let version = 1

  /// The row's body. The id and the position have their own columns.
  package var json: JSONValue {
    .members([
      "version": .number(Self.version),
      "order": order.json,
      "created": created.json,
      "phase": .string(phase.rawValue),
      "path": JSONValue(bytes: path.bytes),
      "session": session.map { .string($0.id) },
      "sessionBegan": sessionBegan?.json,
      "sessionEnds": sessionEnds?.json,
      "offset": JSONValue(unsigned: offset),
      "total": total.map { JSONValue(unsigned: $0) },
      "modified": modified?.json,
      "sourceStamp": sourceStamp.map { .string($0) },
      "revision": revision.map { .string($0.value) },
      "hash": contentHash.map { .string($0.hex) },
      "part": part.map { JSONValue(bytes: $0) },
      "partBoot": partBoot.map { .string($0) },
      "attempts": .number(attempts),
      "restarts": .number(restarts),
      "notBefore": notBefore?.json,
      "error": error?.json,
      "place": place.map { .string($0) },
      "ended": ended?.json,
      "isTold": .bool(isAcknowledged),
    ])
  }

  /// - Throws: `corrupt` if the body is unreadable; `unsupported` if a later version wrote it.
  package init(_ json: JSONValue, id: Transfer.ID, position: Int64) throws(StoreError) {
    let phase: Phase? = try Phase(rawValue: json.string("phase"))
    guard try json.optional("version", JSONValue.integer) ?? 1 <= Self.version, let phase else {
      throw StoreError(.unsupported, "This byteclub does not know the state of the transfer \"\(id)\".")
    }
    self.init(
      id: id, order: try TransferOrder(json.member("order")), created: try json.required("created", JSONValue.time),
      position: position)
    self.phase = phase
    path = try json.required("path", JSONValue.storePath)
    session = try json.optional("session", JSONValue.string).map { UploadSession($0) }
    sessionBegan = try json.optional("sessionBegan", JSONValue.time)
    sessionEnds = try json.optional("sessionEnds", JSONValue.time)
    offset = try json.required("offset", JSONValue.unsigned)
    total = try json.optional("total", JSONValue.unsigned)
    modified = try json.optional("modified", JSONValue.time)
    sourceStamp = try json.optional("sourceStamp", JSONValue.string)
    revision = try json.optional("revision", JSONValue.string).map { Revision($0) }
    contentHash = try json.optional("hash", JSONValue.string).flatMap { ContentHash(hex: $0) }
    part = try json.optional("part", JSONValue.bytes)
    partBoot = try json.optional("partBoot", JSONValue.string)
    attempts = try json.required("attempts", JSONValue.integer)
    restarts = try json.required("restarts", JSONValue.integer)
    notBefore = try json.optional("notBefore", JSONValue.time)
    error = try json.optional("error", StoreError.init(json:))
    place = try json.optional("place", JSONValue.string)
    ended = try json.optional("ended", JSONValue.time)
    // Rows of the first versions lack this member.
    isAcknowledged = try json.optional("isTold", JSONValue.boolean) ?? (ended != nil)
  }
}

extension TransferOrder {
  package var json: JSONValue {
    var upload: JSONValue?
    var folder: JSONValue?
    switch work {
    case .upload(let file, let size, let hash, let name, let number):
      upload = .members([
        "file": .string(file), "size": JSONValue(unsigned: size), "hash": hash.map { .string($0.hex) },
        "name": JSONValue(bytes: name), "number": .number(number),
      ])
    case .download(let target): folder = .string(target)
    }
    return .members([
      "club": .string(club), "store": .string(store), "path": JSONValue(bytes: path.bytes), "name": .string(name),
      "renamedFrom": renamedFrom.map { .string($0) }, "stamp": sourceStamp.map { .string($0) }, "upload": upload,
      "downloadFolder": folder,
    ])
  }

  /// - Throws: `corrupt` if the value is no order.
  package init(_ json: JSONValue) throws(StoreError) {
    let work: Work
    if let upload = json["upload"] {
      work = .upload(
        file: try upload.string("file"), size: try upload.required("size", JSONValue.unsigned),
        contentHash: try upload.optional("hash", JSONValue.string).flatMap { ContentHash(hex: $0) },
        name: try upload.required("name", JSONValue.bytes), number: try upload.required("number", JSONValue.integer))
    } else {
      work = .download(folder: try json.string("downloadFolder"))
    }
    self.init(
      club: try json.string("club"), store: try json.string("store"), work: work,
      path: try json.required("path", JSONValue.storePath), name: try json.string("name"),
      renamedFrom: try json.optional("renamedFrom", JSONValue.string),
      sourceStamp: try json.optional("stamp", JSONValue.string))
  }
}

extension Transfer {
  package var json: JSONValue {
    .members([
      "id": .string(id), "direction": .string(direction.rawValue), "name": .string(name),
      "path": JSONValue(bytes: path.bytes), "club": .string(club), "store": .string(store),
      "renamedFrom": renamedFrom.map { .string($0) },
      "local": .string(local), "state": .string(state.rawValue), "sent": JSONValue(unsigned: sent),
      "kept": kept.map { JSONValue(unsigned: $0) },
      "total": total.map { JSONValue(unsigned: $0) },
      "rate": rate.flatMap { $0.isFinite ? .fraction($0) : nil }, "secondsLeft": secondsLeft.map { .number($0) },
      "attempts": .number(attempts), "restarts": .number(restarts), "error": error?.json,
      "resumesAt": resumesAt?.json, "keptUntil": keptUntil?.json, "place": place.map { .string($0) },
      "isTold": .bool(isAcknowledged), "entry": entry?.json,
      "contentHash": contentHash.map { .string($0.hex) },
    ])
  }

  /// - Throws: `corrupt` if the value is no transfer or has a state or direction that this build does not know.
  package init(_ json: JSONValue) throws(StoreError) {
    let id = try json.string("id")
    guard let direction = Direction(rawValue: try json.string("direction")),
      let state = TransferState(rawValue: try json.string("state"))
    else { throw StoreError(.corrupt, "The transfer \"\(id)\" has details that this byteclub cannot read.") }
    self.init(
      id: id, direction: direction, name: try json.string("name"), path: try json.required("path", JSONValue.storePath))
    self.state = state
    club = try json.string("club")
    store = try json.optional("store", JSONValue.string) ?? ""
    renamedFrom = try json.optional("renamedFrom", JSONValue.string)
    local = try json.string("local")
    sent = try json.required("sent", JSONValue.unsigned)
    kept = try json.optional("kept", JSONValue.unsigned)
    total = try json.optional("total", JSONValue.unsigned)
    rate = try json.optional("rate", JSONValue.real)
    secondsLeft = try json.optional("secondsLeft", JSONValue.integer)
    attempts = try json.required("attempts", JSONValue.integer)
    restarts = try json.required("restarts", JSONValue.integer)
    error = try json.optional("error", StoreError.init(json:))
    resumesAt = try json.optional("resumesAt", JSONValue.time)
    keptUntil = try json.optional("keptUntil", JSONValue.time)
    place = try json.optional("place", JSONValue.string)
    isAcknowledged = try json.optional("isTold", JSONValue.boolean) ?? true
    entry = try json.optional("entry", FileEntry.init(json:))
    contentHash = try json.optional("contentHash", JSONValue.string).flatMap(ContentHash.init(hex:))
  }
}

extension StoreError {
  package var json: JSONValue {
    .members([
      "kind": .string(kind.rawValue), "message": .string(message), "remedy": remedy.isEmpty ? nil : .string(remedy),
      "path": path.map { JSONValue(bytes: $0.bytes) },
      "retryAfter": retryAfter.map { time in
        .fraction(Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18)
      },
      "current": current?.json, "isWrongAnswer": isWrongAnswer ? true : nil,
    ])
  }

  /// A kind that this build does not know becomes `server`.
  package init(json: JSONValue) throws(StoreError) {
    let wait = try json.optional("retryAfter", JSONValue.real)
    self.init(
      Kind(rawValue: try json.string("kind")) ?? .server, try json.string("message"),
      remedy: try json.optional("remedy", JSONValue.string) ?? "",
      path: try json.optional("path", JSONValue.storePath),
      retryAfter: wait.flatMap { (0...1e9).contains($0) ? .seconds($0) : nil },
      current: try json.optional("current", FileEntry.init(json:)),
      isWrongAnswer: try json.optional("isWrongAnswer", JSONValue.boolean) ?? false)
  }
}

extension FileEntry {
  package var json: JSONValue {
    .members([
      "path": JSONValue(bytes: path.bytes), "isFolder": kind == .folder ? true : nil,
      "size": size.map { JSONValue(unsigned: $0) }, "modified": modified?.json,
      "revision": revision.map { .string($0.value) }, "hash": contentHash.map { .string($0.hex) },
      "member": member.map { .string($0) },
    ])
  }

  package init(json: JSONValue) throws(StoreError) {
    self.init(
      path: try json.required("path", JSONValue.storePath),
      kind: try json.optional("isFolder", JSONValue.boolean) == true ? .folder : .file,
      size: try json.optional("size", JSONValue.unsigned), modified: try json.optional("modified", JSONValue.time),
      revision: try json.optional("revision", JSONValue.string).map { Revision($0) },
      contentHash: try json.optional("hash", JSONValue.string).flatMap { ContentHash(hex: $0) },
      member: try json.optional("member", JSONValue.string))
  }
}

extension Timestamp {
  fileprivate var json: JSONValue { .integer(nanoseconds) }
}

extension JSONValue {
  /// Bytes that are nearly always text, as text if possible, else as `{"base64":"…"}`.
  package init(bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = .string(text)
    } else {
      self = .members(["base64": .string(Base64.text(of: bytes))])
    }
  }

  /// A number beyond `Int64.max` loses its last digits.
  package init(unsigned number: UInt64) {
    self = Int64(exactly: number).map { .integer($0) } ?? .fraction(Double(number))
  }

  /// - Throws: `corrupt` if the member is missing or has another type, like the functions below.
  package func required<Value>(
    _ key: String, _ read: (JSONValue) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try read(member(key))
  }

  package func optional<Value>(
    _ key: String, _ read: (JSONValue) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    guard let value = self[key] else { return nil }
    return try read(value)
  }

  package func member(_ key: String) throws(StoreError) -> JSONValue {
    guard let value = self[key] else { throw .unreadable("\"\(key)\" is missing") }
    return value
  }

  package func string(_ key: String) throws(StoreError) -> String { try JSONValue.string(member(key)) }

  package static func string(_ value: JSONValue) throws(StoreError) -> String {
    guard let text = value.text else { throw .unreadable("a text was expected") }
    return text
  }

  package static func boolean(_ value: JSONValue) throws(StoreError) -> Bool {
    guard let boolean = value.boolean else { throw .unreadable("true or false was expected") }
    return boolean
  }

  package static func integer(_ value: JSONValue) throws(StoreError) -> Int {
    guard case .integer(let number) = value else { throw .unreadable("a whole number was expected") }
    return Int(number)
  }

  package static func unsigned(_ value: JSONValue) throws(StoreError) -> UInt64 {
    switch value {
    case .integer(let number) where number >= 0: return UInt64(number)
    case .fraction(let number) where number >= 0 && number.rounded() == number:
      return UInt64(exactly: number) ?? .max
    default: throw .unreadable("a number of bytes was expected")
    }
  }

  package static func real(_ value: JSONValue) throws(StoreError) -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .fraction(let number): return number
    default: throw .unreadable("a number was expected")
    }
  }

  package static func time(_ value: JSONValue) throws(StoreError) -> Timestamp {
    guard case .integer(let number) = value else { throw .unreadable("a time was expected") }
    return Timestamp(nanoseconds: number)
  }

  package static func bytes(_ value: JSONValue) throws(StoreError) -> [UInt8] {
    if let text = value.text { return Array(text.utf8) }
    guard let bytes = Base64.bytes(of: try value.string("base64")) else { throw .unreadable("base64 was expected") }
    return bytes
  }

  package static func storePath(_ value: JSONValue) throws(StoreError) -> StorePath { try StorePath(bytes(value)) }
}

extension StoreError {
  fileprivate static func unreadable(_ reason: String) -> StoreError {
    StoreError(.corrupt, "The details of a transfer cannot be read: \(reason).")
  }
}
