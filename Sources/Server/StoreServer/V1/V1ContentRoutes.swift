import Database
import Decoding
import FileStores
import HTTPTypes
import Hummingbird
import Imaging
import JSON
import NIOCore

extension RouteTable {
  static let v1ContentRoutes: [Route] = [
    v1(
      "files/", scope: "files.content.read", fileFormScope: "files.content.write", atHand: v1DownloadAtHand
    ) { v1 in
      v1.call.head.method == .post ? try await v1Form(v1) : try await v1Download(v1)
    },
    v1("thumbnails/", scope: "files.content.read", v1Thumbnail),
  ]

  @Sendable private static func v1Download(_ v1: V1Call) async throws -> Response {
    let display = try v1.display
    let club = v1.club
    if let rev = try v1.rev("rev"), try await v1.club.index.find(display: display)?.rev != rev {
      guard let old = try await v1.club.index.read({ try $0.revision(rev) }), old.key == Folding.key(display),
        let content = try await v1.club.files.content(of: old)
      else { throw V1Failure.missing(display) }
      return served(v1.metadata(old), ServerNode(old), v1) { offset, _, receive in
        try await club.send(content, from: offset, receive)
      }
    }
    if let small = await club.index.smallFile(display) {
      return served(v1.metadata(small.file), small.file, bytes: small.bytes, v1) { offset, pace, receive in
        try await club.send(small.file, from: offset, pace, receive)
      }
    }
    let file = try await v1.file(display)
    return served(v1.metadata(file), file, v1) { offset, pace, receive in
      try await club.send(file, from: offset, pace, receive)
    }
  }

  @Sendable private static func v1DownloadAtHand(_ club: ServedClub, _ head: HTTPRequest) -> AnswerAtHand? {
    guard head.method == .get, let place = try? V1Call.place(head.barePath, after: "/1/files/", space: club.space),
      let (file, bytes) = club.index.smallFileAtHand(place.display),
      var answer = Served(metadata: nil, tag: Rev.text(file.rev), size: file.size, type: nil, bytes: bytes).atHand(head)
    else { return nil }
    name(file, .version1(file, isSandbox: place.isSandbox), &answer.headers)
    return answer
  }

  private static func name(_ file: ServerNode, _ metadata: JSON, _ headers: inout HTTPFields) {
    headers[.version1Metadata] = metadata.spacedASCII
    // Served as a plain download, whatever the file contains, so no browser runs it.
    headers[.contentDisposition] = "attachment"
    headers[.contentType] = V1FileKind(file.display).type
  }

  private static func served(
    _ metadata: JSON, _ file: ServerNode, bytes: [UInt8]? = nil, _ v1: V1Call,
    _ read: @escaping Served.Reader
  ) -> Response {
    var response = Served(metadata: nil, tag: Rev.text(file.rev), size: file.size, type: nil, bytes: bytes).response(
      v1.call.head, v1.club.shared.sends, read)
    name(file, metadata, &response.headers)
    return response
  }

  private static let sizes: [String: PixelSize] = [
    "xs": PixelSize(width: 32, height: 32), "s": PixelSize(width: 64, height: 64),
    "m": PixelSize(width: 128, height: 128), "l": PixelSize(width: 640, height: 480),
    "xl": PixelSize(width: 1024, height: 768), "small": PixelSize(width: 32, height: 32),
    "medium": PixelSize(width: 64, height: 64), "large": PixelSize(width: 128, height: 128),
  ]

  @Sendable private static func v1Thumbnail(_ v1: V1Call) async throws -> Response {
    let display = try v1.display
    guard let box = sizes[try v1.text("size")?.lowercased() ?? "s"] else {
      throw V1Failure.malformed("Expected 'size' to be one of xs, s, m, l, xl.")
    }
    let format = try v1.text("format")?.lowercased() ?? "jpeg"
    guard ["jpeg", "jpg", "png"].contains(format) else {
      throw V1Failure.malformed("Expected 'format' to be jpeg or png.")
    }
    let file = try await v1.file(display)
    guard V1FileKind(file.display).isPicture, file.size <= V1FileKind.largestPicture else {
      throw V1Failure(404, "The server cannot make a thumbnail of '\(display)'.")
    }
    let bytes = try await v1.club.index.store.readAll(
      file.path, ifRevision: file.storeRevision, limit: Int(V1FileKind.largestPicture)
    ).bytes
    let picture: [UInt8]
    do {
      picture = try await v1.club.inPictureLane(of: file) {
        let header = try PictureHeader.read(bytes)
        return try await v1.club.decoder.file(
          .thumbnailFile(box: box, format: format == "png" ? .png : .jpeg, quality: 85), of: try PictureContent(bytes),
          orientation: header.orientation, limits: ThumbnailOrder.limits
        ).bytes
      }
    } catch is ImageError {
      throw V1Failure(415, "The server cannot read the picture '\(display)'.")
    }
    var headers: HTTPFields = [
      .contentType: format == "png" ? "image/png" : "image/jpeg", .contentLength: String(picture.count),
    ]
    headers[.version1Metadata] = v1.metadata(file).spacedASCII
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture)))
  }
}
