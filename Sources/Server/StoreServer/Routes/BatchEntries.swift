import Database
import FileStores
import Hummingbird
import JSON
import Logging
import Synchronization

extension RouteTable {
  /// The results of a batch's entries, in order. All entries are read before the first one changes anything, so a malformed
  /// argument (400) changes nothing. The failure of one entry is its own.
  /// - Parameters:
  ///   - read: throws the route's error for an entry that cannot be carried out, such as one with a malformed path.
  ///   - unexpected: the error of an entry that the server fails to carry out; its log has the reason.
  static func results<Source, Entry>(
    of sources: [Source], _ call: Call, unexpected: Tagged, read: (Source) throws -> Entry,
    perform: (Entry) async throws -> JSON, failure: (Tagged) -> JSON
  ) async throws -> JSON {
    var entries: [Result<Entry, APIFailure>] = []
    for source in sources {
      do {
        entries.append(.success(try read(source)))
      } catch APIFailure.route(let error) {
        entries.append(.failure(.route(error)))
      }
    }
    var results: [JSON] = []
    for entry in entries {
      do {
        results.append(try await perform(try entry.get()))
      } catch APIFailure.route(let error) {
        results.append(.members([".tag": "failure", "failure": failure(error)]))
      } catch let error as StoreError where error.kind != .cancelled {
        call.club.files.logger.warning("An entry of a batch failed: \(error)")
        results.append(.members([".tag": "failure", "failure": failure(unexpected)]))
      }
    }
    return .members([".tag": "complete", "entries": .array(results)])
  }

  /// The answer of a batch that the client asks for as a job.
  static func launched(_ call: Call, _ batch: String, _ result: JSON) throws -> Response {
    let id = call.club.jobs.keep(result, of: batch, for: try call.member.id, at: call.club.index.now())
    return .json(.members([".tag": "async_job_id", "async_job_id": .string(id)]))
  }

  /// The handler that tells the result of a job of this batch. Most batches are complete when answered and have no jobs.
  static func checkJob(of batch: String) -> @Sendable (Call) async throws -> Response {
    { call in
      let id = try call.argument.string("async_job_id")
      let text = call.club.jobs.result(id, of: batch, for: try call.member.id, at: call.club.index.now())
      guard let text else { throw APIFailure.route(Tagged("invalid_async_job_id")) }
      return .json(text: text)
    }
  }
}

/// The results of jobs (async.stone of Dropbox's API specification). Each job is done before its client gets the id, and its
/// result is kept in memory for an hour.
final class FinishedJobs: Sendable {
  private struct Job {
    let id: String
    let batch: String
    let member: String
    let ends: Int64
    /// JSON.
    let result: String
  }

  private static let seconds: Int64 = 60 * 60
  /// Of one member, whose older jobs go first; the newest stays at any size.
  private static let most = (jobs: 16, bytes: 2 << 20)
  /// Oldest first.
  private let jobs = Mutex<[Job]>([])

  /// The id of a new job. `now` is in seconds since 1970.
  func keep(_ result: JSON, of batch: String, for member: String, at now: Int64) -> String {
    let job = Job(
      id: FreshID.word(22), batch: batch, member: member, ends: now + FinishedJobs.seconds, result: result.spaced)
    jobs.withLock { jobs in
      jobs.removeAll { $0.ends <= now }
      var left = FinishedJobs.most
      left = (left.jobs - 1, left.bytes - job.result.utf8.count)
      var kept: [Job] = []
      for older in jobs.reversed() {
        if older.member == member {
          left = (left.jobs - 1, left.bytes - older.result.utf8.count)
          guard left.jobs >= 0, left.bytes >= 0 else { continue }
        }
        kept.append(older)
      }
      jobs = kept.reversed() + [job]
    }
    return job.id
  }

  /// nil for a job of another member or batch, and for one that is no longer kept.
  func result(_ id: String, of batch: String, for member: String, at now: Int64) -> String? {
    jobs.withLock { jobs in
      jobs.first { $0.id == id && $0.batch == batch && $0.member == member && $0.ends > now }?.result
    }
  }
}
