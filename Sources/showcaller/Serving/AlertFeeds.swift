import CastProtocol
import ScenarioLanguage
import Signage
import Synchronization
import WebClient

/// Asks the feeds of alerts of a served playlist, each as often as it wants, and fires its triggers.
final class AlertFeeds: Sendable {
  /// For a feed with all that it links to.
  private static let limit = Duration.seconds(20)
  /// How long a feed that does not answer keeps the alerts that it had; they still expire by themselves.
  private static let patience = Duration.seconds(3_600)

  private let triggers: TriggerBoard
  private let web: SecretWeb
  private let unixTime: @Sendable () -> Double
  private let feeds = Mutex<[String: Feed]>([:])

  private struct Feed {
    var source: PlaylistPlan.AlertFeed
    var book = AlertBook()
    /// On the network clock.
    var due: Duration = .zero
    var answered: Duration?
    var isAsked = false
    var hasComplained = false
  }

  init(_ triggers: TriggerBoard, _ web: SecretWeb, unixTime: @escaping @Sendable () -> Double) {
    self.triggers = triggers
    self.web = web
    self.unixTime = unixTime
  }

  /// Fires and clears what the feeds call for, and says which of them are to be asked now.
  /// - Parameters:
  ///   - plan: The playlist as it is served now.
  ///   - now: On the network clock.
  func look(_ plan: PlaylistPlan, at now: Duration) -> [String] {
    let time = unixTime()
    return feeds.withLock { feeds in
      var due: [String] = []
      var named: Set<String> = []
      for trigger in plan.triggers {
        guard case .alerts(let source) = trigger.source else { continue }
        named.insert(trigger.name)
        var feed = feeds[trigger.name] ?? Feed(source: source)
        if feed.source != source { feed = Feed(source: source) }
        if feed.book.alert(source.severities, at: time) != nil {
          triggers.fire(trigger.name, at: time)
        } else if feed.answered != nil {
          triggers.clear(trigger.name)
        }
        if feed.due <= now, !feed.isAsked {
          feed.isAsked = true
          due.append(trigger.name)
        }
        feeds[trigger.name] = feed
      }
      feeds = feeds.filter { named.contains($0.key) }
      return due
    }
  }

  /// Asks the feed of a trigger.
  func ask(_ name: String, on clock: TimeSource) async {
    guard let source = feeds.withLock({ $0[name]?.source }) else { return }
    let problem: String?
    var messages: [AlertMessage] = []
    do throws(WebError) {
      messages = try await self.messages(of: source)
      problem = nil
    } catch {
      problem = error.message
    }
    let now = clock.now
    let isNews = feeds.withLock { feeds in
      guard var feed = feeds[name], feed.source == source else { return false }
      feed.isAsked = false
      feed.due = now + source.every
      defer { feeds[name] = feed }
      guard problem != nil else {
        feed.book.take(messages)
        feed.answered = now
        defer { feed.hasComplained = false }
        return feed.hasComplained
      }
      if let answered = feed.answered, now - answered > Self.patience { feed.book.take([]) }
      defer { feed.hasComplained = true }
      return !feed.hasComplained
    }
    guard isNews else { return }
    let title = TerminalText.escaped(name)
    Terminal.say(
      problem.map { "warning: the alerts of the trigger \(title) cannot be read: \(TerminalText.escaped($0))" }
        ?? "the alerts of the trigger \(title) can be read again")
  }

  private func messages(of source: PlaylistPlan.AlertFeed) async throws(WebError) -> [AlertMessage] {
    let start = ContinuousClock.now
    let place = try web.place(source.url)
    let page = try await page(at: place, within: Self.limit)
    var messages = page.messages
    for link in page.links {
      let left = Self.limit - (ContinuousClock.now - start)
      guard left > .zero else {
        throw WebError(.timeout, "the feed links to more alerts than could be read in time")
      }
      messages += try await self.page(at: try web.place(link, linkedFrom: place), within: left).messages
    }
    return messages
  }

  private func page(at place: SecretWeb.Place, within limit: Duration) async throws(WebError) -> AlertFeedPage {
    let accepted = "application/cap+xml, application/atom+xml, application/rss+xml, application/xml, text/xml"
    let response = try await web.fetch(place, headers: [.init("Accept", accepted)], within: limit)
    guard response.status == 200 else {
      throw WebError(.answerInvalid, "\(place.origin) answers \(response.status)")
    }
    do throws(XMLError) {
      return try AlertFeedPage(response.body)
    } catch {
      throw WebError(.answerInvalid, "\(place.origin) sends no alerts: \(error.message) (line \(error.line))")
    }
  }
}
