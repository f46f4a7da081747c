/// What a reader finds in an archive, in its order.
public enum ZipPart: Sendable, Equatable {
  /// A file or folder begins (a folder's name ends with a slash). Its name is as it was written, without a promise of
  /// any encoding; it may be anything, also `../x`.
  case begin(name: [UInt8])
  /// Bytes of the file that began last.
  case bytes(ArraySlice<UInt8>)
  /// The file that began last has ended as its records say. Its checksum was not looked at: who reads compares a better one.
  case end
  /// All files were there; what follows is the directory, which is not read.
  case over
}

/// What is wrong with an archive, or with reading it from its beginning.
public enum ZipFault: Error, Sendable, Equatable {
  /// It is not what a ZIP archive looks like, or breaks its own rules.
  case broken
  /// The content is encrypted, or packed by a method that is neither "stored" nor "deflated".
  case unsupported
  /// A stored file whose size is said behind it alone, and that nobody knows: where it ends cannot be told.
  case unknownSize
}
