import ArgumentParser
import Basics

struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print a completion script for a shell.",
    discussion: Examples.text([
      "source <(byteclub completion bash)": "a line for ~/.bashrc",
      "source <(byteclub completion zsh)": "for ~/.zshrc, after compinit",
      "byteclub completion fish | source": "for config.fish",
    ])
      + "\n\nThe scripts ask byteclub for the names of notes, photos and clubs.")

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  @Argument(help: "The shell: bash, zsh or fish.") var shell: Shell

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.json { throw ValidationError("A completion script is not JSON. Leave out --json.") }
  }

  func run() throws {
    let completion: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    let output = Output()
    output.text(CompletionScript.text(completion) + "\n")
    guard CommandEnd.written(output) else { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}

/// ArgumentParser's script, with the nouns and verbs after `help`, which it leaves out.
enum CompletionScript {
  static func text(_ shell: CompletionShell) -> String {
    let script = RootCommand.completionScript(for: shell)
    switch shell {
    case .bash: return script + "\n\n" + function("COMPREPLY+=($(compgen -W '", "' -- \"${cur}\"))", last: "${prev}")
    case .zsh:
      // zsh runs the file as the function itself, so what is defined behind the call comes too late.
      guard let call = script.firstRange(of: "\nif [[ \"${funcstack[1]}\"") else { return script }
      let help = function("compadd -- ", "", last: "${words[CURRENT-1]}")
      return "\(script[..<call.lowerBound])\n\(help)\(script[call.lowerBound...])"
    case .fish: return script + "\n" + fish
    default: return script
    }
  }

  private static func function(_ before: String, _ after: String, last word: String) -> String {
    let cases = rows.map { "    \($0.after)) \(before)\($0.words.joined(separator: " "))\(after) ;;\n" }
    return "_byteclub_help() {\n    case \"\(word)\" in\n\(cases.joined())    esac\n}\n"
  }

  private static var fish: String {
    rows.map { row in
      "complete -c byteclub -n '__fish_seen_subcommand_from help; and test (commandline -opc)[-1] = \(row.after)' "
        + "-fa '\(row.words.joined(separator: " "))'\n"
    }.joined()
  }

  /// The words that can follow a word.
  private static var rows: [(after: String, words: [String])] {
    [("help", RootCommand.configuration.subcommands.map { $0._commandName })]
      + RootCommand.configuration.subcommands.compactMap { noun -> (after: String, words: [String])? in
        let verbs = noun.configuration.subcommands.map { $0._commandName }
        return verbs.isEmpty ? nil : (noun._commandName, verbs)
      }
  }
}
