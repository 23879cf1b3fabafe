import ArgumentParser
import CastClient
import CastProtocol
import Conformance
import DeviceControl
import MediaServer
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Simulation
import Synchronization
import Workspace

/// The suite on one device: finds it, asks what it is, and runs the checks one after the other.
struct ConformSuite: Sendable {
  let conditions: SuiteConditions
  let checks: [ConformRun.ReadyCheck]
  let folder: ConformanceFolder
  let settings: Settings
  let line: InterruptionLine
  let progress: ConformProgress
  let claims = SuiteDevices()
  /// One keeper for all: two would keep each other off.
  let locks = DeviceLocks(.process, for: "showcaller conform", isBrief: false)

  /// What came of a device.
  enum Ending: Sendable {
    case checked(CheckedDevice)
    /// It is not there, or cannot be connected to.
    case unreached(CommandFailure)
  }

  private var times: TimeSources {
    let network = TimeSource(ContinuousClock())
    guard conditions.speed != 1 else { return TimeSources(show: network) }
    return TimeSources(show: TimeSource(ScaledClock(ContinuousClock(), factor: conditions.speed)), network: network)
  }

  private func configuration(trusting extraRoots: [[UInt8]] = []) throws -> ClientConfiguration {
    var client = ClientConfiguration()
    var system = SystemRandomNumberGenerator()
    // Replies are addressed to everyone: ids that start anywhere rarely meet another sender's (docs/protocol.md 4.4).
    client.firstRequestID = Int.random(in: 1_000_000...1_000_000_000, using: &system)
    client.historyLimit = ClientConfiguration.runHistoryLimit
    client.connectTimeout = settings.timeouts.connect
    client.replyTimeout = settings.timeouts.reply
    client.authentication = try conditions.trust.rules(
      mode: conditions.authentication ?? settings.authenticationMode, roots: conditions.roots, extraRoots: extraRoots)
    if !extraRoots.isEmpty { client.authentication?.keyStore = .none }
    return client
  }

  // MARK: Devices

  /// A receiver of this process.
  func checkVirtual(_ faults: ReceiverPlan?) async -> Ending {
    let times = times
    do {
      var needs = VirtualDeviceNeeds(of: checks[0].document)
      needs.faults = faults
      if let auth = conditions.authentication { needs.needsProof = auth.demandsProof }
      let servers = try await VirtualDeviceServers.start(
        for: needs, times: times, seed: 0, unixTime: Surroundings.process.unixTime)
      let client = try configuration(trusting: servers.roots)
      let access = servers.access(connect: LiveDevices.access(times: times, configuration: client).connect)
      let ending: Ending
      if var device = servers.found.first {
        device.name = "Virtual receiver"
        ending = await check(device, by: access, nil, times)
      } else {
        ending = .unreached(CommandFailure(.bug, "there is no virtual receiver"))
      }
      await servers.stop()
      return ending
    } catch {
      return .unreached(CommandFailure(any: error) ?? CommandFailure(.bug, "\(error)"))
    }
  }

  /// A device of the network.
  func check(_ selector: Plan.DeviceSelector) async -> Ending {
    let times = times
    let client: ClientConfiguration
    do { client = try configuration() } catch {
      return .unreached(CommandFailure(any: error) ?? CommandFailure(.bug, "\(error)"))
    }
    let hold = DeviceHold(DeviceLocking(locks, patience: conditions.patience))
    defer { hold.release() }
    let search = DeviceSearch(
      .process, times: times, configuration: client, limit: settings.timeouts.discover, hold: hold,
      tell: { Terminal.say(TerminalText.escaped($0)) })
    let connecting = await line.cancelling { () async -> Result<ReachedDevice, StepFailure> in
      do throws(StepFailure) { return .success(try await search.connect(selector)) } catch { return .failure(error) }
    }
    switch connecting {
    case .interrupted(let interruption):
      return .unreached(CommandFailure(ExitCode(interruption.exit), "interrupted before a device was checked"))
    case .done(.failure(let failure)): return .unreached(CommandFailure(reaching: failure))
    case .done(.success(let reached)):
      let media = MediaServer()
      var access = LiveDevices.access(times: times, configuration: client)
      access.localMedia = .files(of: "\(folder.path)/\(ConformanceCheck.all[0].fileName)", by: media)
      let ending = await check(reached.device, by: access, reached.opened, times)
      await media.close()
      return ending
    }
  }

  private func check(
    _ found: FoundDevice, by access: DeviceAccess, _ opened: OpenedDevice?, _ times: TimeSources
  ) async -> Ending {
    let first: OpenedDevice
    if let opened {
      first = opened
    } else {
      do throws(ClientError) { first = try await access.connect(found, nil) } catch {
        return .unreached(CommandFailure(reaching: StepFailure(error)))
      }
    }
    let inquiry = SoftwareInquiry(times: times, speed: conditions.speed)
    let (device, checked) = await inquiry.ask(found, over: first.connection)
    let volume = await first.connection.snapshot.receiver?.volume
    await first.connection.disconnect()
    guard claims.take(device.lockKeys()) else {
      return .unreached(
        CommandFailure(
          .commandLineWrong, "\(device.text) is named twice", help: "two suites would keep each other from being judged"
        ))
    }
    var accessToFound = access
    // It was found: nobody looks for it again.
    accessToFound.find = { _, _ throws(RunError) in [device] }
    let runner = CheckRunner(
      conditions: conditions, device: device, access: accessToFound, times: times,
      hasFixedVolume: volume?.isFixed ?? false, line: line)
    return .checked(await run(by: runner, of: checked, times))
  }

  // MARK: Checks

  private func run(by runner: CheckRunner, of device: CheckedDevice, _ times: TimeSources) async -> CheckedDevice {
    var device = device
    let deadline = times.network.now + conditions.limit
    var brokenInARow = 0
    for (index, ready) in checks.enumerated() {
      let number = index + 1
      if let reason = reasonToStop(times.network.now > deadline, brokenInARow) {
        device.checks.append(ConformanceResult(ready.check.id, .notRun, reason: reason))
        continue
      }
      progress.begin(ready.check.id, number, on: device.name)
      let result = await runner.run(ready)
      brokenInARow = result.verdict == .error ? brokenInARow + 1 : 0
      device.checks.append(result)
      progress.end(result, number, on: device.name)
    }
    return device
  }

  /// How many checks in a row may break off before the device counts as gone.
  private static let mostBrokenInARow = 3

  private func reasonToStop(_ isLate: Bool, _ brokenInARow: Int) -> String? {
    if SignalWatch.first != nil { return "interrupted" }
    if brokenInARow >= Self.mostBrokenInARow { return "\(brokenInARow) checks in a row broke off" }
    return isLate ? "the time of \(conditions.limit.spelled) is over" : nil
  }
}

/// The devices that the suites of this command have, each once: a person may name one by its name and by its address.
final class SuiteDevices: Sendable {
  private let keys = Mutex<Set<String>>([])

  /// Whether nobody had one of these.
  func take(_ wanted: Set<String>) -> Bool {
    keys.withLock { keys in
      guard keys.isDisjoint(with: wanted) else { return false }
      keys.formUnion(wanted)
      return true
    }
  }
}
