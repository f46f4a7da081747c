import CPlatform
public import FileStores

public struct TransferSettings: Sendable {
  /// At least one.
  public var concurrent: Int
  /// nil for no limit besides the total.
  public var perStore: Int?
  /// The most bytes of one piece of an upload; a download is flushed after so many bytes.
  public var pieceBytes: Int
  public var retry: RetryPolicy
  /// Checks a file that changed after its upload was ordered; an error ends the upload.
  public var check: (@Sendable (FileSource) async throws(StoreError) -> Void)?
  /// Identifies this boot of the machine; nil if unknown.
  package var boot: String?
  package var diskProbe: DiskProbe?
  /// Called with the number of bytes of each read of an upload's file.
  package var readProbe: ReadProbe?

  package typealias ReadProbe = @Sendable (_ bytes: Int) -> Void

  /// The defaults fit a home connection.
  public init(
    concurrent: Int = 3, perStore: Int? = nil, pieceBytes: Int = 8 << 20, retry: RetryPolicy = .transfers()
  ) {
    self.concurrent = max(1, concurrent)
    self.perStore = perStore.map { max(1, $0) }
    self.pieceBytes = max(1, pieceBytes)
    self.retry = retry
    let boot = [CChar](unsafeUninitializedCapacity: 64) { $1 = max(0, cp_boot_id($0.baseAddress, $0.count)) }
    self.boot = boot.isEmpty ? nil : String(decoding: boot.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Opens the stores of transfers, each with its own club's sign-in.
public protocol TransferStores: Sendable {
  /// The store of an order, opened once and kept.
  /// - Throws: `notFound` or `badInput` if the config no longer has the club, or has another store for it.
  func store(for order: TransferOrder) async throws(StoreError) -> any FileStore

  /// Looks at orders before the journal has them.
  /// - Throws: the reason why none is taken.
  func check(_ orders: [TransferOrder]) async throws(StoreError)
}

extension TransferStores {
  public func check(_ orders: [TransferOrder]) async throws(StoreError) {}
}

/// A step on this machine's disk, at which a test can stop a download.
package enum DiskStep: String, Sendable, CaseIterable {
  case makePart, write, flush, truncate, seal, link, unlink, syncFolder
}

/// Called before (`isDone` false) and after each step. A result other than 0 is the step's errno.
package typealias DiskProbe = @Sendable (_ step: DiskStep, _ isDone: Bool) -> Int32

extension RetryPolicy {
  private static let mostWrongAnswers = 3

  /// - Parameter attempts: tries without a byte of progress after which a failing store (`server`) is a failure. A
  ///   missing network (`offline`) and a busy store (`rateLimited`) never are.
  public static func transfers(attempts: Int = 8) -> RetryPolicy {
    RetryPolicy(attempts: attempts, firstPause: .seconds(1), longestPause: .seconds(60))
  }

  /// The pause after `failures` failures in a row, the last `wrongAnswers` of them the same wrong answer; nil for no
  /// retry.
  package func pause(of error: StoreError, failures: Int, wrongAnswers: Int = 0, draw: Double) -> Duration? {
    guard error.kind != .server || failures < attempts, wrongAnswers < Self.mostWrongAnswers else { return nil }
    return pause(after: error, failures: failures, draw: draw)
  }
}
