import ArgumentParser

/// A page that shows what a receiver shows, and maybe plays for it.
struct ScreenOptions: ParsableArguments {
  /// Who plays what is loaded.
  enum Player: String, CaseIterable, ExpressibleByArgument {
    case clock, browser
  }

  /// Where the page listens.
  struct Place: Hashable, Sendable {
    var address: ListenAddress
    var port: Int

    /// Reads `8010`, `192.168.1.20:8010` or `[fd00::20]:8010`.
    static func read(_ text: String) throws(ValidationError) -> Place {
      let colon = text.lastIndex(of: ":")
      let port = colon.map { text[text.index(after: $0)...] } ?? text[...]
      guard let number = Int(port), (0...65_535).contains(number) else {
        throw ValidationError(
          "it takes a port, such as 8010, or an address of this computer with one: 192.168.1.20:8010")
      }
      guard let colon else { return Place(address: .loopback, port: number) }
      var host = text[..<colon]
      if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
      guard let address = ListenAddress(host == "localhost" ? "127.0.0.1" : String(host)) else {
        throw ValidationError(
          "`\(host)` is no address of this computer: write a number, such as 192.168.1.20:\(number)")
      }
      guard !address.isUnspecified else {
        throw ValidationError(
          "\(host) is every address at once: name the one that the browser uses, such as 192.168.1.20:\(number)")
      }
      return Place(address: address, port: number)
    }
  }

  @Option(
    name: .customLong("screen"),
    help: ArgumentHelp(
      "Show on a page at this port what a television would show; 127.0.0.1 unless an address is given.",
      valueName: "[address:]port"), transform: { try Place.read($0) })
  var place: Place?

  @Option(
    name: .customLong("play"),
    help: ArgumentHelp(
      "Who plays what is loaded: clock, as the media say, or browser: the page of --screen, whose player senders then hear of. Start a kiosk by: chromium --kiosk --autoplay-policy=no-user-gesture-required http://127.0.0.1:8010/",
      valueName: "player"))
  var player = Player.clock

  func validate() throws {
    guard player == .clock || place != nil else {
      throw ValidationError("--play browser needs the page that plays: add --screen 8010")
    }
  }
}
