public import Testing

/// A file of remarks that no member's byteclub has written.
public struct HostileTalk: Sendable, CustomTestStringConvertible {
  public let name: String
  public let bytes: [UInt8]
  /// Words of its remarks.
  public let shown: [String]
  /// Words of its lines that are no remarks.
  public let below: [String]
  public let remarks: Int

  public var testDescription: String { name }

  private init(_ name: String, _ text: String, shown: [String], below: [String] = [], remarks: Int? = nil) {
    self.init(name, Array(text.utf8), shown: shown, below: below, remarks: remarks)
  }

  private init(_ name: String, _ bytes: [UInt8], shown: [String], below: [String], remarks: Int? = nil) {
    (self.name, self.bytes, self.shown, self.below) = (name, bytes, shown, below)
    self.remarks = remarks ?? shown.count
  }

  private static func item(
    _ id: Int, _ text: String, _ aim: String = "", by member: String = "ann", at time: String = "2026-11-26 18:04Z"
  ) -> String { "- **\(member)** \(time) aaaaaaa\(id)\(aim): \(text)\n" }

  /// More remarks than are shown.
  public static let many = HostileTalk(
    "100,000 remarks", (0..<100_000).map { "- **a** 2026-11-26 18:04Z \(10_000_000 + $0) @1,2\n" }.joined(),
    shown: [], remarks: 10_000)

  public static let all = [
    many,
    HostileTalk(
      "controls",
      item(1, "clear \u{1B}[2J\u{9B}2J\u{202E} w-end", by: "a\u{1B}[31mnn\u{7}")
        + item(2, "w-good \u{1B}]52;c;eA==\u{7}", " on \"\u{1B}[2J\"") + "w-return\u{8}\u{7F}\n",
      shown: ["w-end", "w-good"], below: ["w-return"]),
    HostileTalk(
      "forged names and times",
      item(1, "w-long", by: String(repeating: "name ", count: 2000)) + item(2, "w-old", at: "1970-01-01 00:00Z")
        + item(3, "w-later", at: "2199-12-31 23:59Z") + item(4, "w-last", at: "9999-12-31 23:59Z")
        + item(5, "w-nobody", by: "") + item(6, "w-month", at: "2026-13-40 25:61Z"),
      shown: ["w-long", "w-old", "w-later"], below: ["w-last", "w-nobody", "w-month"]),
    HostileTalk(
      "places outside the sphere",
      item(1, "w-edge", " @-360,-90") + item(2, "w-yaw", " @400,0") + item(3, "w-pitch", " @0,91")
        + item(4, "w-nan", " @nan,0") + item(5, "w-words", " on \"\""),
      shown: ["w-edge"], below: ["w-yaw", "w-pitch", "w-nan", "w-words"]),
    HostileTalk(
      "equal ids", item(1, "w-one") + item(1, "w-two", by: "eve") + item(1, "w-three", " re aaaaaaa1", by: "ray"),
      shown: ["w-one", "w-two", "w-three"]),
    HostileTalk(
      "circles",
      item(1, "w-one", " re aaaaaaa2") + item(2, "w-two", " re aaaaaaa1") + item(3, "w-own", " re aaaaaaa3")
        + item(4, "w-fix", " fix aaaaaaa5") + item(5, "w-fixed", " fix aaaaaaa4") + item(6, "w-gone", " gone aaaaaaa6"),
      shown: ["w-one", "w-two", "w-own"], below: ["w-fix", "w-fixed", "w-gone"]),
    HostileTalk(
      "edited by hand into nonsense",
      Array("<script>w-html</script>\n- **ann** 2026-11-26 w-half\n- **ann**w-bold\nw-nul\0\nw-bytes".utf8)
        + [0xFF, 0xC0, 0x80, 0x0A]
        + Array(
          ("> w-quote\n\tw-tab\n" + item(1, "w-return").dropLast() + "\r\n" + item(2, "w-open").dropLast()).utf8),
      shown: ["w-return", "w-open"],
      below: ["w-html", "w-half", "w-bold", "w-nul", "w-bytes", "w-quote", "w-tab"]),
    HostileTalk(
      "clocks that differ by years",
      item(1, "w-late", at: "2190-01-01 00:00Z") + item(2, "w-early", " re aaaaaaa1", at: "1971-01-01 00:00Z")
        + item(3, "w-now"),
      shown: ["w-late", "w-early", "w-now"]),
  ]
}
