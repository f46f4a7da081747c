import Database
import Hummingbird
import JSON

extension RouteTable {
  static let saveURLRoutes: [Route] = [
    Route("/2/files/save_url", .call, .member(scope: "files.content.write"), saveURL),
    Route("/2/files/save_url/check_job_status", .call, .member(scope: "files.content.write"), checkSave),
  ]

  @Sendable private static func saveURL(_ call: Call) async throws -> Response {
    let display = try await call.target(try call.path(.id), fails: "path")
    guard let read = call.club.web else {
      throw APIFailure.plain(
        status: 403, "This server does not read the web for its members. Its owner can allow it: --allow-save-url.")
    }
    let url = try call.argument.string("url")
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https", url.utf8.count <= 8192 else {
      throw APIFailure.route(Tagged("invalid_url"))
    }
    guard let job = call.club.saves.begin(for: try call.member.id) else { throw APIFailure.tooMany(retryAfter: 30) }
    let (club, author) = (call.club, try call.author)
    Task { await club.save(url, at: display, read: read, job: job, by: author) }
    return .json(.members([".tag": "async_job_id", "async_job_id": .string(job)]))
  }

  @Sendable private static func checkSave(_ call: Call) async throws -> Response {
    let job = try call.argument.string("async_job_id")
    switch call.club.saves.state(of: job, for: try call.member.id) {
    case nil: throw APIFailure.route(Tagged("invalid_async_job_id"))
    case .running: return .json(.members([".tag": "in_progress"]))
    case .failed(let error): return .json(.members([".tag": "failed", "failed": error.json]))
    case .saved(let file):
      let metadata = JSON.metadata(file, tagged: false)
      return .json(metadata.adding([JSONMember(".tag", "complete")], first: true))
    }
  }
}
