import ArgumentParser
import Completions
import RunReporting

/// `showcaller man`: prints the manual page, which is made of the commands.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man", _superCommandName: ShowcallerCommand.name,
    abstract: "Print the manual page, for `man -l -` or `make install`.")

  func run() throws {
    guard let tree = CommandTree.all() else { throw CommandFailure(.bug, "the commands cannot be described") }
    let exits = RunExit.allCases.map { (Int($0.rawValue), $0.meaning) }.sorted { $0.0 < $1.0 }
    StandardStream.output.write(
      ManualPage.text(of: tree, version: ShowcallerCommand.configuration.version, exits: exits))
  }
}
