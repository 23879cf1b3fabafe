import ArgumentParser
import CastClient
import CastProtocol
import Conformance
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Simulation
import Workspace

/// A suite on several devices at the same time, and what is made of it.
struct ConformRun {
  let options: ConformCommand
  let checks: [ConformanceCheck]

  /// A check that is ready to be run.
  struct ReadyCheck: Sendable {
    var check: ConformanceCheck
    var document: RunnableDocument
  }

  /// - Returns: The exit code.
  func perform() async throws -> ExitCode {
    let settings = try Settings.load()
    let baseline = try options.baseline.map { path throws(WorkspaceError) in try ConformanceStore.baseline(path) }
    if let output = options.output { try ConformanceStore.refuseUnwritable(output) }
    let conditions = try options.conditions
    let faults = try options.faults.plan(beside: GivenInputs())
    let selectors = try selectors(settings)
    let line = await Interruptions.begin()
    let folder = try ConformanceFolder.temporary(checks, in: .process)
    defer { folder.remove() }
    let ready = try prepare(in: folder)
    let progress = ConformProgress(isQuiet: options.quiet, checks: checks.count)
    let suite = ConformSuite(
      conditions: conditions, checks: ready, folder: folder, settings: settings, line: line, progress: progress)
    let endings: [ConformSuite.Ending]
    if options.isVirtual {
      endings = [await suite.checkVirtual(faults)]
    } else {
      endings = await Self.together(selectors) { await suite.check($0) }
    }
    progress.end()
    return try conclude(endings, baseline)
  }

  /// Does them all at the same time; what comes of them is in their order.
  private static func together<T: Sendable, Result: Sendable>(
    _ items: [T], _ body: @escaping @Sendable (T) async -> Result
  ) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
      for (index, item) in items.enumerated() {
        group.addTask {
          let result = await body(item)
          return (index, result)
        }
      }
      var results = [Result?](repeating: nil, count: items.count)
      for await (index, result) in group { results[index] = result }
      return results.compactMap(\.self)
    }
  }

  private func selectors(_ settings: Settings) throws(CommandFailure) -> [Plan.DeviceSelector] {
    if options.isVirtual { return [] }
    var selectors = options.devices.compactMap { settings.selector(for: $0) }
    for host in options.hosts {
      var selector = Plan.DeviceSelector(span: .ofCommandLine)
      selector.host = host
      selectors.append(selector)
    }
    if let usual = settings.device, selectors.isEmpty { selectors = [usual.content] }
    guard !selectors.isEmpty else {
      throw CommandFailure(
        .commandLineWrong, "no device is named",
        help: "name one, as in `showcaller conform \"Living Room TV\"`, or use --virtual")
    }
    return selectors
  }

  /// Compiles all, before any device is asked for.
  private func prepare(in folder: ConformanceFolder) throws(WorkspaceError) -> [ReadyCheck] {
    var ready: [ReadyCheck] = []
    for check in checks {
      var inputs = GivenInputs()
      inputs.receiversAreHere = true
      if let media = options.media, check.text.contains("\n  audio:") { inputs.settings = ["audio=\(media)"] }
      var loader = DocumentLoader("\(folder.path)/\(check.fileName)", inputs: inputs, in: .process)
      // They are meant to send what has a verb, too.
      loader.tell = { problems, sources in
        let errors = problems.filter { $0.severity == .error }
        if !errors.isEmpty { DiagnosticPrinter.standardError.print(errors, of: sources) }
      }
      let document = try loader.runnable(to: "checked", row: [], allowsPrograms: false)
      ready.append(ReadyCheck(check: check, document: document))
    }
    return ready
  }

  // MARK: What is made of it

  private func conclude(_ endings: [ConformSuite.Ending], _ baseline: ConformanceRecord?) throws -> ExitCode {
    let store = ConformanceStore(.process)
    var columns: [ConformanceMatrix.Column] = []
    var exits: [RunExit] = []
    for ending in endings {
      switch ending {
      case .unreached(let failure):
        Terminal.tell(failure.message, help: failure.help)
        exits.append(failure.code.exit)
      case .checked(let device):
        // What is damaged is told, and not written over.
        var record: ConformanceRecord?
        do { record = try store.record(of: device) } catch {
          Terminal.tell(error.message, help: error.help)
          exits.append(error.exit)
        }
        let earlier = baseline.map { $0.earlier(of: device) } ?? record?.devices.last { $0.isSame(as: device) }
        let column = ConformanceMatrix.Column(device, comparedWith: earlier)
        columns.append(column)
        exits.append(column.ending(excusingKnown: baseline != nil))
        // What faults made of it is nothing that the next result is to be compared with.
        let isKept = options.only.isEmpty && options.faults.files.isEmpty && device.isComplete
        if let record, isKept, SignalWatch.first == nil {
          do { try store.keep(device, in: record) } catch {
            Terminal.tell(error.message, help: error.help)
            exits.append(error.exit)
          }
        }
      }
    }
    if !columns.isEmpty {
      let matrix = ConformanceMatrix(columns, checks: checks)
      let text = matrix.text(
        in: options.json ? .json : options.format, by: "showcaller \(ShowcallerCommand.version)")
      if let output = options.output {
        do { try ConformanceStore.write(text, to: output) } catch {
          Terminal.tell(error.message, help: error.help)
          exits.append(error.exit)
        }
      } else {
        StandardStream.output.write(text)
      }
      for column in columns { tell(column, hasBaseline: baseline != nil) }
    }
    if let interruption = SignalWatch.first { exits.append(interruption.exit) }
    return ExitCode(RunExit.worst(of: exits))
  }

  /// A line for each device, for people.
  private func tell(_ column: ConformanceMatrix.Column, hasBaseline: Bool) {
    var text = "\(column.device.name) (\(column.device.title), \(column.device.versions)): \(column.counts)"
    if let comparison = column.comparison, let changes = column.changes {
      text += "; since \(comparison.since): \(changes)"
      if comparison.hasOtherFirmware { text += ", firmware \(comparison.versions)" }
    } else if hasBaseline {
      text += "; the baseline has several devices, and not this one"
    }
    Terminal.say(TerminalText.escaped(text))
  }
}

extension ConformCommand {
  /// - Throws: Where a certificate cannot be read.
  fileprivate var conditions: SuiteConditions {
    get throws {
      var conditions = SuiteConditions(trust: authentication.trust)
      (conditions.isVirtual, conditions.patience) = (isVirtual, lock.patience)
      conditions.speed = speed?.factor ?? conditions.speed
      conditions.limit = timeout?.duration ?? conditions.limit
      conditions.authentication = authentication.auth
      conditions.roots = try authentication.trust.readRoots()
      return conditions
    }
  }
}
