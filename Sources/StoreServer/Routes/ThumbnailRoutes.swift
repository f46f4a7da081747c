import Database
import FileStores
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Imaging
import JSON
import NIOCore

extension RouteTable {
  static let thumbnailRoutes: [Route] = [
    Route("/2/files/get_thumbnail_v2", .download, .memberOrApplication(scope: "files.content.read"), thumbnail),
    Route("/2/files/get_thumbnail", .download, .member(scope: "files.content.read"), thumbnailOld),
    Route("/2/files/get_thumbnail_batch", .call, .member(scope: "files.content.read"), thumbnails),
  ]

  @Sendable private static func thumbnail(_ call: Call) async throws -> Response {
    let order = try ThumbnailOrder(call.argument)
    let (tag, resource) = try call.argument.tag("resource", among: ["path", "link"], default: "")
    switch tag {
    case "path":
      guard call.caller.member != nil else { throw APIFailure.route(Tagged("access_denied")) }
      let file = try await call.file(try call.path(.reading, in: resource))
      let bytes = try await picture(call, file, order)
      return answer(bytes, order, .members(["file_metadata": try await call.metadata(file, tagged: false)]))
    case "link":
      let url = try resource.string("url")
      try resource.refuse("path", because: "the links of this server lead to files, which have nothing below them")
      guard let file = try await call.linked(url) else { throw APIFailure.route(Tagged("not_found")) }
      let bytes = try await picture(call, file, order)
      let about = JSON.members([
        "url": .string(url), "rev": .string(Rev.text(file.rev)),
        "name": .string(file.name),
      ])
      return answer(bytes, order, .members(["link_metadata": about]))
    default: throw call.argument.fault("resource", "missing required field")
    }
  }

  @Sendable private static func thumbnailOld(_ call: Call) async throws -> Response {
    let order = try ThumbnailOrder(call.argument)
    let file = try await call.file(try call.path(.reading))
    return answer(try await picture(call, file, order), order, try await call.metadata(file, tagged: false))
  }

  @Sendable private static func thumbnails(_ call: Call) async throws -> Response {
    let entries = try call.argument.objects("entries", atMost: 1000)
    guard entries.count <= 25 else { throw APIFailure.route(Tagged("too_many_files")) }
    var results: [JSON] = []
    let end = ContinuousClock.now + batchTime
    for entry in entries {
      do {
        let order = try ThumbnailOrder(entry)
        let file = try await call.file(try call.path(.reading, in: entry))
        let bytes = try await picture(call, file, order, until: end)
        results.append(
          .members([
            ".tag": "success", "metadata": try await call.metadata(file, tagged: false),
            "thumbnail": .string(Data(bytes).base64EncodedString()),
          ]))
      } catch APIFailure.route(let error) {
        results.append(.members([".tag": "failure", "failure": error.json]))
      }
    }
    return .json(.members(["entries": .array(results)]))
  }

  /// The longest that one picture may take, and all of a batch: a costly one holds up neither the rest of its batch nor
  /// other members for long.
  private static let (pictureTime, batchTime) = (Duration.seconds(3), Duration.seconds(12))

  /// Pictures are made one at a time: each may need much memory for a moment.
  private static func picture(
    _ call: Call, _ file: ServerNode, _ order: ThumbnailOrder, until end: ContinuousClock.Instant? = nil
  ) async throws -> [UInt8] {
    guard !file.isFolder, ThumbnailOrder.isSupported(file.key) else {
      throw APIFailure.route(Tagged("unsupported_extension"))
    }
    guard file.size <= ThumbnailOrder.largestFile else { throw APIFailure.route(Tagged("unsupported_image")) }
    let (store, pool) = (call.club.index.store, call.club.index.pool)
    return try await call.club.index.locks.with("thumbnail") {
      if let end, ContinuousClock.now >= end { throw APIFailure.route(Tagged("conversion_error")) }
      let bytes = try await store.readAll(
        file.path, ifRevision: file.storeRevision, limit: Int(ThumbnailOrder.largestFile)
      ).bytes
      let own = ContinuousClock.now + pictureTime
      do throws(ImageError) {
        return try await pool.run { () throws(ImageError) -> [UInt8] in try order.make(of: bytes, until: own) }
      } catch {
        let isCostly = error.kind == .memory || error.kind == .cancelled
        throw APIFailure.route(Tagged(isCostly ? "conversion_error" : "unsupported_image"))
      }
    }
  }

  private static func answer(_ bytes: [UInt8], _ order: ThumbnailOrder, _ result: JSON) -> Response {
    var headers: HTTPFields = [.contentType: order.type, .contentLength: String(bytes.count)]
    headers[.apiResult] = result.spacedASCII
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
