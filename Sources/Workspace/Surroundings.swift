import Glibc

/// What a process finds around it. It is handed in, so that a test needs no process of its own.
package struct Surroundings: Sendable {
  /// The variables of the process.
  package var environment: Environment
  /// The wall's clock in Unix seconds, for time stamps and ages only; nothing waits by it.
  package var unixTime: @Sendable () -> Double
  /// This computer's name; empty where it has none.
  package var hostName: @Sendable () -> String
  /// Writes to standard output, all of it before it returns.
  package var writeOutput: @Sendable (String) throws(FileError) -> Void
  /// Where a person reads what is said before anything runs.
  package var messages = MessageOutput.none
  /// Whether somebody has asked the process to end.
  package var isInterrupted: @Sendable () -> Bool
  /// The descriptor that standard input is read from.
  package var standardInput = STDIN_FILENO
  /// Where the zone database is, with a `/` at its end.
  package var zoneFolder = "/usr/share/zoneinfo/"
  /// The link to the file of the computer's own zone.
  package var localTimeLink = "/etc/localtime"

  /// Surroundings with these variables and this clock, in which no signal comes and standard output goes nowhere.
  package init(environment: Environment, unixTime: @escaping @Sendable () -> Double) {
    self.environment = environment
    self.unixTime = unixTime
    hostName = { "" }
    writeOutput = { _ throws(FileError) in }
    isInterrupted = { false }
  }

  /// Where a person keeps the settings: `$XDG_CONFIG_HOME/showcaller`; `nil` where that cannot be known.
  package var settingsFolder: String? { folder("XDG_CONFIG_HOME", usually: ".config") }
  /// Where what can be found again is kept: `$XDG_CACHE_HOME/showcaller`; `nil` where that cannot be known.
  package var cacheFolder: String? { folder("XDG_CACHE_HOME", usually: ".cache") }
  /// Where what outlives a run is kept: `$XDG_STATE_HOME/showcaller`; `nil` where that cannot be known.
  package var stateFolder: String? { folder("XDG_STATE_HOME", usually: ".local/state") }

  /// Where sockets of this session are: `$XDG_RUNTIME_DIR/showcaller`; `nil` where there is no session.
  package var runtimeFolder: String? {
    guard let path = environment["XDG_RUNTIME_DIR"], path.hasPrefix("/") else { return nil }
    return path + "/showcaller"
  }

  private func folder(_ variable: String, usually: String) -> String? {
    // A relative one would be another folder for each command (the XDG specification has them ignored).
    if let path = environment[variable], path.hasPrefix("/") { return path + "/showcaller" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/\(usually)/showcaller"
  }
}

/// The variables of a process.
package struct Environment: Sendable, ExpressibleByDictionaryLiteral {
  /// `NAME=value` each, in the order in which the process got them.
  package let entries: [String]

  /// Takes `NAME=value` texts.
  package init(entries: [String]) { self.entries = entries }

  /// Takes names and values.
  package init(dictionaryLiteral elements: (String, String)...) {
    entries = elements.map { "\($0)=\($1)" }
  }

  /// The value of a variable; `nil` where it is not set.
  package subscript(name: String) -> String? {
    let start = name + "="
    // The first counts, as for every C program.
    return entries.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
  }
}
