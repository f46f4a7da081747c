import Basics
import FileStores
import POSIX
import NIOSSL

/// PEM files. Errors name the file that is wrong.
struct ServerCertificate {
  let certificate: String
  let key: String

  private static let largestBytes = 1 << 20
  private static let remedy = "Give the certificate with --tls-cert and its key with --tls-key, both in PEM."

  /// - Throws: `badInput` for files that cannot be used or do not belong together.
  func read() throws(StoreError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
    let chain = try certificates()
    let key = try privateKey()
    guard !chain.isEmpty else { throw fault("The file \"\(certificate)\" has no certificate.") }
    do {
      _ = try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
    } catch {
      throw fault("The key in \"\(self.key)\" does not belong to the certificate in \"\(certificate)\".")
    }
    return (chain, key)
  }

  func certificates() throws(StoreError) -> [NIOSSLCertificate] {
    let bytes = try ServerCertificate.bytes(certificate, "certificate")
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("-----BEGIN CERTIFICATE-----") || text.contains("-----BEGIN TRUSTED CERTIFICATE-----") else {
      let what = text.contains("PRIVATE KEY-----") ? "has a private key but no certificate" : "has no certificate"
      throw fault("The file \"\(certificate)\" \(what).")
    }
    do {
      return try NIOSSLCertificate.fromPEMBytes(bytes)
    } catch {
      throw fault("The certificate in \"\(certificate)\" is damaged.")
    }
  }

  private func privateKey() throws(StoreError) -> NIOSSLPrivateKey {
    let bytes = try ServerCertificate.bytes(key, "private key")
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("PRIVATE KEY-----") else {
      let what =
        text.contains("-----BEGIN CERTIFICATE") ? "has a certificate but no private key" : "has no private key"
      throw fault("The file \"\(key)\" \(what).")
    }
    guard !text.contains("ENCRYPTED") else {
      throw fault(
        "The private key in \"\(key)\" has a passphrase.",
        remedy: "Remove the passphrase, in a file that only you can read: openssl pkey -in \"\(key)\" -out KEY.pem")
    }
    do {
      return try NIOSSLPrivateKey(bytes: bytes, format: .pem)
    } catch {
      throw fault("The private key in \"\(key)\" is damaged, or of a kind that TLS does not use.")
    }
  }

  private func fault(_ message: String, remedy: String = ServerCertificate.remedy) -> StoreError {
    StoreError(.badInput, message, remedy: remedy)
  }

  private static func bytes(_ path: String, _ what: String) throws(StoreError) -> [UInt8] {
    func failed(_ reason: String) -> StoreError {
      StoreError(.badInput, "byteclub cannot read the \(what) \"\(path)\": \(reason).", remedy: remedy)
    }
    do throws(SystemError) {
      if let bytes = try OpenFile(path, O_RDONLY).readAll(limit: largestBytes) { return bytes }
    } catch {
      throw failed(SystemError.text(error.code))
    }
    throw failed("it is larger than 1 MiB")
  }
}
