import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

extension StartedSessions {
  /// Those that a store keeps.
  init(_ store: LaunchedAppStore) {
    self.init(session: { store.session(on: $0) }, note: { store.record($0, on: $1) })
  }
}
