import FileStores
import Transfers

/// A text that a command is given.
enum TextInput {
  /// The whole text of a file, or of standard input for `-`. A member at a terminal reads how to end the text.
  /// - Throws: `notFound`, `notPermitted`, `badInput`; `cancelled`.
  static func read(_ file: String, _ session: Session) async throws(StoreError) -> [UInt8] {
    guard file == "-" else {
      var reading = try await FileSource(path: file, pool: session.setup.pool).open(at: 0)
      var bytes: [UInt8] = []
      while let chunk = try await reading.next() { bytes += chunk }
      return bytes
    }
    if StandardInput.isTerminal { session.notice("Type the note. Ctrl-D at the beginning of a line ends it.") }
    return try await StandardInput.read(session.setup.pool)
  }
}
