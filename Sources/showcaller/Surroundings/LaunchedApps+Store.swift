import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

extension LaunchedApps {
  /// Those that a store keeps.
  init(_ store: LaunchedAppStore) {
    self.init(session: { store.session(on: $0) }, record: { store.record($0, on: $1) })
  }
}
