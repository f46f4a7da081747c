import Glibc

/// Results go to standard output, everything else to standard error.
enum Output {
  static func say(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }
  static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }
  /// The sentence with the program's name in front, unless it begins with that.
  static func named(_ sentence: String) -> String {
    sentence.hasPrefix("byteclub ") ? sentence : "byteclub: " + sentence
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
    }
  }
}
