/// The shape of the world in a picture.
public enum PictureKind: String, Sendable, Hashable, CaseIterable {
  case flat
  /// A part of a cylinder, as phones take it while they turn.
  case sweep
  /// A full turn that leaves out the sky and the ground.
  case cylinder
  case sphere
}

/// A note of the camera's maker that a picture is a panorama, without any angles.
public enum PanoramaMark: Sendable, Hashable {
  /// Apple's value 6 of EXIF's CustomRendered (ExifTool, tag names EXIF, 0xA401).
  case customRendered
  /// Samsung's trailer of a JPEG has an entry of kind 0x08E0 (ExifTool, `Samsung.pm`).
  case samsungTrailer
}
