/// What a process says to the owner of the transfers: one JSON object a line. Each request has a number of the
/// caller's choosing, which the answer repeats.
enum TransferRequest: Codable, Sendable, Hashable {
  /// The version of what is spoken here. Another one is refused.
  static let version = 2
  /// The longest line that an owner reads.
  static let maxBytes = 4 << 20
  /// Orders in one line.
  static let ordersAtOnce = 500

  /// Comes first, and only then. `journal` is the file of the journal that is meant.
  case hello(version: Int, journal: String)
  case add(number: Int, orders: [OrderForm])
  case perform(number: Int, command: CommandForm)
  case transfers(number: Int)
  case limit(number: Int)
  /// Everything from now on is to be told, beginning with what is there.
  case attach(number: Int)
}
