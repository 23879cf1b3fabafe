import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller queue`: the list of what plays one after the other.
struct QueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "List the queue of what plays, or change it.",
    discussion: """
      Alone it lists the items with their numbers, a * before the one that plays. The other commands name items by these \
      numbers, or by their addresses. `showcaller next` and `previous` go from item to item.
      """,
    subcommands: [
      QueueListCommand.self, QueueLoadCommand.self, QueueInsertCommand.self, QueueRemoveCommand.self,
      QueueReorderCommand.self, QueueJumpCommand.self, QueueRepeatCommand.self, QueueShuffleCommand.self,
    ], defaultSubcommand: QueueListCommand.self)
}

/// `showcaller queue list`, and `showcaller queue` alone.
struct QueueListCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items with their numbers; * is the one that plays.")

  @OptionGroup var options: OneLineOptions

  var changesDevice: Bool { false }
  var wantsQueue: Bool { true }

  func command(_ reader: inout CommandReader) -> DeviceCommand? { DeviceCommand([]) }

  func answer(_ state: DeviceState) -> [String] {
    let lines = state.queueLines
    return lines.isEmpty ? [state.line, "no queue"] : lines
  }
}
