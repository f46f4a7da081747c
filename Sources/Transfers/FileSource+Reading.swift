public import FileStores

extension FileSource {
  /// Fills a buffer with the file's bytes from an offset on and tells how many: fewer than fit at the file's end, none
  /// when reading failed.
  public typealias Fill = (_ target: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int

  /// Lets `look` read here and there in the file, on one of the pool's threads.
  ///
  /// What reading met counts more than what `look` made of it: a picture that could not be read to its end is no broken
  /// picture.
  /// - Throws: `badInput` when the file is not what it was, before or after; `notFound`; `notPermitted`; what reading
  ///   met; then what `look` throws.
  public func reading<Value: Sendable>(
    _ look: @escaping @Sendable (_ fill: @escaping Fill) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let (path, stamp) = (path, stamp)
    let what = "byteclub could not read the file \"\(path)\""
    let found: Result<Value, StoreError>? = try await pool.blocking(what) { () throws(LocalFileFault) in
      let file = try LocalFile.open(path)
      guard try file.stamp() == stamp else { return nil }
      var failure: LocalFileFault?
      let value: Result<Value, StoreError>
      do throws(StoreError) {
        value = .success(
          try look { target, offset in
            do throws(LocalFileFault) {
              return try file.read(into: target, from: UInt64(max(0, offset)))
            } catch {
              failure = error
              return 0
            }
          })
      } catch {
        value = .failure(error)
      }
      if let failure { throw failure }
      return try file.stamp() == stamp ? value : nil
    }
    guard let found else { throw Self.changed(path) }
    return try found.get()
  }
}
