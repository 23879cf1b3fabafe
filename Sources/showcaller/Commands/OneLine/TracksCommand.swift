import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller tracks`: lists the tracks of what plays, or chooses the active ones.
struct TracksCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracks", _superCommandName: ShowcallerCommand.name,
    abstract: "List the tracks of what plays, or choose which are on.",
    discussion: "Such as en, or 2; off turns all off. Alone it lists them, with a * before those that are on.")

  @Argument(help: "Ids or languages of the tracks that shall be on; off for none.", completion: .list(["off"]))
  var tracks: [Word] = []

  @OptionGroup var options: OneLineOptions

  func validate() throws {
    if tracks.count > 1, tracks.contains(where: { $0.text == "off" }) {
      throw ValidationError("`off` turns all tracks off: it stands alone")
    }
  }

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    if tracks.isEmpty { return DeviceCommand([]) }
    let chosen = tracks.map(\.text)
    return reader.tracks(chosen == ["off"] ? [] : chosen).map { DeviceCommand(.tracks($0)) }
  }

  func answer(_ state: DeviceState) -> [String] {
    if !tracks.isEmpty { return [state.line] }
    let lines = state.trackLines
    return lines.isEmpty ? [state.line, "no tracks"] : lines
  }
}
