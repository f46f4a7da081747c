import Database
import FileStores
import Hummingbird
import JSON

extension RouteTable {
  static let uploadRoutes: [Route] = [
    Route("/2/files/upload", .upload, .member(scope: "files.content.write"), upload)
  ]

  @Sendable private static func upload(_ call: Call) async throws -> Response {
    let order = try await uploadErrors { try await call.order(call.argument) }
    let content = try await call.content()
    let file = try await uploadErrors { try await call.club.files.put(content, order) }
    return .json(try await call.metadata(file, tagged: false))
  }

  /// This route alone says what could not be written in a struct, beside the id of an upload in pieces, which there is
  /// none of.
  private static func uploadErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as Tagged {
      throw APIFailure.route(written(error))
    } catch APIFailure.route(let error) where error.tag == "path" {
      throw APIFailure.route(written(error.inside ?? error))
    }
  }

  private static func written(_ error: Tagged) -> Tagged {
    Tagged("path", error, under: "reason", with: [JSONMember("upload_session_id", "")])
  }
}
