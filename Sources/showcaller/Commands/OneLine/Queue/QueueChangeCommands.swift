import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller queue remove`.
struct QueueRemoveCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take items out of the queue.",
    discussion: "The one that plays goes, too, if it is named; the next one plays then.")

  @Argument(help: "Numbers or addresses of items.")
  var items: [Word]

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    reader.itemNames(items.map(\.text)).map { DeviceCommand(.queueRemove($0)) }
  }
}

/// `showcaller queue reorder`.
struct QueueReorderCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "reorder", abstract: "Move items to the end of the queue, or before another.",
    discussion: "They stand there in the order in which they are named.")

  @Argument(help: "Numbers or addresses of items.")
  var items: [Word]

  @Option(help: ArgumentHelp("The item they go before.", valueName: "item"))
  var before: Word?

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    reader.reorder(items.map(\.text), before: before?.text).map { DeviceCommand($0) }
  }
}

/// `showcaller queue jump`.
struct QueueJumpCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "jump", abstract: "Play another item of the queue.",
    usage: "showcaller queue jump <item> [<options>]",
    discussion: "Such as 3, its number; with a sign from the one that plays: +2, -1; next or previous.")

  @Argument(help: "The number or address of an item, or with a sign how many items to go.")
  var item: Word

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    reader.queueJump(item.text).map { DeviceCommand($0) }
  }
}

/// `showcaller queue repeat`.
struct QueueRepeatCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "repeat", abstract: "Choose what follows the end of the queue.",
    discussion: "off: nothing; all: it begins again; one: the same item; shuffle: it begins again in another order.")

  @Argument(
    help: ArgumentHelp("off, all, one or shuffle.", valueName: "off|all|one|shuffle"),
    completion: .list(Self.modes))
  var mode: Word

  @OptionGroup var options: OneLineOptions

  private static let modes = ["off", "all", "one", "shuffle"]

  /// - Throws: What is no mode.
  static func repeatMode(_ mode: Word) throws -> Plan.RepeatMode? {
    try mode.check(
      isOneOf: modes,
      meaning: ["none": "off", "no": "off", "forever": "all", "on": "all", "loop": "all", "random": "shuffle"])
    // The language says `none`, because YAML once took `off` for false.
    return mode.text == "off" ? Plan.RepeatMode.none : Plan.RepeatMode(rawValue: mode.text)
  }

  func command(_ reader: inout CommandReader) throws -> DeviceCommand? {
    DeviceCommand(.queueUpdate(QueueUpdate(repeatMode: try Self.repeatMode(mode))))
  }
}

/// `showcaller queue shuffle`.
struct QueueShuffleCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "shuffle", abstract: "Mix the items of the queue once; the one that plays goes on.")

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    DeviceCommand(.queueUpdate(QueueUpdate(shuffle: true)))
  }
}
