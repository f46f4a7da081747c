public struct ImageError: Error, Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    case notAPicture
    /// A lossless JPEG, 12 bits a sample, …
    case unsupported
    /// More pixels, or a longer side, than the limits allow.
    case tooLarge
    case corrupt
    case cancelled
    /// More memory than the limits allow or the system has.
    case memory
    /// Decoding took longer than allowed.
    case slow
    /// The decoder's process ended or answered nonsense: a fault of a library, which the picture caused.
    case crashed
    /// The decoder's process could not be started or supplied.
    case unavailable
  }

  public let kind: Kind
  /// A sentence. It says "the picture", because only the caller knows the name.
  public let message: String
  /// A sentence with the next step; empty if there is none.
  public let remedy: String

  public init(_ kind: Kind, _ message: String, remedy: String = "") {
    self.kind = kind
    self.message = message
    self.remedy = remedy
  }

  public static var cancelled: ImageError { ImageError(.cancelled, "Reading the picture was cancelled.") }

  static func corrupt(_ what: String) -> ImageError {
    ImageError(
      .corrupt, "The picture is damaged: \(what).", remedy: "Copy it again from the camera or the original.")
  }

  static var endsEarly: ImageError { .corrupt("it ends before its size") }

  static func memory(_ needed: Int) -> ImageError {
    ImageError(
      .memory, "The picture would need \((needed + (1 << 20) - 1) >> 20) MiB of memory.",
      remedy: "Save a smaller copy.")
  }
}

extension ImageError: CustomStringConvertible {
  public var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }
}
