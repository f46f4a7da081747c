import Database
import Hummingbird
import JSON

/// Tags of files and folders. They follow a move but not a copy.
extension RouteTable {
  static let tagRoutes: [Route] = [
    Route("/2/files/tags/add", .call, .member(scope: "files.metadata.write"), addTag),
    Route("/2/files/tags/remove", .call, .member(scope: "files.metadata.write"), removeTag),
    Route("/2/files/tags/get", .call, .member(scope: "files.metadata.read"), getTags),
  ]

  private static let mostTags = 20

  @Sendable private static func addTag(_ call: Call) async throws -> Response {
    let (tag, node) = (try tag(call.argument), try await call.node(try call.path([])))
    let hasRoom = try await call.club.index.write { writing in
      let tags = try writing.tags(of: node.id)
      guard tags.contains(tag) || tags.count < mostTags else { return false }
      try writing.add(tag: tag, to: node.id)
      return true
    }
    guard hasRoom else { throw APIFailure.route(Tagged("too_many_tags")) }
    return .json(.null)
  }

  @Sendable private static func removeTag(_ call: Call) async throws -> Response {
    let (tag, node) = (try tag(call.argument), try await call.node(try call.path([])))
    guard try await call.club.index.write({ try $0.remove(tag: tag, from: node.id) }) else {
      throw APIFailure.route(Tagged("tag_not_present"))
    }
    return .json(.null)
  }

  @Sendable private static func getTags(_ call: Call) async throws -> Response {
    var entries: [JSON] = []
    for text in try call.argument.strings("paths", atMost: 1000) {
      let path = try ClubPath(text, .slashes, key: call.argument.place + "paths", space: call.club.space)
      let node = try await call.node(path)
      let tags = try await call.club.index.read { try $0.tags(of: node.id) }
      entries.append(
        .members([
          "path": .string(text),
          "tags": .array(tags.map { .members([".tag": "user_generated_tag", "tag_text": .string($0)]) }),
        ]))
    }
    return .json(.members(["paths_to_tags": .array(entries)]))
  }

  private static func tag(_ argument: Argument) throws -> String {
    let text = try argument.string("tag_text")
    let isWord = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
    }
    guard isWord, (1...32).contains(text.unicodeScalars.count) else {
      throw argument.fault("tag_text", "'\(text)' did not match pattern '[\\w]+' of 1 to 32 characters")
    }
    return Folding.composed(text).lowercased()
  }
}
