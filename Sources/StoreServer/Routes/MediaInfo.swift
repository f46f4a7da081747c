import Database
import FileStores
import Imaging
import JSON

/// The API's `media_info` of a picture: its size in pixels, and the camera's time.
enum MediaInfo {
  /// Nil for a file that is not a picture, or is damaged.
  static func json(of node: ServerNode, in club: ServedClub) async throws -> JSON? {
    guard !node.isFolder, ThumbnailOrder.isSupported(node.key) else { return nil }
    var bytes: [UInt8] = []
    do {
      try await club.send(node, from: 0) { chunk throws(StoreError) in
        bytes += chunk.prefix(PictureHeader.usualPrefix - bytes.count)
        return bytes.count < PictureHeader.usualPrefix
      }
    } catch let error as StoreError where error.tellsOfChange {
      return nil
    }
    let header: PictureHeader
    do throws(ImageError) {
      header = try PictureHeader.read(bytes)
    } catch {
      return nil
    }
    let dimensions = JSON.members(["height": .number(header.size.height), "width": .number(header.size.width)])
    let taken = header.captured.map { JSON.string($0.description.replacing(" ", with: "T") + "Z") }
    return .members([
      ".tag": "metadata",
      "metadata": .members([".tag": "photo", "dimensions": dimensions, "time_taken": taken]),
    ])
  }
}
