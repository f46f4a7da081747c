/// Tells calls to a store, each in one line once it has ended: what was asked, and what came of it.
struct CallLog: Sendable {
  let tell: @Sendable (String) -> Void

  /// Makes a call and tells it.
  /// - Parameter outcome: what came of it, in words.
  func callAsFunction<Value>(
    _ what: String, _ outcome: (Value) -> String, _ call: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    do throws(StoreError) {
      let value = try await call()
      tell("\(what): \(outcome(value))")
      return value
    } catch {
      tell("\(what): \(CallLog.words(error))")
      throw error
    }
  }

  /// How many bytes a file has.
  static func size(_ entry: FileEntry) -> String { entry.size.map { "\($0) bytes" } ?? "folder" }

  /// A failure, on one line.
  static func words(_ error: StoreError) -> String { "\(error.kind.rawValue): \(error.message.onOneLine)" }

  /// A path in quotes, on one line.
  static func quoted(_ path: StorePath) -> String { "\"\(path.description.onOneLine)\"" }
}

extension String {
  /// The text with its control characters escaped, so that it cannot forge a line of a log.
  package var onOneLine: String {
    var out = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        out += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
