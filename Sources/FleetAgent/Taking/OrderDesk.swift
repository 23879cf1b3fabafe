import CastTransport
import FleetMessages

/// Which orders a site obeys, each once (docs/security.md F3).
///
/// A value without I/O.
struct OrderDesk: Sendable {
  /// Orders a second.
  static let perSecond = 10.0
  /// Ids that are remembered until they expire.
  static let mostKnown = 6_000
  static let mostWaiting = 32

  struct Verdict: Hashable, Sendable {
    /// What is answered at once.
    var report: OrderReport?
    /// Why it counts for nothing.
    var refusal: String?
  }

  private struct Seen: Sendable {
    var expires: Int
    var report: OrderReport?
  }

  private let site: SiteName
  /// Unix time.
  private let begin: Double
  private var seen: [String: Seen] = [:]
  private var waiting: [SiteOrder] = []
  private var busy: SiteOrder?
  private var bucket: RateBucket

  /// - Parameter begin: Unix time at which the site began; an order of before that may have been obeyed already.
  init(site: SiteName, begin: Double, at time: Duration) {
    self.site = site
    self.begin = begin.rounded(.down)
    bucket = RateBucket(most: Self.perSecond, perSecond: Self.perSecond, at: time)
  }

  /// Takes what came on the topic of an order.
  /// - Parameters:
  ///   - unixTime: By the clock of the site.
  ///   - time: Of the monotonic clock.
  mutating func receive(
    _ payload: [UInt8], on topic: FleetTopic, id: String, by keys: [VerifyingKey], at unixTime: Double,
    _ time: Duration
  ) -> Verdict {
    let envelope: SignedEnvelope
    do { envelope = try SignedEnvelope(payload, on: topic.text, by: keys) } catch {
      return Verdict(refusal: error.message)
    }
    // An operator's order, and it is known which: from here on it is answered, and in one way.
    if let seen = seen[id] { return Verdict(report: seen.report) }
    let order: FleetOrder
    do { order = try FleetOrder(signed: envelope, at: unixTime) } catch {
      // One that came early must not be obeyed when its time has come.
      var until: Int?
      if case .early(let seconds) = error { until = ScreenReport.whole(unixTime) + seconds + FleetOrder.longestLife }
      return refuse(id, error.message, at: unixTime, until: until)
    }
    guard order.id == id else { return Verdict(refusal: "it is the order `\(order.id)`") }
    guard Double(order.issued) >= begin else {
      return refuse(id, "it is from before the site was started", at: unixTime)
    }
    seen = seen.filter { Double($0.value.expires) >= unixTime.rounded(.down) }
    guard seen.count < Self.mostKnown, waiting.count < Self.mostWaiting, bucket.take(at: time) else {
      return refuse(id, "too many orders came at once", at: unixTime, until: order.expires)
    }
    seen[id] = Seen(expires: order.expires)
    waiting.append(SiteOrder(order))
    return Verdict()
  }

  /// - Parameter until: Until when it might count as good and is to have the same answer; `nil`: it never will.
  private mutating func refuse(_ id: String, _ why: String, at unixTime: Double, until: Int? = nil) -> Verdict {
    let report = report(id, .init(isObeyed: false, detail: why), unixTime)
    if let until, seen.count < Self.mostKnown { seen[id] = Seen(expires: until, report: report) }
    return Verdict(report: report, refusal: why)
  }

  /// Takes a plain order.
  /// - Returns: Why it is not obeyed; `nil`: it is, in its turn.
  mutating func receive(
    _ order: PlainOrder, for screen: ScreenNames.Screen, at unixTime: Double, _ time: Duration
  ) -> String? {
    guard waiting.count < Self.mostWaiting, bucket.take(at: time) else { return "too many orders came at once" }
    let expires = ScreenReport.whole(unixTime) + FleetOrder.usualLife
    waiting.append(SiteOrder(order, for: screen, expires: expires))
    return nil
  }

  /// The order that is to be obeyed now, each once; `nil`: none, or one is being obeyed.
  mutating func next() -> SiteOrder? {
    guard busy == nil, !waiting.isEmpty else { return nil }
    busy = waiting.removeFirst()
    return busy
  }

  /// - Returns: What is answered.
  mutating func finished(_ answer: SiteOrder.Answer, at unixTime: Double) -> OrderReport? {
    defer { busy = nil }
    guard let id = busy?.id else { return nil }
    let report = report(id, answer, unixTime)
    seen[id]?.report = report
    return report
  }

  private func report(_ id: String, _ answer: SiteOrder.Answer, _ unixTime: Double) -> OrderReport {
    OrderReport(
      site: site.text, id: id, isObeyed: answer.isObeyed, detail: answer.detail, time: ScreenReport.whole(unixTime))
  }
}
