import Foundation

/// The library md4c (Debian's package "libmd4c-html0"), a second judge of Markdown beside cmark-gfm.
enum MD4C {
  private typealias Output = @convention(c) (UnsafePointer<CChar>?, UInt32, UnsafeMutableRawPointer?) -> Void
  private typealias Render =
    @convention(c) (UnsafePointer<CChar>?, UInt32, Output, UnsafeMutableRawPointer?, UInt32, UInt32) -> Int32

  /// The flags of md4c.h for addresses with and without a scheme, addresses of mail, tables, strikethrough and tasks.
  private static let flags: UInt32 = 0x0004 | 0x0400 | 0x0008 | 0x0100 | 0x0200 | 0x0800
  /// MD_HTML_FLAG_XHTML of md4c-html.h.
  private static let xhtml: UInt32 = 0x0008

  private static let render: Render? = {
    guard let library = dlopen("libmd4c-html.so.0", RTLD_NOW), let symbol = dlsym(library, "md_html") else {
      return nil
    }
    return unsafeBitCast(symbol, to: Render.self)
  }()

  static var isInstalled: Bool { render != nil }

  /// The document as HTML; nil without the library, or if it fails.
  static func html(_ text: [UInt8]) -> String? {
    guard let render else { return nil }
    var output: [UInt8] = []
    let status = text.withUnsafeBytes { bytes in
      withUnsafeMutablePointer(to: &output) { output in
        render(
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(bytes.count),
          { part, count, output in
            output?.assumingMemoryBound(to: [UInt8].self).pointee
              .append(contentsOf: UnsafeRawBufferPointer(start: part, count: Int(count)))
          }, output, flags, xhtml)
      }
    }
    return status == 0 ? String(decoding: output, as: UTF8.self) : nil
  }
}
