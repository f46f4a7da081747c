import Glibc

/// The config file on disk.
enum ConfigFile {
  /// More than this is no config file.
  static let largestBytes = 1 << 20

  /// The file's bytes; nil when there is none.
  /// - Throws: when there is one that cannot be read, or one that was asked for by name is not there.
  static func read(_ paths: Paths) throws(ConfigFault) -> [UInt8]? {
    let place = paths.abbreviating(paths.configFile)
    let descriptor = open(paths.configFile, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR {
        guard paths.configIsNamed else { return nil }
        throw ConfigFault("The config file \(place) does not exist. Check its name, or leave out --config.")
      }
      throw ConfigFault("The config file \(place) cannot be read: \(SystemError.sentence(code)).")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ConfigFault("The config file \(place) is not a regular file.")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ConfigFault("The config file \(place) cannot be read: \(SystemError.sentence(errno)).")
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= largestBytes else {
        throw ConfigFault("The config file \(place) is larger than 1 MiB. Check its name.")
      }
    }
  }
}
