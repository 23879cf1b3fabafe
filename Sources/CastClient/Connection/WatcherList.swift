/// Those who wait for observations. Times are show time.
struct WatcherList: Sendable {
  /// Somebody who waits for the observation after number `after`.
  struct Watcher: Hashable, Sendable {
    var token: Int
    var after: Int
    var until: Duration
  }

  private var watchers: [Watcher] = []

  var count: Int { watchers.count }
  var nextDeadline: Duration? { watchers.lazy.map(\.until).min() }

  mutating func add(_ watcher: Watcher) { watchers.append(watcher) }

  /// Whether `token` waited here; it no longer does.
  mutating func remove(token: Int) -> Bool {
    guard let index = watchers.firstIndex(where: { $0.token == token }) else { return false }
    watchers.remove(at: index)
    return true
  }

  /// Removes and returns those who waited for something older than observation `number`.
  mutating func takeReady(at number: Int) -> [Watcher] { take { $0.after < number } }

  /// Removes and returns those whose time is up.
  mutating func takeLate(at now: Duration) -> [Watcher] { take { $0.until <= now } }

  private mutating func take(_ isTaken: (Watcher) -> Bool) -> [Watcher] {
    if watchers.isEmpty { return [] }
    let taken = watchers.filter(isTaken)
    if !taken.isEmpty { watchers.removeAll(where: isTaken) }
    return taken
  }
}
