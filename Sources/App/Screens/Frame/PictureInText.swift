public import FileStores

/// The work that pictures in an editor ask for.
public enum PictureEffect: Sendable {
  case complete(String)
  /// Look if a pasted text is the path of a picture.
  case look([UInt8])
  case upload(String)
}

public enum PictureAction: Sendable {
  case completed(String, PathCompletion)
  /// The pasted text is the path of a picture of this machine.
  case found(String, pasted: [UInt8])
  /// The member uploads the pasted picture.
  case confirmed(String, pasted: [UInt8])
  /// The upload of a file begins.
  case began(String, local: String)
  /// The club has the file's picture.
  case ready(String, StorePath)
  /// The upload of a file has ended without a picture.
  case ended(String, StoreError?)
}
