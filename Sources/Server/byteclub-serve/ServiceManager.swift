import Basics
import CPlatform
import POSIX
import StoreServer

/// Tells the service manager that started this process about its state: datagrams to the socket that `NOTIFY_SOCKET`
/// names (sd_notify(3), "Notes").
struct ServiceManager: Sendable {
  private let address: Address?
  private let warn: @Sendable (String) -> Void

  private struct Address: Sendable {
    /// `sun_path`: a path, or a zero byte and an abstract name (unix(7)).
    let path: [UInt8]

    /// nil for a form that this program does not know, or one that is too long.
    init?(_ text: String) {
      let most = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
      guard text.first == "/" || text.first == "@", text.utf8.count > 1, text.utf8.count < most else { return nil }
      path = text.first == "@" ? [0] + text.utf8.dropFirst() : Array(text.utf8)
    }
  }

  /// - Parameter socket: the value of `NOTIFY_SOCKET`; nil or empty without a service manager.
  init(socket: String?, warn: @escaping @Sendable (String) -> Void) {
    self.warn = warn
    let text = socket ?? ""
    address = Address(text)
    if address == nil, !text.isEmpty {
      warn("NOTIFY_SOCKET is \"\(text)\", which is no path and no abstract name; the service manager gets no messages.")
    }
  }

  /// True if a service manager listens.
  var isThere: Bool { address != nil }

  func tell(_ stage: ServerStage) {
    switch stage {
    case .listening: send("READY=1\nSTATUS=Serving.")
    // "notify-reload" of systemd 253 wants the time; others ignore it.
    case .reloading:
      send("RELOADING=1\nMONOTONIC_USEC=\(cp_monotonic() / 1000)\nSTATUS=Reading the certificate.")
    case .reloaded: send("READY=1\nSTATUS=Serving.")
    case .stopping: send("STOPPING=1\nSTATUS=Waiting for requests under way.")
    }
  }

  private func send(_ message: String) {
    guard let address else { return }
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return warn("The service manager gets no messages: \(SystemError.text(errno)).") }
    defer { close(socket) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address.path) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + address.path.count)
    let bytes = Array(message.utf8)
    let sent = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { there in
        OpenFile.retrying { sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), there, length) }
      }
    }
    if sent != bytes.count {
      warn("The service manager did not take \"\(message.prefix { $0 != "\n" })\": \(SystemError.text(errno)).")
    }
  }
}
