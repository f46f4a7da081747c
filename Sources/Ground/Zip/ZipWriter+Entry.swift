internal import CZlib

extension ZipWriter {
  /// Numbers in comments are sections of APPNOTE.TXT.
  struct Entry: Sendable {
    enum Form: Sendable {
      case folder
      case whole
      /// Size and checksum follow the content.
      case inPieces
    }

    private let name: [UInt8]
    private let form: Form
    private let modified: Int64
    private let offset: UInt64
    /// The header declares 64-bit sizes before the sizes are known.
    private let isLarge: Bool
    private var checksum: UInt32 = 0
    var size: UInt64 = 0
    var packed: UInt64 = 0

    init(_ name: String, _ form: Form, modified: Int64, at offset: UInt64, isLarge: Bool = false) {
      let mark = form == .folder ? "/" : ""
      self.name = Array(name.utf8.prefix(Int(UInt16.max) - mark.utf8.count)) + mark.utf8
      (self.form, self.modified, self.offset, self.isLarge) = (form, modified, offset, isLarge)
    }

    mutating func add(_ content: ArraySlice<UInt8>) {
      checksum = content.withUnsafeBytes { cz_crc32(checksum, $0.baseAddress, $0.count) }
      size += UInt64(content.count)
    }

    /// Before the content (4.3.7).
    func appendLocalHeader(to bytes: inout [UInt8]) {
      bytes.append(little: ZipMark.localHeader)
      appendVersion(isLarge, to: &bytes)
      // Values that follow the content are 0 here; 64-bit sizes are marked, with 0 in the extra field.
      let large: [UInt64] = isLarge ? [0, 0] : []
      let isLater = form == .inPieces
      bytes.append(little: isLater ? 0 : checksum)
      bytes.append(little: isLarge ? ZipMark.tooLarge : isLater ? 0 : Entry.narrow(packed))
      bytes.append(little: isLarge ? ZipMark.tooLarge : isLater ? 0 : Entry.narrow(size))
      bytes.append(little: UInt16(name.count))
      let extra = extra(large)
      bytes.append(little: UInt16(extra.count))
      bytes.append(contentsOf: name)
      bytes.append(contentsOf: extra)
    }

    /// After the content (4.3.9).
    func appendDescriptor(to bytes: inout [UInt8]) {
      bytes.append(little: ZipMark.descriptor)
      bytes.append(little: checksum)
      if isLarge {
        bytes.append(little: packed)
        bytes.append(little: size)
      } else {
        bytes.append(little: Entry.narrow(packed))
        bytes.append(little: Entry.narrow(size))
      }
    }

    /// In the directory (4.3.12).
    func appendCentralHeader(to bytes: inout [UInt8]) {
      let large = [size, packed, offset].filter { $0 >= ZipMark.tooLarge }
      bytes.append(little: ZipMark.centralHeader)
      bytes.append(little: Entry.madeBy)
      appendVersion(isLarge || !large.isEmpty, to: &bytes)
      bytes.append(little: checksum)
      bytes.append(little: Entry.narrow(packed))
      bytes.append(little: Entry.narrow(size))
      bytes.append(little: UInt16(name.count))
      let extra = extra(large)
      bytes.append(little: UInt16(extra.count))
      // No comment, first disk, no internal attributes.
      for _ in 0..<3 { bytes.append(little: UInt16(0)) }
      let isFolder = form == .folder
      bytes.append(little: (isFolder ? Entry.folderMode : Entry.fileMode) << 16 | (isFolder ? Entry.folderMark : 0))
      bytes.append(little: Entry.narrow(offset))
      bytes.append(contentsOf: name)
      bytes.append(contentsOf: extra)
    }

    private func appendVersion(_ isLarge: Bool, to bytes: inout [UInt8]) {
      bytes.append(little: isLarge ? ZipWriter.largeVersion : Entry.version)
      bytes.append(little: ZipMark.isUTF8 | (form == .inPieces ? ZipMark.hasDescriptor : 0))
      bytes.append(little: form == .inPieces ? ZipMark.deflated : ZipMark.stored)
      bytes.append(little: DOSTime.word(modified))
    }

    /// Numbers beyond 32 bits (4.5.3), and the modification time to the second in UTC (Info-ZIP's extrafld.txt).
    private func extra(_ large: [UInt64]) -> [UInt8] {
      var bytes: [UInt8] = []
      if !large.isEmpty {
        bytes.append(little: ZipMark.zip64Extra)
        bytes.append(little: UInt16(large.count * 8))
        for number in large { bytes.append(little: number) }
      }
      if let seconds = Int32(exactly: modified) {
        bytes.append(little: Entry.timeExtra)
        bytes.append(little: UInt16(5))
        bytes.append(1)
        bytes.append(little: seconds)
      }
      return bytes
    }

    private static func narrow(_ number: UInt64) -> UInt32 { UInt32(clamping: number) }

    /// 2.0: folders and deflate.
    private static let version: UInt16 = 20
    /// Unix and version 6.3 of the format, which makes readers use the modes below (4.4.2, 4.4.15).
    private static let madeBy: UInt16 = 3 << 8 | 63
    private static let fileMode: UInt32 = 0o100644
    private static let folderMode: UInt32 = 0o040755
    private static let folderMark: UInt32 = 0x10
    private static let timeExtra: UInt16 = 0x5455
  }
}

extension [UInt8] {
  mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
