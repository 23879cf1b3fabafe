package import CastClient
import CastProtocol
package import DeviceControl
package import RunReporting
import ScenarioLanguage

/// The options of a run, besides its plan.
package struct RunConfiguration: Sendable {
  /// 26 characters, sortable by time (ULID).
  package var runID: String
  package var toolVersion: String
  /// This machine's name, for reports.
  package var hostName = ""
  package var arguments: [String] = []
  /// The command and its options that matter when it is run again, without its document, row, device of several and
  /// seed.
  package var rerun: [String] = []
  /// The only ones of the document's `devices:` that it is run on, as ``DeviceName/choice(of:selector:)`` calls them or
  /// by name; `nil`: all.
  package var onlyDevices: [String]?
  /// Drives retry jitter; printed so that a run can be repeated.
  package var seed: UInt64 = 0
  /// Document seconds per real second, or `nil` when they are the same.
  package var speed: Double?
  /// Emit `request` and `reply` events; without it, the last messages where something failed.
  package var includesWire = false
  package var failOnFlaky = false
  /// How often each row is run.
  package var repeats = RowRepeats()
  /// Rows are run at the same time where they use different devices, each in a turn of these, which other runs may share;
  /// `nil`: one after the other.
  package var rowTurns: RowTurns?
  /// Where the run's events go, for `${run.dir}`.
  package var runDirectory: String?
  /// A failed cleanup does not fail the run.
  package var cleanupWarns = false
  /// SHA-256 of the document in lower-case hex, by its file name.
  package var documentHashes: [String: String] = [:]
  /// How every device has to prove itself, whatever the document says; `nil`: as the document says.
  package var authentication: AuthenticationMode?
  /// The values of the plan's secrets.
  package var secrets = Secrets()
  /// Starts a program for `exec` and waits for its end; cancelling the caller kills it. `nil`: none may be
  /// started, and a step that would fails.
  package var startProgram: (@Sendable (ProgramCall) async -> ProgramCall.End)?
  /// Fetches what a `probe` step names, and says over what a receiver would fail; `nil`: nothing is fetched, and nothing found.
  package var probe: (@Sendable (ProbeCall) async -> ProbeProblem?)?
  /// Asks a device beside the run which software it has; has a deadline, and ends when it is cancelled. `nil`: none is
  /// asked.
  package var software: (@Sendable (FoundDevice) async -> EventKind.DeviceSoftware?)?
  /// Programs count as done without being started: a simulation.
  package var assumesPrograms = false
  /// What earlier runs started and did not end.
  package var launchedApps = LaunchedApps.none
  /// What keeps other runs off the devices.
  package var locking = DeviceLocking.none
  /// What the run writes so that another can go on with it, and what an earlier part wrote; `nil`: nobody will.
  package var journal: RunJournal?
  /// The receiver pages of this process; `nil`: there are none.
  package var pages: PageWatch?
  /// What goes wrong with the virtual receivers of this process; `nil`: nothing is told of it.
  package var faults: FaultWatch?
  /// Unix time in seconds, for `t` of events only.
  package var wallClock: @Sendable () -> Double

  package init(runID: String, toolVersion: String, wallClock: @escaping @Sendable () -> Double) {
    self.runID = runID
    self.toolVersion = toolVersion
    self.wallClock = wallClock
  }
}

extension RunConfiguration {
  /// What a receiver would fail over.
  package struct ProbeProblem: Hashable, Sendable {
    package var message: String
    package var help: String?

    package init(message: String, help: String?) {
      self.message = message
      self.help = help
    }
  }
}
