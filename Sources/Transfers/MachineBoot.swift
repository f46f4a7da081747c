/// The time since this machine was started.
enum MachineBoot {
  /// A word that each boot has for itself, from the kernel; nil when it cannot be read.
  static var id: String? {
    guard let bytes = try? LocalFile.open("/proc/sys/kernel/random/boot_id").read(from: 0, count: 64) else {
      return nil
    }
    let word = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    return word.isEmpty ? nil : word
  }
}
