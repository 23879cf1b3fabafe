package import CastProtocol
import DeviceControl
package import RunReporting
package import ScenarioLanguage

/// Judges the expectations of a document on what a stored run saw: each as if it had begun when its step began then.
///
/// What acted is not done again, and what was decided by a status (`if`, `choose`, `repeat`) stays as it was.
package struct RunReplay: Sendable {
  /// What an expectation or a rule comes to.
  package enum Outcome: Hashable, Sendable {
    case passed
    /// Why, in a line.
    case failed(String)
    /// Why nothing that was recorded decides it.
    case undecided(String)
  }

  /// An expectation, or a rule of `watch`, then and now.
  package struct Judged: Hashable, Sendable {
    package var document: String
    package var device: String?
    package var row: JSONObject
    /// Which try of the scenario it is of.
    package var attempt = 1
    /// `nil` for a rule.
    package var step: String?
    package var pass: Int?
    package var name: String
    package var place: SourcePlace?
    /// Whether it passed in the run; `nil` where it was not judged there.
    package var before: Bool?
    package var now: Outcome

    /// Whether the document decides otherwise than the run did.
    package var isChanged: Bool {
      switch now {
      case .passed: before != true
      case .failed: before != false
      case .undecided: true
      }
    }
  }

  /// One scenario of the run, on one device or several.
  private struct Scene {
    var document: String
    var row: JSONObject
    var attempt: Int
    /// Its devices; empty: whatever events are of its document.
    var devices: Set<String>
    /// Its events, as places among all, but for those before its first step.
    var first: Int
    var last: Int
  }

  private let events: [Event]
  private let run: RunnableDocument
  private let edited: RunnableDocument

  /// - Parameters:
  ///   - events: All events of the run.
  ///   - run: The document as it was run.
  ///   - edited: The document whose expectations are judged.
  package init(_ events: [Event], of run: RunnableDocument, with edited: RunnableDocument) {
    self.events = events
    self.run = run
    self.edited = edited
  }

  /// What people call the devices, by their ids in events.
  package var names: [String: String] {
    var names: [String: String] = [:]
    for case (let device?, .deviceFound(let found)) in events.map({ ($0.device, $0.kind) }) where !found.name.isEmpty {
      names[device] = found.name
    }
    return names
  }

  /// Rows of the run that the edited document does not have.
  package var missingRows: [JSONObject] {
    scenes.map(\.row).filter { row in edited.plan(of: row) == nil }
  }

  /// Judges everything, in the order of the run.
  package func judged() -> [Judged] {
    scenes.flatMap { scene -> [Judged] in
      guard let old = run.plan(of: scene.row) ?? run.rows.first, let plan = edited.plan(of: scene.row) else {
        return []
      }
      return SceneReplay(
        events: Array(events[scene.first...scene.last]), before: Array(events[..<scene.first]), old: old, plan: plan,
        isOurs: { event in
          event.device.map { scene.devices.isEmpty || scene.devices.contains($0) } ?? (event.document == scene.document)
        }
      ).judged().map { judged in
        var judged = judged
        (judged.document, judged.row, judged.attempt) = (scene.document, scene.row, scene.attempt)
        return judged
      }
    }
  }

  private var scenes: [Scene] {
    var scenes: [Scene] = []
    for (index, event) in events.enumerated() {
      switch event.kind {
      case .scenarioStarted(let started):
        let roles = started.roles?.members.compactMap(\.value.string) ?? [event.device].compactMap(\.self)
        scenes.append(
          Scene(
            document: event.document ?? "", row: started.row, attempt: started.attempt, devices: Set(roles),
            first: index,
            last: events.count - 1))
      case .scenarioFinished:
        let place = scenes.lastIndex { scene in
          scene.document == event.document && scene.last == events.count - 1
            && (event.device.map(scene.devices.contains) ?? true)
        }
        if let place { scenes[place].last = index }
      default: break
      }
    }
    return scenes
  }
}

extension RunnableDocument {
  /// The plan of a row; of a document with one plan, that one for a run without a row.
  fileprivate func plan(of row: JSONObject) -> Plan? { rows.first { $0.rowValues == row } }
}
