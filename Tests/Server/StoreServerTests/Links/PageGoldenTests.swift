import Database
import Foundation
import Imaging
import Markdown
import TestKit
import Testing

@testable import StoreServer

/// Each page as it is sent. Look at it in a browser, too: scripts/conformance links.
@Suite struct PageGoldenTests {
  private static let facts = LinkPages.Facts(
    name: "The <pier>.md", size: 1500, changed: 1_795_545_600, ends: 1_800_000_000)

  private static let note = """
    # The <pier> & us

    A [link](https://example.org/?a=1&b="2"), a [bad one](javascript:alert(1)), <b onclick="x()">raw</b> and
    ![a picture](photos/pier.jpg "title") of [[Another note|ours]], #tag.

    - [x] done
    - [ ] open

    | a | b | c |
    |---|:-:|--:|
    | 1 | `2` |

    <script>alert(1)</script>

    > quoted\\
    > twice

    3. three

    ```swift
    let a = "<b>"
    ```
    """

  private static func made(_ text: String, as name: String) -> Made {
    Made(Array(LinkText.text(named: name, Array(text.utf8)).utf8))
  }

  private static let packages = [
    PackageFolder.Package(name: "SHA256SUMS", size: 300, changed: 0, sum: nil),
    PackageFolder.Package(
      name: "byteclub-0.1.0-linux-x86_64.tar.xz", size: 41_000_000, changed: 0,
      sum: String(repeating: "0123456789abcdef", count: 4)),
    PackageFolder.Package(name: "byteclub_0.1.0_amd64.deb", size: 21_500_000, changed: 0, sum: nil),
  ]

  private static func drop(from guest: String?) -> ServerDropPage {
    ServerDropPage(
      id: "id", member: ServerMember(id: "m", name: "ann & co", created: 0), folder: "/in", guest: guest, created: 0,
      expires: 1_800_000_000, mostBytes: 500 << 20)
  }

  static let pages: [(String, Page)] = [
    ("note", LinkPages.text(facts, made(note, as: "The <pier>.md"))),
    (
      "text",
      LinkPages.text(
        LinkPages.Facts(name: "a.txt", size: 1, changed: 0, ends: nil),
        made("<a>\n\u{1B}[31m&\u{202E}", as: "a.txt"))
    ),
    (
      "photo",
      LinkPages.picture(
        LinkPages.Facts(name: "\"pier\".jpg", size: 3_500_000, changed: 0, ends: nil),
        PixelSize(width: 4000, height: 3000))
    ),
    (
      "panorama",
      LinkPages.picture(
        LinkPages.Facts(name: "pier.jpg", size: 35_000_000, changed: 0, ends: nil), PixelSize(width: 8000, height: 1200)
      )
    ),
    ("other", LinkPages.other(LinkPages.Facts(name: "a.zip", size: 0, changed: 0, ends: nil))),
    (
      "folder",
      LinkedFolderPage.page(
        "Tour <1>",
        [
          LinkedFolderPage.Entry(name: "day \"1\"", address: "/s/word/Tours/Tour/day", size: nil),
          LinkedFolderPage.Entry(name: "pier.jpg", address: "/s/word/Tours/Tour/pier.jpg", size: 3_500_000),
        ], hasMore: false, above: "/s/word/Tours", ends: nil)
    ),
    ("question", LinkPages.question(isWrong: false)), ("wrong", LinkPages.question(isWrong: true)),
    ("gone", LinkPages.gone), ("home", HomePage.page), ("join", JoinPage.page),
    ("join-get", JoinPage.page(getting: (packages, true), from: "https://club.example:8443")),
    ("join-unproven", JoinPage.page(getting: (packages, false), from: "https://club.example:8443")),
    ("drop", DropPages.form(drop(from: nil))), ("drop-named", DropPages.form(drop(from: "Mia <3"))),
    (
      "drop-answer",
      DropPages.answer(
        DropOutcome(
          kept: ["pier.jpg", "<sea>.jpg"],
          refused: [DropOutcome.Refusal(name: "a.tiff", reason: DropText.refusal)],
          broken: "The connection broke during the request."), at: "/d/word")
    ), ("drop-nothing", DropPages.answer(DropOutcome(), at: "/d/word")),
    ("get", GetPage.page(packages, isProven: true)), ("get-unproven", GetPage.page([], isProven: false)),
    (
      "sign-in",
      SignInPage.form(
        to: "/oauth2/authorize", app: "<app>", asksFor: "files.content.read", sealed: "word",
        note: SignInPage.wrongWord,
        from: "192.0.2.1", redirect: "http://127.0.0.1:1/")
    ),
  ]

  @Test("Each page is the one that was looked at", arguments: pages.map(\.0)) func golden(name: String) throws {
    let page = try #require(Self.pages.first { $0.0 == name }).1
    // The style is the same in all, and a file of its own to read.
    #expect(page.html.contains("<style>\(PageStyle.text)</style>"))
    expectGolden(page.html.replacing(PageStyle.text, with: "…"), named: "Pages/\(name)")
  }

  /// The relative luminance of a colour (WCAG 2.2).
  private func luminance(_ colour: String) -> Double {
    let digits = colour.dropFirst()
    let parts =
      digits.count == 3
      ? digits.map { "\($0)\($0)" }
      : stride(from: 0, to: 6, by: 2).map {
        String(digits.dropFirst($0).prefix(2))
      }
    let linear = parts.map { part in
      let value = Double(Int(part, radix: 16) ?? 0) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  @Test("In light and dark, all text has a contrast of 4.5 to its ground") func contrast() throws {
    let schemes = PageStyle.text.split(separator: ":root{").map { part in
      Dictionary(
        part.prefix { $0 != "}" }.split(whereSeparator: { $0 == ";" || $0 == "\n" }).compactMap { rule in
          let words = rule.split(separator: ":")
          return words.count == 2 && words[1].hasPrefix("#") ? (String(words[0]), String(words[1])) : nil
        }
      ) { $1 }
    }
    #expect(schemes.count == 2)
    for scheme in schemes {
      for (text, ground) in [
        ("--text", "--ground"), ("--text", "--soft"), ("--dim", "--ground"), ("--link", "--ground"),
        ("--mark", "--ground"),
        ("--label", "--button"), ("--link", "--soft"),
      ] {
        let (one, two) = (luminance(try #require(scheme[text])), luminance(try #require(scheme[ground])))
        #expect((max(one, two) + 0.05) / (min(one, two) + 0.05) >= 4.5, "\(text) on \(ground)")
      }
    }
  }
}
