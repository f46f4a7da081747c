import ArgumentParser
import ClubServices
import Testing

@testable import byteclub

/// What a shell offers.
@Suite struct CompletionTests {
  @Test(arguments: [
    (["byteclub", "--club", "home", "note", "cat", ""], StartOptions(club: "home")),
    (["byteclub", "note", "cat", "--club", "=", "home", "x"], StartOptions(club: "home")),
    (["byteclub", "--folder=/a b", "note", "cat"], StartOptions(folder: "/a b")),
    (["byteclub", "--config", "c.json", "note", "cat", "--club"], StartOptions(config: "c.json")),
  ])
  func `the typed line names the club`(_ row: (words: [String], options: StartOptions)) {
    #expect(NameCompletion.options(row.words) == row.options)
  }

  @Test(
    arguments: [
      ("", .fish, ["by:", "since:", "before:", "in:", "tag:", "is:", "has:"]), ("b", .zsh, ["by:", "before:"]),
      ("i", .fish, ["in:", "is:"]), ("is", .bash, ["is:unread"]), ("ta", .zsh, ["tag:"]),
      ("in:tr", .zsh, ["in:trips/"]), ("by:\\\"ann", .zsh, [#"by:"Ann Lee""#]), ("by\\:an", .bash, [#"by:"Ann Lee""#]),
      ("pier", .fish, []), ("https://p", .fish, []),
    ] as [(word: String, shell: CompletionShell, texts: [String])])
  func `the words of a search are completed`(_ row: (word: String, shell: CompletionShell, texts: [String])) {
    let words = ["byteclub", "search", "pier", row.word]
    #expect(NameCompletion.searches(words, 3, row.word, for: row.shell, Self.values) == row.texts)
  }

  @Test func `bash, which cuts words at colons, gets what stands behind`() {
    let words = ["byteclub", "search", "in", ":", "tr"]
    #expect(NameCompletion.searches(words, 4, "tr", for: .bash, Self.values) == ["trips/"])
    #expect(NameCompletion.searches(Array(words.prefix(4)), 3, ":", for: .bash, Self.values) == ["trips/"])
    #expect(NameCompletion.searches(["x"], 9, "tr", for: .bash, Self.values).isEmpty)
  }

  private static func values(_ filter: NoteQuery.Filter) -> [[UInt8]] {
    switch filter {
    case .by: [Array("Ann Lee".utf8)]
    case .in: [Array("trips/".utf8)]
    default: []
    }
  }

  private static let names = ["My Note.md", "$(touch x).md", "a:b.md", "-dash.md", "é.md", "esc\u{1B}.md"].map {
    Array($0.utf8)
  }

  @Test func `bash gets no name that it would run`() {
    #expect(
      NameCompletion.texts(Self.names + [[0xFF]], for: .bash) == [
        #"\$\(touch\ x\).md"#, #"My\ Note.md"#, #"a\:b.md"#, "é.md",
      ])
  }

  @Test func `marks and joiners beside a shell's character hide it from no shell`() {
    let names = ["\u{600}`reboot`\u{301}.md", "-\u{301}x", "a:\u{301}b"].map { Array($0.utf8) }
    let bash = NameCompletion.texts(names, for: .bash)
    #expect(bash.map { Array($0.unicodeScalars) }.contains(Array("\u{600}\\`reboot\\`\u{301}.md".unicodeScalars)))
    #expect(bash.count == 2 && NameCompletion.texts(names, for: .fish).count == 2)
    let zsh = NameCompletion.texts(names, for: .zsh)
    #expect(zsh.map { Array($0.unicodeScalars) }.contains(Array("a\\:\u{301}b".unicodeScalars)))
  }

  @Test func `zsh gets no name that it would cut`() {
    #expect(NameCompletion.texts(Self.names, for: .zsh) == ["$(touch x).md", "My Note.md", #"a\:b.md"#, "é.md"])
  }

  @Test func `names that cannot be typed are left out`() {
    #expect(NameCompletion.texts(Self.names, for: .fish) == ["$(touch x).md", "My Note.md", "a:b.md", "é.md"])
  }

  @Test(arguments: [
    (CompletionShell.bash, "    note) COMPREPLY+=($(compgen -W 'ls cat show "),
    (.zsh, "    note) compadd -- ls cat show "),
    (.fish, "help; and test (commandline -opc)[-1] = note' -fa 'ls cat show "),
  ])
  func `the nouns and verbs follow help`(_ row: (shell: CompletionShell, line: String)) {
    #expect(CompletionScript.text(row.shell).contains(row.line))
  }

  @Test(arguments: [CompletionShell.bash, .zsh, .fish])
  func `the script asks for names of notes, photos and clubs, and for the server's commands`(_ shell: CompletionShell) {
    let script = CompletionScript.text(shell)
    for place in [
      "note cat -- positional@0", "photo get -- positional@0", "club leave -- positional@0", "serve -- positional@0",
      "talk add -- positional@0", "link rm -- positional@0", "trash restore -- positional@0",
      "draft cat -- positional@0", "search -- positional@0",
    ] {
      #expect(script.contains("---completion \(place)"), "\(place)")
    }
  }
}
