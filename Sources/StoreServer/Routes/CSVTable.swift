/// A table in text (RFC 4180): rows in lines, fields between commas, and quotes around what holds any of these.
struct CSVTable {
  private(set) var rows: [[String]] = []

  init(_ text: String) {
    var (row, field, isQuoted): ([String], [UInt8], Bool) = ([], [], false)
    func take(_ field: inout [UInt8]) -> String {
      defer { field = [] }
      return String(decoding: field, as: UTF8.self)
    }
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\"") where isQuoted && rest.first == UInt8(ascii: "\""):
        field.append(byte)
        rest = rest.dropFirst()
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: row.append(take(&field))
      case UInt8(ascii: "\n") where !isQuoted:
        if field.last == UInt8(ascii: "\r") { field.removeLast() }
        rows.append(row + [take(&field)])
        row = []
      default: field.append(byte)
      }
    }
    if !field.isEmpty || !row.isEmpty { rows.append(row + [take(&field)]) }
  }

  /// The table as a page for a browser.
  func page(title: String) -> String {
    var page = """
      <!DOCTYPE html>
      <html><head><meta charset="utf-8"><title>\(SignInPage.escaped(title))</title>
      <style>table{border-collapse:collapse}td{border:1px solid #999;padding:.2em .5em}</style></head><body><table>

      """
    for row in rows {
      page += "<tr>" + row.map { "<td>\(SignInPage.escaped($0))</td>" }.joined() + "</tr>\n"
    }
    return page + "</table></body></html>\n"
  }
}
