/// Tabs at the beginnings of lines, as the editor's own indentation has them.
enum LineIndent {
  static func deeper(_ bytes: [UInt8]) -> [UInt8] {
    lines(bytes) { $0.isEmpty || $0.first == 0x0D ? Array($0) : [0x09] + $0 }
  }

  /// Takes a tab, or up to four spaces.
  static func higher(_ bytes: [UInt8]) -> [UInt8] {
    lines(bytes) { line in
      line.first == 0x09 ? Array(line.dropFirst()) : Array(line.dropFirst(line.prefix(4).prefix { $0 == 0x20 }.count))
    }
  }

  private static func lines(_ bytes: [UInt8], _ change: (ArraySlice<UInt8>) -> [UInt8]) -> [UInt8] {
    Array(bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(change).joined(separator: [0x0A]))
  }
}
