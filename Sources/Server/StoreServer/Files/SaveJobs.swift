internal import Basics
import Database
public import FileStores
import Synchronization

/// Reads a file of the web and hands its content to `receive`, in order.
/// - Throws: errors of `receive`; any other error if the file cannot be read whole.
public typealias WebReader =
  @Sendable (
    _ url: String, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> Void

/// Downloads that members requested by `save_url`. They run beside the requests and end with the server.
final class SaveJobs: Sendable {
  enum State: Sendable {
    case running
    case saved(ServerNode)
    case failed(Tagged)

    var isRunning: Bool { if case .running = self { true } else { false } }
  }

  private struct Job {
    let member: String
    let number: Int
    var state = State.running
  }

  static let mostRunning = 8
  static let mostOfMember = 2
  /// Jobs that have ended are known until so many have begun after them.
  private static let mostKept = 1000
  private let jobs = Mutex<(all: [String: Job], next: Int)>(([:], 0))

  /// The id of a new job; nil if too many run.
  func begin(for member: String) -> String? {
    let id = FreshID.word(22)
    return jobs.withLock { jobs in
      let running = jobs.all.values.filter { $0.state.isRunning }
      guard running.count < SaveJobs.mostRunning,
        running.filter({ $0.member == member }).count < SaveJobs.mostOfMember
      else { return nil }
      jobs.next += 1
      jobs.all[id] = Job(member: member, number: jobs.next)
      let oldest = jobs.next - SaveJobs.mostKept
      jobs.all = jobs.all.filter { $0.value.number > oldest || $0.value.state.isRunning }
      return id
    }
  }

  func end(_ id: String, _ state: State) { jobs.withLock { $0.all[id]?.state = state } }

  func state(of id: String, for member: String) -> State? {
    jobs.withLock { jobs in jobs.all[id].flatMap { $0.member == member ? $0.state : nil } }
  }
}

extension ServedClub {
  func save(
    _ url: String, at display: String, read: @escaping WebReader, job: String, by author: ServerAuthor
  ) async {
    let content: Content
    do throws(StoreError) {
      content = try await download(url, read)
    } catch {
      let reason = error.kind == .quota ? Tagged("path", .diskFull) : Tagged("download_failed")
      return saves.end(job, .failed(reason))
    }
    let order = CommitOrder(
      display: display, mode: .add, autorename: true, isStrict: false, clientModified: nil, author: author)
    do {
      saves.end(job, .saved(try await files.put(content, order)))
    } catch let error as Tagged {
      saves.end(job, .failed(Tagged("path", error)))
    } catch APIFailure.route(let error) {
      saves.end(job, .failed(error))
    } catch {
      saves.end(job, .failed(Tagged("path", Tagged("other"))))
    }
  }

  /// Receives the file. The web pushes pieces, and the content room pulls them.
  private func download(_ url: String, _ read: @escaping WebReader) async throws(StoreError) -> Content {
    let handoff = ChunkHandoff()
    let reading = Task {
      do throws(StoreError) {
        try await read(url) { chunk throws(StoreError) in
          guard await handoff.send(chunk) else { throw StoreError(.cancelled, "The download was ended.") }
        }
        handoff.finish()
      } catch {
        handoff.finish(error)
      }
    }
    defer {
      handoff.stop()
      reading.cancel()
    }
    return try await files.room.receive(limit: Call.largestContent) { () throws(StoreError) in
      do {
        return try await handoff.next()
      } catch let error as StoreError {
        throw error
      } catch {
        throw StoreError(.cancelled, "The download was ended.")
      }
    }
  }
}
