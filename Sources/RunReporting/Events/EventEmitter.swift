package import CastProtocol
import Synchronization

/// Numbers events without gaps, stamps them and hands them to the sink, one at a time.
package final class EventEmitter: Sendable {
  private let lastNumber = Mutex(0)
  private let show: TimeSource
  private let wallClock: @Sendable () -> Double
  private let sink: any EventSink
  private let secrets: Secrets
  /// When the run began, on the show clock.
  package let start: Duration

  package init(
    show: TimeSource, wallClock: @escaping @Sendable () -> Double, sink: any EventSink, secrets: Secrets = Secrets()
  ) {
    self.show = show
    self.secrets = secrets
    self.wallClock = wallClock
    self.sink = sink
    start = show.now
  }

  /// Records one event as of now. Times are cut to what the event stream keeps, so that a report made while the run goes
  /// on equals one made from the stored stream.
  package func emit(_ kind: EventKind, document: String? = nil, device: String? = nil, step: String? = nil) {
    // Everything that a run tells passes here, so that no secret can.
    let kind = kind.emitted(hiding: secrets)
    lastNumber.withLock { number in
      number += 1
      sink.record(
        Event(
          number: number, wallTime: UTCTime(unixSeconds: wallClock()).unixSeconds, elapsed: elapsed(at: show.now),
          document: document, device: device, step: step, kind: kind))
    }
  }

  /// Document seconds between the run's begin and a moment of the show clock, to the millisecond.
  package func elapsed(at time: Duration) -> Double { ((time - start).seconds * 1000).rounded() / 1000 }

  /// The number the next event will have.
  package var nextNumber: Int { lastNumber.withLock { $0 + 1 } }
}
