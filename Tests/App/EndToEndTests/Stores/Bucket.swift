import Basics
import Foundation
import TestKit

/// A bucket of moto, seen past byteclub.
final class Bucket: ForeignServer {
  struct Failure: Error { let description: String }

  static let keys = ["AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "secret"]
  private static let bucket = "club"
  let name = "bucket"
  let secrets = Bucket.keys
  // moto answers requests without a signature as a stranger's.
  private static let headers = [
    "Authorization": "AWS4-HMAC-SHA256 Credential=AKIATEST/20260101/us-east-1/s3/aws4_request"
  ]

  private let server: PythonServer
  var port: UInt16 { server.port }

  init() throws { server = try PythonServer("s3_server.py", [Bucket.bucket]) }

  deinit { server.stop() }

  func settings(through port: UInt16) -> [String: Any] {
    ["store": "s3", "endpoint": "http://127.0.0.1:\(port)", "region": "us-east-1", "bucket": Bucket.bucket]
  }

  /// The keys of all objects, in order.
  func names() throws -> [String] {
    let names = try texts(of: "Key", in: "?list-type=2&encoding-type=url")
    return names.map { $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? $0 }
  }

  /// The ids of unfinished multipart uploads.
  func unfinished() throws -> [String] { try texts(of: "UploadId", in: "?uploads") }

  /// The bytes of an object whose key needs no escapes; nil without one.
  func content(_ key: String) throws -> [UInt8]? {
    let answer = try ask("GET", "/" + key)
    guard answer.status != 404 else { return nil }
    guard answer.status == 200 else { throw Failure(description: "GET \(key): \(answer.status)") }
    return answer.body
  }

  func put(_ bytes: [UInt8], at key: String) throws {
    let answer = try ask("PUT", "/" + key, bytes)
    guard answer.status == 200 else { throw Failure(description: "PUT \(key): \(answer.status)") }
  }

  private func texts(of element: String, in query: String) throws -> [String] {
    let answer = try ask("GET", query)
    guard answer.status == 200 else { throw Failure(description: "GET \(query): \(answer.status)") }
    let parts = String(decoding: answer.body, as: UTF8.self).components(separatedBy: "<\(element)>").dropFirst()
    return parts.compactMap { $0.components(separatedBy: "</\(element)>").first }
  }

  private func ask(_ method: String, _ target: String, _ body: [UInt8] = []) throws -> (status: Int, body: [UInt8]) {
    guard
      let answer = askLoopback(
        method, "/\(Bucket.bucket)\(target)", port: port, headers: Bucket.headers, body: body)
    else { throw Failure(description: "moto does not answer") }
    return answer
  }
}
