import Database
import FileStores
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// Answers health checks and Prometheus, at a listener of its own: no member and no stranger reaches it through the
/// club's address.
struct StatusResponder: HTTPResponder {
  struct Context: InitializableFromSource, Sendable {
    init(source: ApplicationRequestContextSource) {}
  }

  let clubs: ServedClubs
  let version: String
  let started: Int64
  let certificateEnd: @Sendable () -> Int64?

  /// A store that answers later counts as broken: those who ask wait a few seconds only.
  private static let patience = Duration.seconds(5)

  func respond(to request: Request, context: Context) async throws -> Response {
    guard request.method == .get || request.method == .head else {
      return .text("The method must be GET.\n", status: .methodNotAllowed)
    }
    var response: Response
    switch request.head.barePath {
    case "/healthz": response = await health()
    case "/metrics": response = await metrics()
    default: response = .text("There are /healthz and /metrics.\n", status: .notFound)
    }
    response.headers[.cacheControl] = "no-store"
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func health() async -> Response {
    var faults: [String] = []
    for club in clubs.all {
      if let fault = await StatusResponder.fault(of: club) { faults.append("\(club.name): \(fault)\n") }
    }
    return faults.isEmpty
      ? .text("ok\n", status: .ok) : .text(faults.joined(), status: .serviceUnavailable)
  }

  /// The first thing of a club that does not work, as a sentence; nil if its files and its index can be read and
  /// written.
  private static func fault(of club: ServedClub) async -> String? {
    await withTaskGroup(of: String?.self) { group in
      group.addTask {
        do throws(StoreError) {
          try await club.checkFiles()
        } catch {
          return "The club's files cannot be used: \(error.message)"
        }
        do throws(StoreError) {
          try await club.index.checkWriting()
        } catch {
          return "The index cannot be used: \(error.message)"
        }
        do throws(StoreError) {
          _ = try await club.index.pool.run { () throws(StoreError) in try club.members.members() }
        } catch {
          return "The list of members cannot be read: \(error.message)"
        }
        return nil
      }
      group.addTask {
        // A cancelled sleep means that the check has answered.
        do { try await Task.sleep(for: patience) } catch { return nil }
        return "The check did not end within 5 seconds."
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func metrics() async -> Response {
    var figures: [ClubFigures] = []
    do throws(StoreError) {
      for club in clubs.all { figures.append(try await club.figures()) }
    } catch {
      return .text("The figures of a club cannot be read: \(error.message)\n", status: .serviceUnavailable)
    }
    let first = clubs.first
    let page = MetricsText(
      first.metrics, figures, waiting: first.longPolls.waiting, tokenFailures: first.failures.total, version: version,
      started: started, certificateEnd: certificateEnd())
    var response = Response.text(page.text, status: .ok)
    response.headers[.contentType] = MetricsText.type
    return response
  }
}

extension ServedClub {
  /// - Throws: the reason why the club's files cannot be read or written.
  fileprivate func checkFiles() async throws(StoreError) {
    if let check {
      try await index.pool.run { () throws(StoreError) in try check() }
    } else {
      _ = try await index.store.list(.root, ListOptions(.names), after: nil)
    }
  }

  fileprivate func figures() async throws(StoreError) -> ClubFigures {
    let (used, uploads) = try await index.read { (try $0.usedBytes(), try $0.uploadCount()) }
    let (members, available) = (members, available)
    let (count, free) = try await index.pool.run { () throws(StoreError) in
      (try members.members().count, available())
    }
    return ClubFigures(
      club: name, used: used, quota: files.quotas.club, available: free, uploads: uploads, members: count)
  }
}

extension ClubIndex {
  /// - Throws: the reason why the index cannot be read or written. Waiting clients are not woken.
  fileprivate func checkWriting() async throws(StoreError) {
    let (database, now) = (database, now())
    try await pool.run { () throws(StoreError) in
      try database.write { try $0.setFact("health", String(now)) }
      guard try database.read({ try $0.fact("health") }) == String(now) else {
        throw StoreError(.corrupt, "It does not keep what is written.")
      }
    }
  }
}
