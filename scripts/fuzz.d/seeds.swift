import POSIX

/// The folder that gets the first inputs; nil in an ordinary run.
func seedFolder() -> String? { getenv("FUZZ_SEEDS").map { String(cString: $0) } }

/// Writes one of them. Returns 0, or -1 if it could not be written.
func write(_ bytes: [UInt8], to path: String) -> CInt {
  guard let file = fopen(path, "w") else { return -1 }
  defer { fclose(file) }
  return fwrite(bytes, 1, bytes.count, file) == bytes.count ? 0 : -1
}
