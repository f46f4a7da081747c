import CLinux
import FileStores
import Glibc

/// Waits for connections to a socket of this machine, on a thread of its own. Those of other users' processes are
/// closed at once.
final class LineListener: Sendable {
  private let descriptor: Int32
  private let wake: Int32
  private let path: String

  /// Listens at `name` in a directory, from now on.
  /// - Parameter accept: gets each connection's descriptor, from the listener's thread; must return at once.
  init(at name: String, in directory: String, accept: @escaping @Sendable (Int32) -> Void) throws(StoreError) {
    descriptor = try LocalSocket.listen(at: name, in: directory)
    path = "\(directory)/\(name)"
    wake = cl_signal_open()
    let (descriptor, wake) = (descriptor, wake)
    let starts =
      wake >= 0
      && DetachedThread.start {
        while cl_wait(descriptor, wake, -1) & 2 == 0 {
          let connection = cl_accept(descriptor)
          if connection < 0 {
            // Out of descriptors: whoever waits is let in when some are free.
            if connection == -EMFILE || connection == -ENFILE { usleep(100_000) }
            continue
          }
          if LocalSocket.isOurs(connection) { accept(connection) } else { Glibc.close(connection) }
        }
        Glibc.close(descriptor)
        Glibc.close(wake)
      }
    guard starts else {
      Glibc.close(descriptor)
      if wake >= 0 { Glibc.close(wake) }
      throw StoreError(
        .server, "byteclub could not listen at \"\(path)\": the system has no free thread or descriptor.")
    }
  }

  /// Listens no more; the socket's file goes. Once is enough. The lock must still be held: the file may be the next
  /// owner's otherwise.
  func close() {
    unlink(path)
    cl_signal_send(wake)
  }
}
