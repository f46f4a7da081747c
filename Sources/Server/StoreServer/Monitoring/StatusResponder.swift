import Basics
import Database
import FileStores
import HTTPTypes
import Hummingbird

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

  private let checks = ClubChecks()

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
    let faults = await withTaskGroup(of: String?.self) { group in
      for club in clubs.all {
        group.addTask { await checks.fault(of: club).map { "\(club.name): \($0)\n" } }
      }
      return await group.reduce(into: [String]()) { if let fault = $1 { $0.append(fault) } }
    }
    return faults.isEmpty
      ? .text("ok\n", status: .ok) : .text(faults.sorted().joined(), status: .serviceUnavailable)
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
      first.metrics, figures, waiting: first.longPolls.count + first.watches.count,
      tokenFailures: first.failures.total, version: version, started: started, certificateEnd: certificateEnd())
    var response = Response.text(page.text, status: .ok)
    response.headers[.contentType] = MetricsText.type
    return response
  }
}

extension ServedClub {
  fileprivate func figures() async throws(StoreError) -> ClubFigures {
    let (used, uploads) = try await index.read { (try $0.usedBytes(), try $0.uploadCount()) }
    let (count, free) = try await index.pool.run { () throws(StoreError) in
      (try members.members().count, available())
    }
    return ClubFigures(
      club: name, used: used, quota: files.quotas.club, available: free, uploads: uploads, members: count)
  }
}
