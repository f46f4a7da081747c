import Database
import FileStores
import HTTPTypes
import Hummingbird
import JSON
import Logging

extension RouteTable {
  static let zipRoutes: [Route] = [
    Route("/2/files/download_zip", .download, .member(scope: "files.content.read"), downloadZip)
  ]

  /// A folder as one archive. Its size is unknown in advance, so a range in the request is ignored.
  @Sendable private static func downloadZip(_ call: Call) async throws -> Response {
    let text = try call.argument.string("path")
    guard !text.isEmpty else { throw APIFailure.badArgument("path: The root folder is unsupported.") }
    let found = try await call.node(try call.path([.id, .slashes]))
    guard found.isFolder else { throw APIFailure.lookup("path", "not_folder") }
    guard !found.key.isEmpty else { throw APIFailure.badArgument("path: The root folder is unsupported.") }
    let (index, limits) = (call.club.index, call.club.archives)
    do throws(StoreError) {
      // An archive is whole: it waits for files whose checksums are not known yet.
      try await index.scan(found, recursive: true, .all)
    } catch {
      if error.kind == .notFound || error.kind == .badInput { throw APIFailure.lookup("path", "not_found") }
      throw error
    }
    // One read shows the folder at one point in time; its limit is one above the maximum, which detects too many.
    let (folder, nodes) = try await index.read { reading in
      let folder = try reading.node(id: found.id)
      return (folder, try reading.nodes(in: .subtree(folder?.key ?? found.key), after: "", limit: limits.entries))
    }
    guard let folder else { throw APIFailure.lookup("path", "not_found") }
    guard nodes.count < limits.entries else { throw APIFailure.route(Tagged("too_many_files")) }
    guard limits.mayHold(nodes) else { throw APIFailure.route(Tagged("too_large")) }
    var headers: HTTPFields = [.contentType: "application/zip", .contentDisposition: "attachment"]
    headers[.apiResult] = JSON.members(["metadata": .metadata(folder, tagged: false)]).spacedASCII
    let (archive, logger) = (FolderArchive(call.club, folder, nodes), call.club.files.logger)
    let budget = call.club.shared.sends
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        try await budget.with { pace in
          _ = try await writer.pass(pace) { receive in
            do {
              try await archive.send(receive)
            } catch let error as StoreError where error.kind != .cancelled {
              logger.warning("The archive of \(folder.display) ended early: \(error)")
              throw error
            }
          }
        }
        try await writer.finish(nil)
      })
  }
}
