import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// What one device showed during a run.
struct DeviceHistory {
  /// What was seen, and when.
  struct Seen {
    /// Of the event.
    var number: Int
    var status: ObservedStatus
    /// The connection was lost; the status is what was known then.
    var isLoss = false
  }

  private(set) var seen: [Seen] = []
  /// The merged status before the first, and after each.
  private var statuses: [RecordedStatuses] = [RecordedStatuses()]

  /// The histories of all devices of a run, by their ids.
  static func all(of events: [Event]) -> [String: DeviceHistory] {
    var histories: [String: DeviceHistory] = [:]
    for event in events {
      guard let device = event.device else { continue }
      histories[device, default: DeviceHistory()].record(event)
    }
    return histories
  }

  private mutating func record(_ event: Event) {
    var newest = statuses[statuses.count - 1]
    switch event.kind {
    case .deviceConnected:
      newest.connect()
      // No status comes with it.
      statuses[statuses.count - 1] = newest
    case .deviceLost:
      newest.lose()
      let known = ObservedStatus(newest.view(at: event.showTime))
      seen.append(Seen(number: event.number, status: known, isLoss: true))
      statuses.append(newest)
    case .status(let change):
      seen.append(Seen(number: event.number, status: newest.record(change, at: event.showTime)))
      statuses.append(newest)
    default: break
    }
  }

  /// The place of the first that was seen after an event.
  func place(after number: Int) -> Int {
    var (low, high) = (0, seen.count)
    while low < high {
      let middle = (low + high) / 2
      if seen[middle].number > number { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The view before a place, at a moment.
  func view(before place: Int, at time: Duration) -> StatusView { statuses[place].view(at: time) }
}

extension Event {
  /// Its time on the run's clock, to the millisecond that events are cut to: sums of times then meet as they did.
  var showTime: Duration { .milliseconds(Int64(exactly: (elapsed * 1000).rounded()) ?? 0) }
}
