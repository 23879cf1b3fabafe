import ArgumentParser
import CastProtocol
import FleetControl
import FleetMessages

/// `showcaller fleet sites`: a line for each site.
struct FleetSitesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sites", abstract: "List the sites, those with problems first.",
    discussion: "Exits 4 where the broker cannot be reached or no site matches.")

  @Argument(help: ArgumentHelp("Which sites.", valueName: "glob"))
  var glob: SiteGlob?

  @Flag(help: "List all, also those beyond what fits.")
  var all = false

  @OptionGroup var options: FleetOptions

  func run() async throws {
    let view = try await options.look(at: glob)
    let list = SiteList(view.rows(glob), at: FleetOptions.unixTime)
    if options.json { return Terminal.print(list.json.serialized()) }
    let page = FleetOptions.page
    FleetOptions.print(list.lines(width: page.width, most: all ? nil : page.lines))
  }
}

/// `showcaller fleet status`: a line for each screen.
struct FleetStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "List the screens of sites and what they show, dark ones first.",
    discussion: "Exits 4 where the broker cannot be reached or no site matches.")

  @Argument(help: ArgumentHelp("Which sites.", valueName: "glob"))
  var glob: SiteGlob?

  @Flag(help: "List all, also those beyond what fits.")
  var all = false

  @OptionGroup var options: FleetOptions

  func run() async throws {
    let list = ScreenList(try await options.look(at: glob), glob, at: FleetOptions.unixTime)
    if options.json { return Terminal.print(list.json.serialized()) }
    let page = FleetOptions.page
    FleetOptions.print(list.lines(width: page.width, most: all ? nil : page.lines))
  }
}

/// `showcaller fleet watch`: the sites, live.
struct FleetWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Watch the sites live; in a pipe a line for each change.",
    discussion: "Ends with Ctrl-C.")

  @Argument(help: ArgumentHelp("Which sites.", valueName: "glob"))
  var glob: SiteGlob?

  @Option(name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "time"))
  var limit: TimeLimit?

  @OptionGroup var options: FleetOptions

  func run() async throws {
    let connection = try await options.begin()
    let form: FleetWatch.Form = options.json ? .json : Terminal.outputIsTTY ? .screen : .lines
    let watch = FleetWatch(connection, glob, form, isOfAlerts: false, limit: limit?.duration)
    if form == .screen { ScreenTerminal.enter(takesKeys: false) }
    defer { ScreenTerminal.leave() }
    try await connection.perform(watch).get()
  }
}

/// `showcaller fleet alerts`: what is wrong anywhere.
struct FleetAlertsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts", abstract: "List what is wrong at sites, the oldest first.",
    discussion: "With --follow a line for each alert that comes and each that is over, until Ctrl-C.")

  @Argument(help: ArgumentHelp("Which sites.", valueName: "glob"))
  var glob: SiteGlob?

  @Flag(help: "Go on with what comes.")
  var follow = false

  @OptionGroup var options: FleetOptions

  func run() async throws {
    if follow {
      let connection = try await options.begin()
      let watch = FleetWatch(connection, glob, options.json ? .json : .lines, isOfAlerts: true, limit: nil)
      return try await connection.perform(watch).get()
    }
    let list = AlertList(try await options.look(at: glob), glob, at: FleetOptions.unixTime)
    if options.json { return Terminal.print(list.json.serialized()) }
    FleetOptions.print(list.lines(width: FleetOptions.page.width))
  }
}
