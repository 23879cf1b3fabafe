import ArgumentParser
import Completions

/// `showcaller completions`: prints the script that teaches a shell to complete our commands.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", _superCommandName: ShowcallerCommand.name,
    abstract: "Print the completion script of a shell.",
    discussion: """
      bash:  eval "$(showcaller completions bash)"                      in ~/.bashrc
      zsh:   eval "$(showcaller completions zsh)"                       in ~/.zshrc, after compinit
      fish:  showcaller completions fish > ~/.config/fish/completions/showcaller.fish

      Devices come from the last `showcaller discover`.
      """)

  @Argument(help: "bash, zsh or fish.")
  var shell: ShellKind

  func run() { StandardStream.output.write(shell.script) }
}
