import TestKit
import Testing

/// No verb of either program lets through to a terminal what others wrote. Only `note cat` prints bytes as they are.
@Suite(.enabled(if: CommandLineHome.binary != nil), .serialized, .timeLimit(.minutes(10))) struct EscapeVerbTests {
  private static let evil = EscapeScene.evil
  private static let note = EscapeScene.note
  private static let photo = EscapeScene.photo
  private static let folder = EscapeScene.folder
  /// Of an invitation.
  private static let code = String(repeating: "A", count: 22)

  /// Commands of each verb; what changes the club comes last.
  private static let commands: KeyValuePairs<String, [[String]]> = [
    "note ls": [
      [], ["--long"], ["--json"], ["--recursive"], [folder], [evil], ["--club", "lie"], ["--folder", "/\(evil)"],
    ],
    "note show": [[note], ["--color", "always", note], [evil], ["\(folder)\(note)"], ["twin"]],
    "note history": [["todo"], [note], ["--json", "todo"]],
    "note diff": [["todo"], ["--color", "always", "todo"], ["--json", "todo"], [evil]],
    "note link": [[note], ["--club", "lie", note]],
    "note edit": [[note], [evil]],
    "note restore": [["todo", evil]],
    "photo ls": [[], ["--long"], ["--json"], ["--club", "lie"]],
    "photo info": [["p.png"], [photo], [evil], ["--json", photo]],
    "photo view": [["p.png"], [photo], [evil], ["--out", "-", "p.png"]],
    "photo caption": [["p.png"], [photo], [evil], ["--json", "p.png"]],
    "photo link": [[photo]],
    "photo ask": [["--from", evil, "--to", evil], ["--club", "lie", "--from", evil], ["--to", "/\(evil)"]],
    "photo tour": [["p.png"], [photo], [evil], ["--json", photo]],
    "photo get": [["--to", "-", "p.png"], ["--to", "HOME/out", photo], ["--to", "/\(evil)", photo], [evil]],
    "photo put": [["HOME/in/\(photo)"], ["/\(evil)"], ["--to", evil, "HOME/in/\(photo)"]],
    "talk ls": [[note], ["--json", note], [evil], [], ["--json"]],
    "talk join": [[evil, note], [note, evil], [evil, "todo"]],
    "talk add": [[note, evil], [note, "x", "--on", evil], [evil, "x"]],
    "talk reply": [[note, "aaaaaaaa", evil], [evil, "aaaaaaaa", "x"], ["aaaaaaaa", "+1"], [evil, evil]],
    "talk fix": [[note, "aaaaaaaa", evil], [evil]],
    "talk rm": [[note, "aaaaaaaa"], [evil, "aaaaaaaa"], [evil]],
    "link ls": [[], ["--club", "lie"]],
    "link rm": [[note], ["https://\(evil)"]],
    "transfer ls": [[], ["--json"]],
    "transfer pause": [[evil]], "transfer resume": [[evil]], "transfer cancel": [[evil]], "transfer retry": [[evil]],
    "transfer dismiss": [[evil]], "transfer move": [[evil, "1"]], "transfer limit": [[evil], []],
    "transfer wait": [[evil], []], "transfer run": [[]],
    "trash ls": [[], ["--json"]],
    "draft ls": [["--club", "lie"], ["--club", "lie", "--json"]],
    "draft cat": [["--club", "lie", "kept"], [evil]],
    "draft send": [["--club", "lie", "kept"], [evil]],
    "draft discard": [[evil], ["--club", "lie", "kept"]],
    "sync status": [[], ["--club", "lie"]], "sync now": [[], ["--club", "lie"]], "sync ls": [[], ["--club", "lie"]],
    "search": [["needle"], ["--json", "needle"], [evil]],
    "news": [
      ["--since", "1970-01-02"], ["--since", "1970-01-02", "--json"], ["--since", evil], ["--all", "--since", "7d"], [],
      ["--since", "7d", "--exec", "exit 3 # \(evil)"],
    ],
    "login": [["--club", "lie", "--paste"], ["--club", evil]],
    "logout": [["--club", "lie"]], "whoami": [["--club", "lie"], []],
    "join": [
      [evil], ["https://\(evil)/join#\(code)"], ["--name", evil, "SERVER/join#\(code)"], ["SERVER/join#\(code)"],
      ["--no-open", "--yes", "SERVER/join#\(code)"],
    ],
    "device add": [["--club", "lie"], []], "device ls": [["--club", "lie"], ["--club", "lie", "--json"]],
    "device rm": [["--club", "lie", evil], [evil]],
    "club add": [
      [evil], ["webdav", "--set", "url=https://\(evil)", "--set", "user=\(evil)"],
      ["webdav", "--set", "url=SERVER/\(evil)", "--set", "user=a"], ["s3", "--set", evil],
      ["s3", "--set", "endpoint=SERVER/", "--set", "bucket=b", "--set", "prefix=\(evil)", "--name", evil],
      ["byteclub:s3?\(evil)"], [],
    ],
    "club invite": [[evil], ["lie"], ["odd"], []],
    "club leave": [[evil], ["--yes", "lie"]],
    "club ls": [[], ["--json"]], "club init": [["--club", "odd"], ["--folder", "/dev/null/\(evil)"]],
    "club export": [["HOME/export"], ["/dev/null/\(evil)"]],
    "club copy": [["--dry-run", "here", "odd"], [evil, evil]],
    "config check": [[], ["--config", "/\(evil)"]], "config show": [[], ["--json"]],
    "config path": [[], ["--config", "/\(evil)"]],
    "cache clear": [[]], "doctor": [[], ["--json"], ["--club", "lie"]],
    "completion": [["bash"], [evil]], "manual": [[], ["--json"]],
    "note put": [["new", "HOME/in.md"], [evil, "HOME/in.md"], ["x", "/\(evil)"]],
    "note append": [[note, evil], [evil, "HOME/in.md"]],
    "note mkdir": [[evil], ["\(evil)/x"], [folder]],
    "note new": [[evil], ["fresh", "--template", evil]], "note today": [[], ["--json"]],
    "note mv": [
      [note, evil], [note, "todo"], [evil, "x"], ["twin", "x"], ["\(folder)\(note)", folder], [folder, folder],
      [folder, "\(evil)/"], [folder, "moved/"], ["moved/", folder],
    ],
    "note rm": [[evil], [note], ["\(evil)/"], [folder], ["--yes", folder]],
    "photo mv": [[photo, evil], [evil, "x.png"], ["\(evil)/", "x/"], [folder, "moved/"], ["moved/", folder]],
    "photo rm": [[evil], [photo], ["\(evil)/"], ["--yes", folder]],
    "trash restore": [[folder], ["\(evil)/"], [evil], ["a\(note)"], ["b\(note)"]],
    "trash empty": [[], ["--yes"]],
  ]

  /// The server's own, which are run as `byteclub serve`. `run` is given places that cannot be.
  private static let served: KeyValuePairs<String, [[String]]> = [
    "run": [["--root", "/dev/null/\(evil)"], ["--club", evil], ["--listen", evil, "--root", "HOME/ByteClub"]],
    "member add": [[evil], ["ray"]], "member ls": [[], ["--json"]], "member code": [[evil]],
    "member token": [[evil, "--new"], [evil]],
    "member quota": [[evil, "5"], ["ray", evil]], "member rm": [[evil]],
    "invite new": [
      [evil], ["kim", "--address", evil], ["kim", "--address", "https://club.example", "--expires", evil],
    ],
    "invite ls": [[], ["--json"]], "invite rm": [[evil], ["kim"]],
    "app add": [["--redirect", "https://\(evil)"], ["--redirect", evil]], "app ls": [[], ["--json"]],
    "app redirect": [[evil, "https://\(evil)"]], "app rm": [[evil]],
    "backup": [["HOME/backup"], ["/dev/null/\(evil)"]],
    "restore": [["HOME/evil-backup", "--root", "HOME/again"], ["/\(evil)", "--root", "HOME/again"]],
    "manual": [[]],
  ]

  /// They print the bytes themselves, or draw the full screen, which other tests look at.
  private static let exempt: Set<String> = ["note cat", "demo", "serve", "wall"]

  private func expectClean(_ words: [String], _ scene: EscapeScene) throws {
    let words = words.map {
      $0.replacing("HOME/", with: scene.home.path + "/").replacing("SERVER/", with: scene.server.url + "/")
    }
    // "doctor" asks the terminal what it can.
    let findings = EscapeScene.findings(in: try scene.output(of: words), allowingQuestions: words.first == "doctor")
    #expect(findings.isEmpty, "\(words.map(\.debugDescription).joined(separator: " "))")
  }

  @Test func `no verb of byteclub drives the terminal by what others wrote`() throws {
    let scene = try EscapeScene()
    let known = Set(Self.commands.map(\.key))
    #expect(try scene.verbs(ofServer: false).subtracting(Self.exempt) == known)
    for (verb, lines) in Self.commands {
      for words in lines { try expectClean(verb.split(separator: " ").map(String.init) + words, scene) }
    }
    try expectClean([Self.evil], scene)
    try expectClean(["note", Self.evil], scene)
    try expectClean(["note", "ls", "--\(Self.evil)"], scene)
  }

  @Test func `note cat prints the bytes as they are, also on a terminal`() throws {
    let scene = try EscapeScene()
    #expect(try scene.output(of: ["note", "cat", Self.note]).contains(0x9B))
  }

  @Test func `no verb of byteclub serve drives the terminal by what others wrote`() throws {
    let scene = try EscapeScene()
    #expect(try scene.verbs(ofServer: true) == Set(Self.served.map(\.key)))
    // A backup of another server: its manifest says whatever it likes.
    try scene.home.write(Self.evil.utf8, to: "evil-backup/manifest.json")
    for (verb, lines) in Self.served {
      for words in lines {
        let place = words.contains("--root") || words.contains("--club") || verb == "manual"
        let root = place ? [] : ["--root", scene.home.club]
        try expectClean(["serve"] + verb.split(separator: " ").map(String.init) + words + root, scene)
      }
    }
    try expectClean(["serve", Self.evil], scene)
    try expectClean(["serve", "--\(Self.evil)"], scene)
  }
}
