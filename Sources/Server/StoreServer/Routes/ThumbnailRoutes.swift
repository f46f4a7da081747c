import Basics
import Database
import FileStores
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
      let picture = try await picture(call, file, order)
      return answer(picture, order, .members(["file_metadata": metadata(file, picture)]))
    case "link":
      let url = try resource.string("url")
      let file = try await linkedFile(call, resource, url)
      let picture = try await picture(call, file, order)
      let about = JSON.members([
        "url": .string(url), "rev": .string(Rev.text(file.rev)),
        "name": .string(file.name),
      ])
      return answer(picture, order, .members(["link_metadata": about]))
    default: throw call.argument.fault("resource", "missing required field")
    }
  }

  /// The file of a shared or a temporary link.
  private static func linkedFile(_ call: Call, _ resource: Argument, _ url: String) async throws -> ServerNode {
    guard ServedLinks.word(inURL: url) != nil else {
      try resource.refuse("password", because: "a temporary link has none")
      try resource.refuse("path", because: "a temporary link leads to a file, which has nothing below it")
      guard let file = try await call.linked(url) else { throw APIFailure.route(Tagged("not_found")) }
      return file
    }
    do {
      return try await call.opened(resource, password: "password").file
    } catch APIFailure.route(let error) {
      throw APIFailure.route(Tagged(error.tag == "shared_link_not_found" ? "not_found" : "access_denied"))
    }
  }

  @Sendable private static func thumbnailOld(_ call: Call) async throws -> Response {
    let order = try ThumbnailOrder(call.argument)
    let file = try await call.file(try call.path(.reading))
    let picture = try await picture(call, file, order)
    return answer(picture, order, metadata(file, picture))
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
        let picture = try await picture(call, file, order, until: end)
        results.append(
          .members([
            ".tag": "success", "metadata": metadata(file, picture),
            "thumbnail": .string(Base64.text(of: picture.bytes)),
          ]))
      } catch APIFailure.route(let error) {
        results.append(.members([".tag": "failure", "failure": error.json]))
      }
    }
    return .json(.members(["entries": .array(results)]))
  }

  /// Of a batch: costly pictures must not delay it for long.
  private static let batchTime = Duration.seconds(12)

  private static func picture(
    _ call: Call, _ file: ServerNode, _ order: ThumbnailOrder, until end: ContinuousClock.Instant? = nil
  ) async throws -> (bytes: [UInt8], about: JSON?) {
    guard !file.isFolder, ThumbnailOrder.isSupported(file.key) else {
      throw APIFailure.route(Tagged("unsupported_extension"))
    }
    guard file.size <= ThumbnailOrder.largestFile else { throw APIFailure.route(Tagged("unsupported_image")) }
    let (store, decoder) = (call.club.index.store, call.club.decoder)
    return try await call.club.inPictureLane(of: file) {
      if let end, ContinuousClock.now >= end { throw APIFailure.route(Tagged("conversion_error")) }
      let bytes = try await store.readAll(
        file.path, ifRevision: file.storeRevision, limit: Int(ThumbnailOrder.largestFile)
      ).bytes
      do throws(ImageError) {
        return (try await order.make(of: bytes, by: decoder), order.tellsOfMedia ? MediaInfo.json(of: bytes) : nil)
      } catch {
        let isCostly = [.memory, .cancelled, .slow, .unavailable].contains(error.kind)
        throw APIFailure.route(Tagged(isCostly ? "conversion_error" : "unsupported_image"))
      }
    }
  }

  private static func metadata(_ file: ServerNode, _ picture: (bytes: [UInt8], about: JSON?)) -> JSON {
    JSON.metadata(file, tagged: false).adding(picture.about.map { [JSONMember("media_info", $0)] } ?? [])
  }

  private static func answer(
    _ picture: (bytes: [UInt8], about: JSON?), _ order: ThumbnailOrder, _ result: JSON
  ) -> Response {
    let bytes = picture.bytes
    var headers: HTTPFields = [.contentType: order.type, .contentLength: String(bytes.count)]
    headers[.apiResult] = result.spacedASCII
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
