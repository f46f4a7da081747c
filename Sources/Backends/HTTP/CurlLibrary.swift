internal import CCurl
internal import FileStores

/// libcurl itself, which is loaded when the first request is made.
enum CurlLibrary {
  private static let remedy = "On Debian and Ubuntu: sudo apt-get install libcurl4"

  /// Loads it, once for the process.
  /// - Throws: `unsupported` when it is not there or too old.
  static func load(_ name: String) throws(StoreError) {
    var words = [CChar](repeating: 0, count: 256)
    switch cc_load(name, &words, words.count) {
    case 0: return
    case 1:
      throw StoreError(
        .unsupported, "byteclub needs libcurl for the network, and this machine lacks it (\(text(words))).",
        remedy: remedy)
    default:
      throw StoreError(
        .unsupported, "byteclub needs libcurl 7.80 or newer, and the installed version does not work: \(text(words)).",
        remedy: remedy)
    }
  }

  /// Words of the library in one line.
  static func text(_ words: some Sequence<CChar>) -> String {
    let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}
