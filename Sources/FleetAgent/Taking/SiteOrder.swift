package import FleetMessages
import Signage

/// An order that is to be obeyed: of the operator, or of Home Assistant.
package struct SiteOrder: Hashable, Sendable {
  /// By which it is answered; `nil`: nobody waits for an answer.
  var id: String?
  /// Unix time after which it is not obeyed any more.
  var expires: Int
  package var verb: FleetOrder.Verb
  var playlist: String?
  var screen: String?
  var item: String?
  var trigger: String?

  init(_ order: FleetOrder) {
    (id, expires, verb) = (order.id, order.expires, order.verb)
    (playlist, screen, item, trigger) = (order.playlist, order.screen, order.item, order.trigger)
  }

  init(_ order: PlainOrder, for screen: ScreenNames.Screen, expires: Int) {
    (verb, self.expires) = (order.verb, expires)
    (playlist, self.screen, item, trigger) = (screen.playlist, screen.screen, order.item, order.trigger)
  }

  /// What became of it, in words.
  package struct Answer: Hashable, Sendable {
    package var isObeyed: Bool
    package var detail: String

    package init(isObeyed: Bool, detail: String) { (self.isObeyed, self.detail) = (isObeyed, detail) }
  }

  /// What is answered where it waited for too long; `nil`: it is still good.
  func late(at unixTime: Double) -> Answer? {
    guard Double(expires) < unixTime.rounded(.down) else { return nil }
    return Answer(isObeyed: false, detail: "its time was over before its turn came")
  }

  /// Gives it to the screens or the trigger that it is for.
  /// - Parameter playlists: The ids of those that the site serves.
  func obey(_ site: SiteControl, playlists: [String]) async -> Answer {
    switch verb {
    case .skip: await give(.skip, to: site, playlists)
    case .pause: await give(.pause, to: site, playlists)
    case .resume: await give(.resume, to: site, playlists)
    case .play: await give(.play(item ?? ""), to: site, playlists)
    case .fire: await turn(trigger ?? "", true, at: site, playlists)
    case .clear: await turn(trigger ?? "", false, at: site, playlists)
    }
  }

  private func give(_ order: ScreenOrder, to site: SiteControl, _ playlists: [String]) async -> Answer {
    var (given, problems): ([String], [String]) = ([], [])
    for name in playlist.map({ [$0] }) ?? playlists {
      switch await site.order(order, name, screen) {
      case .given?: given.append(name)
      case .noSuchScreen(let names)?:
        problems.append(
          screen.map { "`\(name)` has no screen `\($0)`; it has \(Self.list(names))" } ?? "`\(name)` has no screens yet"
        )
      case .noSuchItem(let names)?:
        problems.append("`\(name)` has no item `\(item ?? "")`; it has \(Self.list(names))")
      case .tooMany?: problems.append("the screens of `\(name)` have not obeyed the last orders yet")
      case nil: problems.append("there is no playlist `\(name)`; there is \(Self.list(playlists))")
      }
    }
    return answer(given, problems)
  }

  private func turn(_ trigger: String, _ fires: Bool, at site: SiteControl, _ playlists: [String]) async -> Answer {
    var (given, problems): ([String], [String]) = ([], [])
    for name in playlist.map({ [$0] }) ?? playlists {
      switch await site.trigger(trigger, name, fires) {
      case .done: given.append(name)
      case .notWebhook: problems.append("the trigger `\(trigger)` of `\(name)` is not one that is fired from outside")
      case .unknown: problems.append("`\(name)` has no trigger `\(trigger)`")
      }
    }
    return answer(given, problems)
  }

  private func answer(_ given: [String], _ problems: [String]) -> Answer {
    if !given.isEmpty { return Answer(isObeyed: true, detail: "`\(verb.rawValue)` was given to \(Self.list(given))") }
    let shown = problems.prefix(3).joined(separator: "; ")
    return Answer(isObeyed: false, detail: shown.isEmpty ? "the site serves no playlist yet" : shown)
  }

  private static func list(_ names: [String]) -> String {
    if names.isEmpty { return "none" }
    let rest = names.count > 10 ? " and \(names.count - 10) more" : ""
    return names.prefix(10).map { "`\($0)`" }.joined(separator: ", ") + rest
  }
}
