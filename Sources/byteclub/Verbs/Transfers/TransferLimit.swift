import ArgumentParser
import ClubServices
import FileStores
import JSON
import TextUI
import Transfers

/// `byteclub transfer limit`.
struct TransferLimit: TransferVerb {
  static let configuration = CommandConfiguration(
    commandName: "limit", abstract: "Limit the rate of all transfers together, or print the limit.",
    discussion: Examples.text([
      "byteclub transfer limit 500K": "at most 500 KiB a second, also after a restart",
      "byteclub transfer limit off": "no limit",
      "byteclub transfer limit": "print the limit",
    ]))

  @Argument(help: "Bytes a second, such as 500K or 2M, or off.") var rate: ByteRate?
  @OptionGroup var shared: SharedOptions

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    if let rate { try await session.hub.perform(.limit(rate.bytesPerSecond)) }
    let limit = try await session.hub.limit()
    return Answer([
      Record(
        .members(["limit": limit.map { .number($0) } ?? .null]),
        line: limit.map { ByteCount.rate(Int(clamping: $0)) } ?? "off")
    ])
  }
}

extension ByteRate: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}
