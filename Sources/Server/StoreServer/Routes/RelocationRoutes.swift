import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  private typealias Relocation =
    @Sendable (Call, _ node: ServerNode, _ target: String, _ autorename: Bool) async throws -> ServerNode

  static let relocationRoutes: [Route] = [
    relocation("/2/files/move_v2", nested: true, moving),
    relocation("/2/files/move", nested: false, moving),
    relocation("/2/files/copy_v2", nested: true, copying),
    relocation("/2/files/copy", nested: false, copying),
    batch("/2/files/move_batch_v2", moving),
    batch("/2/files/copy_batch_v2", copying),
    Route("/2/files/move_batch/check_v2", .call, .member(scope: "files.content.write"), checkJob),
    Route("/2/files/copy_batch/check_v2", .call, .member(scope: "files.content.write"), checkJob),
  ]

  private static let moving: Relocation = { try await $0.club.files.move($1, to: $2, autorename: $3) }
  private static let copying: Relocation = {
    try await $0.club.files.copy($1, to: $2, autorename: $3, by: try $0.author)
  }

  private static func relocation(_ path: String, nested: Bool, _ perform: @escaping Relocation) -> Route {
    Route(path, .call, .member(scope: "files.content.write")) { call in
      // A club has no shared folders and no owners, so these options change nothing.
      try call.argument.bools("allow_shared_folder", "allow_ownership_transfer")
      let result = try await relocated(
        call, call.argument, autorename: try call.argument.bool("autorename", default: false), perform)
      return .json(nested ? .members(["metadata": result]) : result)
    }
  }

  private static func batch(_ path: String, _ perform: @escaping Relocation) -> Route {
    Route(path, .call, .member(scope: "files.content.write"), argumentBytes: Route.batchBytes) { call in
      let autorename = try call.argument.bool("autorename", default: false)
      try call.argument.bools("allow_ownership_transfer")
      let wanted = try call.argument.objects("entries", atMost: 1000)
      guard !wanted.isEmpty else { throw call.argument.fault("entries", "has fewer than 1 items") }
      var entries: [JSON] = []
      for entry in wanted {
        do {
          entries.append(
            .members([
              ".tag": "success", "success": try await relocated(call, entry, autorename: autorename, perform),
            ]))
        } catch APIFailure.route(let error) {
          entries.append(
            .members([".tag": "failure", "failure": Tagged("relocation_error", error).json]))
        }
      }
      return .json(.members([".tag": "complete", "entries": .array(entries)]))
    }
  }

  private static func relocated(
    _ call: Call, _ argument: Argument, autorename: Bool, _ perform: Relocation
  ) async throws -> JSON {
    let from = try call.path(.id, of: "from_path", in: argument, fails: "from_lookup")
    let to = try call.path(.id, of: "to_path", in: argument, fails: "to")
    let node = try await call.node(from, fails: "from_lookup")
    let target = try await call.target(to, fails: "to")
    do {
      let result = try await perform(call, node, target, autorename)
      return JSON.metadata(result)
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
