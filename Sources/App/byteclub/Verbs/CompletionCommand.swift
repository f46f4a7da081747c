import ArgumentParser

struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print a completion script for a shell.",
    discussion: Examples.text([
      "byteclub completion bash > ~/.local/share/bash-completion/completions/byteclub": "for bash",
      "byteclub completion zsh > ~/.zfunc/_byteclub": "for zsh",
      "byteclub completion fish > ~/.config/fish/completions/byteclub.fish": "for fish",
    ]))

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
    output.text(RootCommand.completionScript(for: completion) + "\n")
    output.finish()
  }
}
