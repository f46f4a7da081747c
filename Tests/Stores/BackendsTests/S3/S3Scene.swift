import FileStores
import TestKit

@testable import Backends

/// A store over a scripted transport, with the findings of a server that keeps all conditions, and pieces of answers.
enum S3Scene {
  static let kept = ServerFindings(
    kind: "s3", version: S3SelfTest().version, server: "",
    answers: ["create", "replace", "completeCreate", "completeReplace", "delete", "copyTarget"].map {
      ServerFindings.Answer($0, "kept")
    } + [ServerFindings.Answer("body", "kept"), ServerFindings.Answer("versions", "no")])

  static func store(
    _ transport: any HTTPTransport, findings: ServerFindings = kept, options: [String: String] = [:],
    _ change: (inout S3Tuning) -> Void = { _ in }
  ) throws -> S3Store {
    let known = SharedFindings()
    known.keep(findings)
    var tuning = S3Tuning()
    tuning.now = { 1_369_353_600_000_000_000 }
    let keys = ["AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "very-secret"]
    tuning.variable = { keys[$0] }
    tuning.clock = ManualClock(advancesOnSleep: true)
    change(&tuning)
    let all = ["endpoint": "https://s3.test", "bucket": "b", "prefix": "p"].merging(options) { $1 }
    return try S3Store(
      StoreDescription(kind: "s3", options: all),
      StoreNetwork(transport: transport, tokens: StaticToken(""), findings: known), pool: S3Server.pool, tuning: tuning)
  }

  static func xml(_ status: Int, _ text: String, _ headers: HTTPHeaders = [:]) -> ScriptedTransport.Answer {
    .response(HTTPResponse(status, headers: headers), Array(text.utf8))
  }

  static func page(_ inside: String, token: String?) -> String {
    let rest = token.map { "<IsTruncated>true</IsTruncated><NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
    return "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      + "<EncodingType>url</EncodingType>\(inside)\(rest)</ListBucketResult>"
  }

  static func file(_ key: String) -> String {
    "<Contents><Key>\(key)</Key><LastModified>2026-01-02T03:04:05.678Z</LastModified><ETag>&quot;abc&quot;</ETag>"
      + "<Size>3</Size></Contents>"
  }
}
