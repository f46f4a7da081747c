import ArgumentParser
import JSON
import Logging
import StoreServer

/// The form of the log: a line of text, or one JSON object a line.
enum LogForm: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text
  case json

  /// A line of the log, without its end.
  /// - Parameter stamp: the time, RFC 3339.
  func line(_ stamp: String, _ event: LogEvent, _ label: String, _ metadata: Logger.Metadata) -> String {
    let error = event.error.map { " (\($0))" } ?? ""
    let sorted = metadata.sorted { $0.key < $1.key }
    switch self {
    case .text:
      let facts = sorted.map { "\($0.key)=\($0.value) " }.joined()
      return LogForm.oneLine("\(stamp) \(event.level) \(label): \(facts)\(event.message)\(error)")
    case .json:
      let facts = sorted.map { JSONMember(LogForm.key($0.key), .string("\($0.value)")) }
      let head = [
        JSONMember("time", .string(stamp)), JSONMember("level", .string(event.level.rawValue)),
        JSONMember("logger", .string(label)), JSONMember("message", .string("\(event.message)\(error)")),
      ]
      return JSONValue.object(head + facts).encoded
    }
  }

  /// The line of an answered request.
  func line(_ stamp: String, _ record: AccessRecord, _ label: String) -> String {
    switch self {
    case .text:
      return LogForm.oneLine("\(stamp) info \(label): hb.request.id=\(record.request) \(record.line)")
    case .json:
      return JSONValue.members([
        "time": .string(stamp), "level": "info", "logger": .string(label),
        "message": .string("\(record.method) \(record.call) \(record.status)"), "request": .string(record.request),
        "client": .string(record.client), "member": record.member.map(JSONValue.string) ?? .null,
        "club": record.club.map(JSONValue.string) ?? .null, "method": .string(record.method),
        "call": .string(record.call), "page": record.page.map(JSONValue.string),
        "status": .integer(Int64(record.status)),
        "bytesIn": .integer(Int64(clamping: record.received)), "bytesOut": .integer(Int64(clamping: record.sent)),
        "milliseconds": .integer(Int64(record.milliseconds)), "chaos": record.chaos.map(JSONValue.string),
      ]).encoded
    }
  }

  private static func key(_ name: String) -> String { name == "hb.request.id" ? "request" : name }

  /// Control characters, which names of files may have, would forge lines or drive a terminal.
  private static func oneLine(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        line += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}
