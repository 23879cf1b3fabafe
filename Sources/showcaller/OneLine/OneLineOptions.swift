import ArgumentParser

/// What every one-line command takes.
struct OneLineOptions: ParsableArguments {
  @OptionGroup var device: DeviceOptions

  @Option(help: ArgumentHelp("How long it may take once the device is connected, such as 10s.", valueName: "duration"))
  var timeout: Word?

  @OptionGroup var lock: LockOptions

  @Flag(help: "Print one JSON object: the device, its status, and what went wrong.")
  var json = false

  @OptionGroup(title: "Device authentication") var authentication: AuthOptions

  @OptionGroup var log: LogOptions
}
