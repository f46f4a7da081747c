import FileStores
import Foundation
import JSON
import POSIX
import TestKit
import Testing

@testable import StoreServer

/// Certificates that are replaced while the server runs, seen by another program's handshake.
@Suite(.serialized) struct CertificateTests {
  private static func openssl(_ words: [String], input: [UInt8]? = []) throws -> Spawn.Outcome {
    try Spawn("/usr/bin/openssl", words, environment: ["PATH": "/usr/bin:/bin"], input: input).finish()
  }

  /// Writes a certificate with this name, and its key, in place of those in the folder.
  private static func write(_ name: String, in folder: String) throws {
    let outcome = try openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
      "/CN=\(name)", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
    ])
    try #require(outcome.status == 0, "\(outcome.said)")
  }

  /// The name in the certificate that a new connection gets.
  private static func seen(at port: Int) throws -> String {
    let answer = try openssl(["s_client", "-connect", "127.0.0.1:\(port)"])
    let subject = answer.text.split(separator: "\n").first { $0.hasPrefix("subject=") } ?? "no certificate"
    return String(subject.split(separator: "=").last ?? "").trimmingCharacters(in: .whitespaces)
  }

  @Test("A new certificate serves new connections, old connections go on, and a broken one changes nothing")
  func replaced() async throws {
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      try Self.write("old", in: folder)
      let security = ServerOptions.Security(certificate: folder + "/cert.pem", key: folder + "/key.pem")
      try await withServer(in: folder, tune: { $0.security = security }, handler: log.handler) { server in
        let port = server.client.port
        #expect(try Self.seen(at: port) == "old")
        // A connection that is there before and after.
        let pipe = folder + "/requests"
        #expect(mkfifo(pipe, 0o600) == 0)
        let writing = open(pipe, O_RDWR | O_CLOEXEC)
        let session = try Spawn(
          "/bin/sh", ["-c", "exec openssl s_client -quiet -connect 127.0.0.1:\(port) < \"$0\"", pipe],
          environment: ["PATH": "/usr/bin:/bin"])
        let request = Array("GET /2/check/user HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        func ask() { #expect(POSIX.write(writing, request, request.count) == request.count) }
        ask()
        try session.wait(forOutput: "HTTP/1.1 401", times: 1)
        try Self.write("new", in: folder)
        #expect(server.reload())
        #expect(try Self.seen(at: port) == "new")
        ask()
        try session.wait(forOutput: "HTTP/1.1 401", times: 2)
        // A certificate without its key, a damaged one, and none.
        for text in ["-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----\n", ""] {
          try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/cert.pem"))
          #expect(!server.reload())
          #expect(try Self.seen(at: port) == "new")
        }
        try FileManager.default.removeItem(atPath: folder + "/key.pem")
        #expect(!server.reload())
        #expect(try Self.seen(at: port) == "new")
        close(writing)
        session.signal(SIGKILL)
        _ = try session.finish()
      }
    }
    let told = log.all.filter { $0.contains("ertificate") }
    #expect(told.contains { $0.hasPrefix("info") && $0.contains("was read again") }, "\(told)")
    #expect(
      told.contains { $0.hasPrefix("error") && $0.contains("the old one stays") && $0.contains("is damaged") },
      "\(told)")
    #expect(told.contains { $0.hasPrefix("error") && $0.contains("/cert.pem\" has no certificate") }, "\(told)")
  }

  @Test("A server without a certificate has nothing to read again")
  func plain() async throws {
    let log = KeptLog()
    try await withTemporaryFolder { folder in
      try await withServer(in: folder, handler: log.handler) { server in
        #expect(!server.reload())
        let reply = try await server.call("check/user", .members(["query": "x"]))
        #expect(reply.status == 200)
      }
    }
    #expect(log.all.contains { $0.hasPrefix("info There is nothing to read again") })
  }
}
