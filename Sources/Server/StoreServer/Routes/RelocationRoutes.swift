import Database
import Hummingbird
import JSON
import Logging

extension RouteTable {
  private typealias Perform =
    @Sendable (Call, _ node: ServerNode, _ target: String, _ autorename: Bool) async throws -> ServerNode
  /// Undoes the relocation of a node that was at the path `from`.
  private typealias Undo = @Sendable (Call, _ result: ServerNode, _ from: String) async throws -> Void

  static let relocationRoutes: [Route] = [
    relocation("/2/files/move_v2", nested: true, moving),
    relocation("/2/files/move", nested: false, moving),
    relocation("/2/files/copy_v2", nested: true, copying),
    relocation("/2/files/copy", nested: false, copying),
    batch("move_batch_v2", moving),
    batch("copy_batch_v2", copying),
    batchAsOne("move_batch", moving) { _ = try await $0.club.files.move($1, to: $2, autorename: false) },
    batchAsOne("copy_batch", copying) { call, copy, _ in
      try await call.club.files.delete(copy, rev: copy.isFolder ? nil : copy.rev)
    },
    check("move_batch/check_v2", of: "move_batch_v2"), check("copy_batch/check_v2", of: "copy_batch_v2"),
    check("move_batch/check", of: "move_batch"), check("copy_batch/check", of: "copy_batch"),
  ]

  private static let moving: Perform = { try await $0.club.files.move($1, to: $2, autorename: $3) }
  private static let copying: Perform = {
    try await $0.club.files.copy($1, to: $2, autorename: $3, by: try $0.author)
  }

  private static func check(_ name: String, of batch: String) -> Route {
    Route("/2/files/" + name, .call, .member(scope: "files.content.write"), checkJob(of: batch))
  }

  private static func relocation(_ path: String, nested: Bool, _ perform: @escaping Perform) -> Route {
    Route(path, .call, .member(scope: "files.content.write")) { call in
      // A club has no shared folders and no owners, so these options change nothing.
      try call.argument.bools("allow_shared_folder", "allow_ownership_transfer")
      let autorename = try call.argument.bool("autorename", default: false)
      let result = JSON.metadata(
        try await relocated(call, ends(call, call.argument), autorename: autorename, perform).result)
      return .json(nested ? .members(["metadata": result]) : result)
    }
  }

  private static func batch(_ name: String, _ perform: @escaping Perform) -> Route {
    Route("/2/files/" + name, .call, .member(scope: "files.content.write"), argumentBytes: Route.batchBytes) { call in
      let (entries, autorename) = try batchArgument(call)
      return .json(
        try await results(of: entries, call, unexpected: Tagged("internal_error")) {
          try ends(call, $0)
        } perform: { entry in
          let result = try await relocated(call, entry, autorename: autorename, perform).result
          return .members([".tag": "success", "success": JSON.metadata(result)])
        } failure: { error in
          error == Tagged("internal_error") ? error.json : Tagged("relocation_error", error).json
        })
    }
  }

  /// The older batches always begin a job, and relocate all entries or none (Dropbox's documentation of 2017). An entry
  /// that fails ends the batch, and the entries before it are undone.
  private static func batchAsOne(_ name: String, _ perform: @escaping Perform, undo: @escaping Undo) -> Route {
    Route("/2/files/" + name, .call, .member(scope: "files.content.write"), argumentBytes: Route.batchBytes) { call in
      let (arguments, autorename) = try batchArgument(call)
      var done: [(from: String, result: ServerNode)] = []
      do {
        // Most failures are found before anything changes.
        var entries: [(from: ClubPath, to: ClubPath)] = []
        for argument in arguments {
          let entry = try ends(call, argument)
          _ = try await call.node(entry.from, fails: "from_lookup")
          entries.append(entry)
        }
        for entry in entries { done.append(try await relocated(call, entry, autorename: autorename, perform)) }
      } catch let failure as APIFailure {
        await undoAll(done, call, undo)
        guard case .route(let error) = failure else { throw failure }
        return try launched(call, name, .members([".tag": "failed", "failed": error.json]))
      } catch {
        await undoAll(done, call, undo)
        throw error
      }
      let results = done.map { JSON.members(["metadata": JSON.metadata($0.result)]) }
      return try launched(call, name, .members([".tag": "complete", "entries": .array(results)]))
    }
  }

  /// Undoes the entries in a task of its own, which goes on when the request is cancelled.
  private static func undoAll(
    _ done: [(from: String, result: ServerNode)], _ call: Call, _ undo: @escaping Undo
  ) async {
    await Task {
      for (from, result) in done.reversed() {
        do {
          try await undo(call, result, from)
        } catch {
          call.club.files.logger.warning(
            "A batch failed, and \"\(result.display)\", which was \"\(from)\", could not be put back: \(error)")
        }
      }
    }.value
  }

  private static func batchArgument(_ call: Call) throws -> (entries: [Argument], autorename: Bool) {
    let autorename = try call.argument.bool("autorename", default: false)
    try call.argument.bools("allow_shared_folder", "allow_ownership_transfer")
    let entries = try call.argument.objects("entries", atMost: 1000)
    guard !entries.isEmpty else { throw call.argument.fault("entries", "has fewer than 1 items") }
    return (entries, autorename)
  }

  private static func ends(_ call: Call, _ argument: Argument) throws -> (from: ClubPath, to: ClubPath) {
    (
      try call.path(.id, of: "from_path", in: argument, fails: "from_lookup"),
      try call.path(.id, of: "to_path", in: argument, fails: "to")
    )
  }

  private static func relocated(
    _ call: Call, _ ends: (from: ClubPath, to: ClubPath), autorename: Bool, _ perform: Perform
  ) async throws -> (from: String, result: ServerNode) {
    let node = try await call.node(ends.from, fails: "from_lookup")
    let target = try await call.target(ends.to, fails: "to")
    do {
      return (node.display, try await perform(call, node, target, autorename))
    } catch let error as Tagged {
      throw APIFailure.route(Tagged("to", error))
    } catch let fault as RelocationFault {
      switch fault {
      case .gone: throw APIFailure.lookup("from_lookup", "not_found")
      case .intoItself: throw APIFailure.route(Tagged("cant_move_folder_into_itself"))
      case .tooMany: throw APIFailure.route(Tagged("too_many_files"))
      }
    }
  }
}
