import CastTransport
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

extension DeviceLocking {
  /// Locks that lie in files. Where they cannot, a warning says so, once.
  init(_ locks: DeviceLocks, patience: Duration) {
    self.init(
      take: { keys in
        let answer = locks.take(keys)
        if let problem = locks.takeProblem() { Terminal.say("warning: \(problem)") }
        return switch answer {
        case .taken: .taken
        case .held(let key, let holder):
          // A holder without a name took the lock a moment ago and has not written its name yet.
          .held(
            key: key, by: holder.map { $0.words(at: Surroundings.process.unixTime()) },
            isBrief: holder?.isBrief ?? true)
        }
      },
      giveBack: { locks.giveBack($0) }, releaseUnused: { locks.releaseUnused() }, patience: patience)
    addresses = { await HostLookup.addresses(of: $0, within: .seconds(2)) }
  }
}
