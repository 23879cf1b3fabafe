import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// What follows a film begins without a gap: shortly before the film's end it is put behind it in the receiver's queue, and
/// the receiver fetches it while the film still plays.
extension Screen {
  /// How long before the end of a film the next item is put behind it. Long enough for a slow network, short enough that
  /// what follows rarely changes after it.
  private static let lead = Duration.seconds(20)
  /// A receiver that did not take the next item so often in a row is not asked again until it is connected anew.
  private static let mostRefusals = 3

  /// Sees to it that behind a film that nears its end stands what follows it.
  /// - Parameter cut: When the film is cut, as Unix time; `nil`: it plays to its end, as far as is known.
  /// - Returns: When to look again, on the show clock; `nil`: with the next status.
  func keepQueue(behind showing: Showing, _ watch: ItemWatch, cut: Int?) async -> Duration? {
    guard showing.length == nil, !showing.isStill, let end = watch.expectedEnd else { return nil }
    if now < end - Self.lead { return end - Self.lead }
    let next = follower(of: showing, endingIn: max(.zero, end - now), cut: cut)
    if next?.content == queued { return nil }
    if queued != nil { await unqueue() }
    if let next, refusals < Self.mostRefusals { await queue(next, until: end) }
    return nil
  }

  /// What can stand behind a film; `nil` where something else than the film's end decides what follows, or it needs
  /// more than the queue can do.
  private func follower(of showing: Showing, endingIn rest: Duration, cut: Int?) -> Showing? {
    let end = unixTime + rest.seconds
    if isEdited || cut.map({ Double($0) <= end }) ?? false { return nil }
    guard let next = cursor.following(at: Int(end.rounded(.down))), next.start == nil,
      level(of: next) == level(of: showing)
    else { return nil }
    return next
  }

  private func queue(_ next: Showing, until end: Duration) async {
    let scope = ActionScope(deadline: min(now + timeouts.reply, end), caller: owner)
    do {
      try await device.perform(.queueNext(QueueNext(next.item.media, preload: Self.lead)), in: scope)
      setQueued(next.content)
    } catch {
      // At the very end of a film there is no queue any more to put it into.
      if now < end { countRefusal() }
      if refusals == Self.mostRefusals {
        tell(.note("films do not follow each other without a gap: \(error.message)"))
      }
    }
  }

  /// Something else will follow than was thought.
  private func unqueue() async {
    setQueued(nil)
    try? await device.perform(.unqueueNext, in: ActionScope(deadline: now + timeouts.reply, caller: owner))
  }

  /// Whether the receiver went on to the item by itself, and shows it.
  func continuesQueued(_ showing: Showing) async -> Bool {
    defer { setQueued(nil) }
    guard queued == showing.content, showing.start == nil, await device.isAtNextItem else { return false }
    let scope = ActionScope(deadline: now + timeouts.load, caller: owner)
    do {
      try await device.perform(.continueWithNext(until: showing.isStill ? .loaded : .playing), in: scope)
      return true
    } catch {
      // It is loaded as if it had never been in the queue, and what is wrong with it is told then.
      return false
    }
  }
}
