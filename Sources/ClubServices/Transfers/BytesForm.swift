import FileStores
import FoundationEssentials

/// Bytes that are text nearly always: written as a text where they are one, else as `{"base64":"…"}`.
struct BytesForm: Codable, Sendable, Hashable {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  init(_ path: StorePath) { bytes = path.bytes }

  private enum Key: String, CodingKey { case base64 }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      bytes = Array(text.utf8)
    } else {
      bytes = Array(try decoder.container(keyedBy: Key.self).decode(Data.self, forKey: .base64))
    }
  }

  func encode(to encoder: any Encoder) throws {
    if let text = String(validating: bytes, as: UTF8.self) {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(Data(bytes), forKey: .base64)
    }
  }

  var path: StorePath { get throws(StoreError) { try StorePath(bytes) } }
}
