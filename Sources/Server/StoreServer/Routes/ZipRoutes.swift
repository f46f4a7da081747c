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

  @Sendable private static func downloadZip(_ call: Call) async throws -> Response {
    let text = try call.argument.string("path")
    guard !text.isEmpty else { throw APIFailure.badArgument("path: The root folder is unsupported.") }
    let found = try await call.node(try call.path([.id, .slashes]))
    guard found.isFolder else { throw APIFailure.lookup("path", "not_folder") }
    guard !found.key.isEmpty else { throw APIFailure.badArgument("path: The root folder is unsupported.") }
    var (folder, response) = try await call.club.archive(of: found, call.club.shared.sends)
    response.headers[.contentDisposition] = "attachment"
    response.headers[.apiResult] = JSON.members(["metadata": .metadata(folder, tagged: false)]).spacedASCII
    return response
  }
}

extension ServedClub {
  /// A folder as one archive, and the folder as it is in the archive. Its size is unknown in advance, so a range in the
  /// request is ignored.
  /// - Parameter isForStrangers: leaves out files that a link to the folder does not show.
  /// - Throws: `path/not_found`, `too_many_files`, `too_large`.
  func archive(
    of found: ServerNode, _ budget: SendBudget, isForStrangers: Bool = false
  ) async throws -> (folder: ServerNode, Response) {
    let (index, limits) = (index, archives)
    // An archive is whole: it waits for files whose checksums are not known yet.
    let isThere: Void? = try await ifThere(or: [.badInput]) { () throws(StoreError) in
      try await index.scan(found, recursive: true, .all)
    }
    if isThere == nil { throw APIFailure.lookup("path", "not_found") }
    // One read shows the folder at one point in time; its limit is one above the maximum, which detects too many.
    let (folder, all) = try await index.read { reading in
      let folder = try reading.node(id: found.id)
      return (folder, try reading.nodes(in: .subtree(folder?.key ?? found.key), after: "", limit: limits.entries))
    }
    guard let folder else { throw APIFailure.lookup("path", "not_found") }
    guard all.count < limits.entries else { throw APIFailure.route(Tagged("too_many_files")) }
    let nodes =
      isForStrangers ? all.filter { ServedLinks.shows($0.display.dropFirst(folder.display.count)) } : all
    guard limits.mayHold(nodes) else { throw APIFailure.route(Tagged("too_large")) }
    let (archive, logger) = (FolderArchive(self, folder, nodes), files.logger)
    let response = Response(
      status: .ok, headers: [.contentType: "application/zip"],
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
    return (folder, response)
  }
}
