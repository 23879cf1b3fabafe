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

  /// What is judged.
  package enum Kind: Hashable, Sendable {
    case expectation
    /// A rule of `watch`.
    case rule
    /// A row of the run that the document does not have.
    case row
  }

  /// An expectation, or a rule of `watch`, then and now.
  package struct Judged: Hashable, Sendable {
    package var document: String
    package var device: String?
    package var row: JSONObject
    /// Which try of the scenario it is of.
    package var attempt = 1
    /// Which repeat of the row it is of, and of how many, where the run had several.
    package var repeatNumber: Int?
    package var repeats: Int?
    package var kind = Kind.expectation
    /// `nil` for what is no step.
    package var step: String?
    package var pass: Int?
    package var name: String
    package var place: SourcePlace?
    /// Whether it passed in the run; `nil` where it was not judged there.
    package var before: Bool?
    package var now: Outcome
    /// The run did not come to it.
    package var wasMissed = false
    /// Its failure is no failure: `if_fails: ignore`.
    package var isIgnored = false

    /// Whether the document decides otherwise than the run did.
    package var isChanged: Bool {
      switch now {
      case .passed: before != true
      case .failed: before != false
      case .undecided: !wasMissed
      }
    }
  }

  /// One scenario of the run, on one device or several.
  private struct Scene {
    var document: String
    var row: JSONObject
    var attempt: Int
    var repeatNumber: Int?
    var repeats: Int?
    /// Its devices; empty: whatever events are of its document.
    var devices: Set<String>
    /// The device of each role.
    var roles: [String: String]
    /// Its events, as places among all.
    var first: Int
    var last: Int
    var isOver = false
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

  /// Judges everything, in the order of the run. A row of the run that the edited document does not have is undecided.
  package func judged() -> [Judged] {
    let histories = DeviceHistory.all(of: events)
    return scenes.flatMap { scene -> [Judged] in
      guard let plan = edited.plan(of: scene.row), let old = run.plan(of: scene.row) ?? run.rows.first else {
        let reason = "the document does not have this row"
        return [
          Judged(
            document: scene.document, device: scene.devices.first, row: scene.row, attempt: scene.attempt, kind: .row,
            name: "row",
            now: .undecided(reason))
        ]
      }
      return SceneReplay(
        events: events[scene.first...scene.last], document: scene.document, devices: scene.devices, roles: scene.roles,
        histories: histories, old: old, plan: plan
      ).judged().map { judged in
        var judged = judged
        (judged.document, judged.row, judged.attempt) = (scene.document, scene.row, scene.attempt)
        (judged.repeatNumber, judged.repeats) = (scene.repeatNumber, scene.repeats)
        return judged
      }
    }
  }

  private var scenes: [Scene] {
    var scenes: [Scene] = []
    for (index, event) in events.enumerated() {
      switch event.kind {
      case .scenarioStarted(let started):
        let roles = Dictionary(
          (started.roles?.members ?? []).compactMap { member in member.value.string.map { (member.name, $0) } },
          uniquingKeysWith: { first, _ in first })
        let devices = roles.isEmpty ? [event.device].compactMap(\.self) : Array(roles.values)
        scenes.append(
          Scene(
            document: event.document ?? "", row: started.row, attempt: started.attempt,
            repeatNumber: started.repeatNumber, repeats: started.repeats, devices: Set(devices),
            roles: roles, first: index, last: events.count - 1))
      case .scenarioFinished:
        let place = scenes.lastIndex { scene in
          !scene.isOver && scene.document == event.document && (event.device.map(scene.devices.contains) ?? true)
        }
        if let place { (scenes[place].last, scenes[place].isOver) = (index, true) }
      default: break
      }
    }
    return scenes
  }
}

extension RunnableDocument {
  /// The plan of the row with these values.
  fileprivate func plan(of row: JSONObject) -> Plan? { rows.first { $0.rowValues == row } }
}
