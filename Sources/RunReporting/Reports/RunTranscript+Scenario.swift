package import CastProtocol
import ScenarioLanguage

extension RunTranscript {
  package struct Device: Sendable {
    package var name: String
    package var id: String?
    package var model: String?
    package var address: String?
    package var firmware: String?
    package var isVirtual = false
    /// The software that the device reported; `nil` if it reported none.
    package var software: EventKind.DeviceSoftware?
    /// How it was connected last; `nil` where it was not.
    package var connected: EventKind.DeviceConnected?
  }

  /// One scenario on one device.
  package struct Scenario: Sendable {
    package var document: String
    package var device: String?
    /// The device of each role, where it has several.
    package var roles = JSONObject()
    package var row: JSONObject
    /// How `--device` names its device, where the document runs on each of several.
    package var choice: String?
    /// Each rule of `watch` that was broken, the device it is about, and the faults that came before, a line each.
    package var brokenMonitors: [(device: String?, broken: EventKind.MonitorFailed, faultLines: [String])] = []
    /// The faults of virtual receivers that came before it ended, a line each; only of one that did not pass.
    package var faultLines: [String] = []
    /// Which try of the scenario it is.
    package var attempt = 1
    /// Which repeat of its row it is, and of how many; `nil` where rows are run once.
    package var repeated: (number: Int, count: Int)?
    /// Unix seconds.
    package var startedAt: Double
    /// The document's own steps; those inside them are ``open`` while they run.
    package var steps: [Step] = []
    /// The steps that run inside the last of ``steps``, in the order of their beginning.
    package var open: [Step] = []
    /// The step that finished last, wherever it stands.
    package var last: Step?
    /// The result; `nil` while it runs.
    package var finished: EventKind.ScenarioFinished?

    /// The innermost step that runs.
    package var running: Step? { open.last ?? steps.last.flatMap { $0.result == nil ? $0 : nil } }

    /// What tells it from the others of the run: `qa-hub lang=no`; empty where there are no others.
    package var mark: String { ([choice == nil ? nil : device] + [rowText]).compactMap { $0 }.joined(separator: " ") }

    /// `lang=no speed=2 repeat 3/10`; `nil` without a matrix and without `--repeat`.
    package var rowText: String? {
      let words = [valuesText, repeated.map { "repeat \($0.number)/\($0.count)" }].compactMap(\.self)
      return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// `lang=no speed=2`; `nil` without a matrix.
    package var valuesText: String? {
      let values = row.members.map { "\($0.name)=\($0.value.string ?? $0.value.serialized())" }
      return values.isEmpty ? nil : values.joined(separator: " ")
    }

    /// Whether both are of one row on one device, with whatever try and repeat.
    func isSameCase(as other: Scenario) -> Bool {
      document == other.document && device == other.device && row == other.row
    }

    package var duration: Double { finished?.duration ?? 0 }
    package var result: RunVerdict? { finished?.result }

    /// Whether an event of this device may be of this scenario.
    func isAbout(_ device: String?) -> Bool {
      guard let device, let own = self.device else { return true }
      return device == own
    }
  }
}
