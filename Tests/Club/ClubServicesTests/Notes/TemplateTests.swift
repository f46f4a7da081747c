import Basics
import ClubServices
import FileStores
import Testing

/// The texts of new notes from templates, and the path of the day's note.
@Suite struct TemplateTests {
  /// 2026-11-29, 23:59:30 UTC.
  private static let moment = Timestamp(seconds: 1_795_996_770)

  private func template(_ text: String, offset: Int = 0, member: String = "ann") -> NoteTemplate {
    NoteTemplate(Array(text.utf8), at: Self.moment, offset: offset, member: member)
  }

  @Test(
    "Known words in braces are filled; everything else stays",
    arguments: [
      ("# {title}\n{date} {time} {member}\n", "# Rome\n2026-11-29 23:59 ann\n"), ("{cursor}", ""),
      ("{{date}} {{title}}", "2026-11-29 Rome"), ("{{date}", "{{date}"), ("{date}}", "{date}}"),
      ("{{date:YYYY/MM-DD}} {{time:HH.mm}}{{time}}", "2026/11-29 23.5923:59"), ("{{{title}}}", "{Rome}"),
      ("{{date:dddd}} {{title:x}} {{ title }} {{member}}", "{{date:dddd}} {{title:x}} {{ title }} {{member}}"),
      ("{{}} {{:}} {{date:}} {{cursor}}", "{{}} {{:}} 2026-11-29 {{cursor}}"),
      ("{Date} {year} {} {x} { date }", "{Date} {year} {} {x} { date }"), ("{date", "{date"), ("}{title}{", "}Rome{"),
      ("![[templates/trip]] {templates/trip.md}", "![[templates/trip]] {templates/trip.md}"), ("", ""),
      ("{dat{date}", "{dat2026-11-29"),
    ])
  func filled(text: String, shown: String) {
    #expect(String(decoding: template(text).filled(title: "Rome").text, as: UTF8.self) == shown)
  }

  @Test("A fact with braces is not filled again") func facts() {
    let filled = template("{title} {member}", member: "{title}").filled(title: "{member} {date}")
    #expect(String(decoding: filled.text, as: UTF8.self) == "{member} {date} {title}")
  }

  @Test(
    "The cursor is at its first place, else at the end",
    arguments: [("a {cursor}b{cursor}c", 2), ("{title}{cursor}", 4), ("abc", 3), ("", 0), ("é{cursor}", 2)])
  func cursor(text: String, offset: Int) {
    #expect(template(text).filled(title: "Rome").cursor == offset)
  }

  @Test("Bytes that are no text stay as they are") func bytes() {
    let bytes: [UInt8] = [0xFF, 0x7B, 0xC3, 0x7D, 0x00, 0x7B, 0x7B]
    #expect(NoteTemplate(bytes, at: Self.moment, offset: 0, member: "").filled(title: "").text == bytes)
  }

  @Test(
    "The day is that of the member's time zone, on both sides of midnight",
    arguments: [
      (0, "2026-11-29 23:59"), (60, "2026-11-30 00:00"), (3600, "2026-11-30 00:59"), (-86_400 / 2, "2026-11-29 11:59"),
      (14 * 3600, "2026-11-30 13:59"), (5 * 3600 + 45 * 60, "2026-11-30 05:44"),
    ])
  func zones(offset: Int, shown: String) {
    #expect(String(decoding: template("{date} {time}", offset: offset).filled(title: "").text, as: UTF8.self) == shown)
  }

  @Test(
    "The day's note has its path by the pattern",
    arguments: [
      ("{date}.md", "2026-11-29.md"), ("daily/{date}", "daily/2026-11-29"),
      ("{year}/{month}/{day} of {member}", "2026/11/29 of a-n"), ("journal.md", "journal.md"), ("{time}", "{time}"),
    ])
  func day(pattern: String, path: String) {
    #expect(template("", member: "a/n").path(ofDay: pattern) == path)
  }
}
