import Backends
import FileStores
import POSIX
import TestKit
import Testing

/// Makes keys and certificates with the openssl command, and serves with them.
struct CertificateWorkshop {
  let folder: String

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func newKey() -> [String] { ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"] }

  private func run(_ words: [String]) throws {
    let outcome = try Spawn("/usr/bin/openssl", words, environment: [:]).finish()
    guard outcome.status == 0 else { throw StoreError(.server, "openssl \(words): \(outcome.said)") }
  }

  /// NAME.pem and NAME.key: an authority of its own.
  func authority(_ name: String) throws {
    try run(
      [
        "req", "-x509", "-days", "2", "-subj", "/CN=\(name)", "-keyout", path(name + ".key"), "-out",
        path(name + ".pem"),
      ]
        + newKey())
  }

  /// NAME.pem and NAME.key: a server's certificate for an address, valid for so many days (-1: expired).
  func certificate(_ name: String, for address: String, days: Int, by authority: String?) throws {
    writeInPlace(path(name + ".ext"), "subjectAltName=\(address)\n")
    try run(
      ["req", "-new", "-subj", "/CN=\(name)", "-keyout", path(name + ".key"), "-out", path(name + ".csr")] + newKey())
    let signer =
      authority.map { ["-CA", path($0 + ".pem"), "-CAkey", path($0 + ".key"), "-set_serial", "7"] }
      ?? ["-signkey", path(name + ".key")]
    try run(
      ["x509", "-req", "-days", "\(days)", "-in", path(name + ".csr"), "-out", path(name + ".pem")]
        + ["-extfile", path(name + ".ext")] + signer)
  }

  /// A web server with such a certificate, which answers everything with a page of its own. It speaks HTTP/1.1, and
  /// chooses among `protocols` in TLS.
  func serve(
    _ name: String, protocols: String = "http/1.1", _ body: (String) async throws -> Void
  ) async throws {
    let (server, url) = try start(name, "-www", protocols)
    defer {
      server.signal(SIGKILL)
      _ = try? server.finish()
    }
    try await body(url)
  }

  /// A server with such a certificate for one connection, which answers nothing.
  /// - Returns: what it said and heard until the other end closed the connection.
  func listen(_ name: String, _ body: (String, Spawn) async throws -> Void) async throws -> String {
    let (server, url) = try start(name, "-4", "http/1.1")
    do {
      try await body(url, server)
    } catch {
      server.signal(SIGKILL)
      _ = try server.finish()
      throw error
    }
    return try server.finish().said
  }

  private func start(_ name: String, _ option: String, _ protocols: String) throws -> (Spawn, url: String) {
    // It says where it listens on standard output, and `Spawn` listens to the other one.
    let command =
      "exec /usr/bin/openssl s_server -4 -accept 0 \"$4\" -naccept 1 -cert \"$1\" -key \"$2\" -alpn \"$3\" >&2"
    let server = try Spawn(
      "/bin/sh", ["-c", command, "sh", path(name + ".pem"), path(name + ".key"), protocols, option], environment: [:],
      input: nil)
    try server.wait(forNotice: "ACCEPT")
    let port = server.said.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }?.split(separator: ":").last ?? "?"
    return (server, "https://127.0.0.1:\(port)")
  }

  /// The pin of a certificate's key, by the commands that libcurl's manual has (CURLOPT_PINNEDPUBLICKEY(3)).
  func pin(_ name: String) throws -> KeyPin {
    let steps = [
      "/usr/bin/openssl x509 -in \"$1\" -pubkey -noout", "/usr/bin/openssl pkey -pubin -outform der",
      "/usr/bin/openssl dgst -sha256 -binary", "/usr/bin/openssl base64",
    ]
    let words = ["-c", steps.joined(separator: " | "), "sh", path(name + ".pem")]
    let outcome = try Spawn("/bin/sh", words, environment: [:]).finish()
    return try #require(KeyPin(configText: "sha256//" + outcome.text.filter { $0 != "\n" }), "\(outcome)")
  }
}

func withWorkshop(_ body: (CertificateWorkshop) async throws -> Void) async throws {
  try await withTemporaryFolder { try await body(CertificateWorkshop(folder: $0)) }
}
