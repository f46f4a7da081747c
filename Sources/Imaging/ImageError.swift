/// What could not be done with a picture: a kind for code, and sentences for people.
public struct ImageError: Error, Sendable, Equatable {
  /// Why.
  public enum Kind: String, Sendable, CaseIterable {
    /// The bytes are no JPEG, PNG or WebP.
    case notAPicture
    /// A picture of a kind that is not read here (a moving one, 12 bits a sample, …).
    case unsupported
    /// More pixels, or a longer side, than the limits allow.
    case tooLarge
    /// The bytes begin like a picture and are not one, or end too early.
    case corrupt
    /// The caller lost interest.
    case cancelled
    /// It would need more memory than the limits allow, or than there is.
    case memory
  }

  /// For code.
  public let kind: Kind
  /// A whole sentence: what happened. The picture is called "the picture"; the caller knows its name.
  public let message: String
  /// A whole sentence: what to do next; empty when there is nothing.
  public let remedy: String

  /// Makes an error of whole sentences.
  public init(_ kind: Kind, _ message: String, remedy: String = "") {
    self.kind = kind
    self.message = message
    self.remedy = remedy
  }

  static var cancelled: ImageError { ImageError(.cancelled, "Reading the picture was cancelled.") }

  static func corrupt(_ what: String) -> ImageError {
    ImageError(
      .corrupt, "The picture is damaged: \(what).", remedy: "Copy it again from the camera or the original.")
  }

  /// The bytes end before the picture's size.
  static var endsEarly: ImageError { .corrupt("it ends before its size") }

  static func memory(_ needed: Int) -> ImageError {
    ImageError(
      .memory, "The picture would need \((needed + (1 << 20) - 1) >> 20) MiB of memory.",
      remedy: "Save a smaller copy.")
  }
}

extension ImageError: CustomStringConvertible {
  /// The message and the remedy.
  public var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }
}
