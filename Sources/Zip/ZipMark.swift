/// The signatures and marks of the ZIP format (PKWARE, APPNOTE.TXT 6.3.10, section 4.3) that are written and read here.
enum ZipMark {
  static let localHeader: UInt32 = 0x0403_4B50
  static let descriptor: UInt32 = 0x0807_4B50
  static let centralHeader: UInt32 = 0x0201_4B50
  static let zip64End: UInt32 = 0x0606_4B50
  static let zip64Locator: UInt32 = 0x0706_4B50
  static let end: UInt32 = 0x0605_4B50

  /// The extra field with sizes and offsets that 32 bits do not hold (4.5.3).
  static let zip64Extra: UInt16 = 0x0001

  /// Flags (4.4.4): the content is encrypted; sizes and checksum come after the content; names are UTF-8.
  static let isEncrypted: UInt16 = 1 << 0
  static let hasDescriptor: UInt16 = 1 << 3
  static let isUTF8: UInt16 = 1 << 11

  /// Methods (4.4.5).
  static let stored: UInt16 = 0
  static let deflated: UInt16 = 8

  /// In a 32-bit field: the true number is in the zip64 extra field.
  static let tooLarge: UInt32 = .max
}
