import ArgumentParser
import ClubServices
import FileStores
import Transfers

/// `byteclub transfer limit`.
struct TransferLimit: TransferVerb {
  /// A rate, or that there is no limit.
  struct Rate: ExpressibleByArgument, Sendable, Equatable {
    /// nil is off.
    let bytesPerSecond: UInt64?

    /// `500K`, `2M`, `1.5MiB/s`, `off`. Powers of 1,024; without a unit, bytes a second.
    init?(argument: String) {
      var word = argument.lowercased()
      if word == "off" {
        bytesPerSecond = nil
        return
      }
      if word.hasSuffix("/s") { word.removeLast(2) }
      let digits = word.prefix { ("0"..."9").contains($0) || $0 == "." }
      let factors: [String: Double] = [
        "": 1, "b": 1, "k": 1024, "kb": 1024, "kib": 1024, "m": 1_048_576, "mb": 1_048_576, "mib": 1_048_576,
        "g": 1_073_741_824, "gb": 1_073_741_824, "gib": 1_073_741_824,
      ]
      guard let number = Double(digits), let factor = factors[String(word.dropFirst(digits.count))],
        case let bytes = number * factor, bytes >= 1, bytes < 1e15
      else { return nil }
      bytesPerSecond = UInt64(bytes)
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "limit", abstract: "Limit how much all transfers together may take, or say what the limit is.",
    discussion: Examples.text([
      "byteclub transfer limit 500K": "at most 500 KiB a second, from now on, also after a restart",
      "byteclub transfer limit off": "no limit",
      "byteclub transfer limit": "what it is",
    ]))

  @Argument(help: "Bytes a second, such as 500K or 2M, or off.") var rate: Rate?
  @OptionGroup var shared: SharedOptions

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    if let rate { try await session.hub.perform(.limit(rate.bytesPerSecond)) }
    let limit = try await session.hub.limit()
    return Answer([
      Record(
        .members(["limit": limit.map { .number($0) } ?? .null]), line: limit.map { ByteCount.text($0) + "/s" } ?? "off")
    ])
  }
}
