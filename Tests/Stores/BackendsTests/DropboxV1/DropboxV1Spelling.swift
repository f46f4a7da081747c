import Backends
import FileStores
import TestKit

extension ScriptedTransport.Recorded {
  /// The request as text.
  var spelledV1: String {
    let kind =
      switch request.kind {
      case .call: "call"
      case .content: "content"
      case .shortContent: "short content"
      case .longPoll: "long poll"
      }
    var lines = ["\(request.method) \(request.url) (\(kind)\(request.isRepeatable ? ", may be repeated" : ""))"]
    lines += request.headers.fields.map { "\($0.name): \($0.value)" }
    if !body.isEmpty { lines += ["", text] }
    return lines.flatMap { $0.split(separator: "\r\n", omittingEmptySubsequences: false) }
      .map { $0.isEmpty ? ">" : "> " + $0 }.joined(separator: "\n")
  }
}

extension ScriptedTransport.Answer {
  /// The answer as text.
  var spelledV1: String {
    guard case .response(let response, let bytes) = self else { return "< nothing\n" }
    var lines = [String(response.status)] + response.headers.fields.map { "\($0.name): \($0.value)" }
    if !bytes.isEmpty { lines += ["", String(decoding: bytes, as: UTF8.self)] }
    return lines.map { $0.isEmpty ? "<" : "< " + $0 }.joined(separator: "\n") + "\n"
  }
}

extension FileEntry {
  /// The entry as text.
  var spelledV1: String {
    var words = ["\(kind)", "\"\(path)\""]
    if let size { words.append("\(size) bytes") }
    if let modified { words.append("modified \(modified.seconds)") }
    if let revision { words.append("revision \(revision)") }
    return words.joined(separator: ", ")
  }
}

extension ChangeSet {
  /// The set as text.
  var spelledV1: String {
    var lines = changes.map { change in
      switch change {
      case .present(let entry): "present " + entry.spelledV1
      case .absent(let path): "absent \"\(path)\""
      }
    }
    lines.append("cursor \(cursor.value)" + (mustRelist ? ", list anew" : ""))
    if let lateness { lines.append("late: \(lateness)") }
    return lines.joined(separator: "\n")
  }
}
