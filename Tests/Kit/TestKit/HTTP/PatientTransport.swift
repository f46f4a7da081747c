public import Backends

extension CurlTransport {
  /// A transport to a server of this machine, which may be stopped for a while: no test that uses it is about timeouts.
  public static func patient(_ options: HTTPOptions) -> CurlTransport {
    var patient = options
    patient.timeouts = .patient
    return CurlTransport(options: patient)
  }
}

extension HTTPTimeouts {
  /// Longer than any test takes.
  public static let patient = HTTPTimeouts(connect: .seconds(600), idle: .seconds(600))
}
