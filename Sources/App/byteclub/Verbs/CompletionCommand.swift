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
