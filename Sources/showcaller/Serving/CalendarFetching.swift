import CastProtocol
import ScenarioLanguage
import Synchronization
import WebClient
import Workspace

/// Keeps copies of the calendars on the web that a served playlist uses; a copy that changed is an edit of the playlist.
final class CalendarFetching: Sendable {
  private static let interval = Duration.seconds(1)
  private static let limit = Duration.seconds(20)
  /// After a failure it is tried again sooner than it would be due.
  private static let retry = Duration.seconds(300)

  private let copies: CalendarCopies
  private let web: SecretWeb
  private let state = Mutex<[String: Feed]>([:])

  private struct Feed {
    /// On the network clock.
    var due: Duration
    var isAsked = false
    var hasComplained = false
  }

  /// - Parameter document: The playlist's file.
  init(of document: String, _ web: SecretWeb) {
    copies = CalendarCopies(.process, of: document)
    self.web = web
  }

  /// Fetches what is due until the task is cancelled.
  /// - Parameter plan: The playlist as it is served now.
  func follow(on clock: TimeSource, _ plan: @escaping @Sendable () -> PlaylistPlan) async {
    // What is done is forgotten at once: this goes on for months.
    await withDiscardingTaskGroup { group in
      repeat {
        for feed in due(plan().calendarFeeds, at: clock.now) {
          group.addTask { await self.fetch(feed, on: clock) }
        }
      } while (try? await clock.sleep(for: Self.interval)) != nil
    }
  }

  private func due(_ feeds: [PlaylistPlan.CalendarFeed], at now: Duration) -> [PlaylistPlan.CalendarFeed] {
    state.withLock { state in
      // An edit may have removed some.
      let urls = Set(feeds.map(\.url))
      state = state.filter { urls.contains($0.key) }
      return feeds.filter { feed in
        var entry = state[feed.url] ?? Feed(due: now + wait(for: feed))
        defer { state[feed.url] = entry }
        guard !entry.isAsked, entry.due <= now else { return false }
        entry.isAsked = true
        return true
      }
    }
  }

  /// A copy that is young enough is not made again.
  private func wait(for feed: PlaylistPlan.CalendarFeed) -> Duration {
    guard let time = copies.time(feed.url) else { return .zero }
    let age = Duration.clamped(seconds: Surroundings.process.unixTime() - time)
    // A copy of the future was made by another clock.
    return age < .zero ? .zero : max(.zero, feed.every - age)
  }

  private func fetch(_ feed: PlaylistPlan.CalendarFeed, on clock: TimeSource) async {
    let problem = await take(feed)
    let isNews = state.withLock { state in
      guard var entry = state[feed.url] else { return false }
      defer { state[feed.url] = entry }
      entry.isAsked = false
      entry.due = clock.now + (problem == nil ? feed.every : min(feed.every, Self.retry))
      defer { entry.hasComplained = problem != nil }
      return entry.hasComplained != (problem != nil)
    }
    guard isNews else { return }
    let url = TerminalText.escaped(feed.url)
    Terminal.say(
      problem.map { "warning: the calendar \(url) is as it was: \(TerminalText.escaped($0))" }
        ?? "the calendar \(url) can be read again")
  }

  /// - Returns: Why there is no new copy.
  private func take(_ feed: PlaylistPlan.CalendarFeed) async -> String? {
    let response: WebResponse
    do throws(WebError) {
      response = try await web.fetch(
        try web.place(feed.url), headers: [.init("Accept", "text/calendar")], bodyLimit: CalendarCopies.byteLimit,
        within: Self.limit)
    } catch {
      return error.message
    }
    guard response.status == 200 else { return "its server answers \(response.status)" }
    guard CalendarCopies.isCalendar(response.body) else { return "its server sends no calendar" }
    do throws(FileError) {
      try copies.store(response.body, for: feed.url)
      return nil
    } catch {
      return "its copy cannot be written: \(error.message)"
    }
  }
}
