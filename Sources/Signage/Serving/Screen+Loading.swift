import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Loading an item, and what comes in its place where it will not load.
extension Screen {
  /// The longest wait after items that would not be shown.
  private static let longestWait = Duration.seconds(30)
  /// After so many items in a row that would not be shown the next one is waited for.
  private static let hurried = 2

  /// What came of a load.
  enum Loading {
    case shown
    case failed(StepFailure)
    /// Something else is to be on by now.
    case outdated
    /// A person wants the next item instead.
    case skipped
  }

  /// What happens while an item is loaded.
  private enum News: Sendable {
    case ended(StepFailure?)
    case signal
    case due
  }

  /// Loads an item, as often as the playlist says, unless meanwhile something else is to be on.
  /// - Parameter decidedAt: Since when what is due counts, as Unix time.
  func load(_ showing: Showing, decidedAt: Int) async -> Loading {
    // A load ends the queue.
    setQueued(nil)
    var tries = plan.onError == .retry ? plan.watchdog.retry.tryTimes(first: 10).count : 1
    var waits = plan.watchdog.retry.waits.prefix(9)
    while true {
      promiseTurn()
      let result = await tryToLoad(showing, decidedAt: decidedAt)
      guard case .failed(let failure) = result else { return result }
      tries -= 1
      if Task.isCancelled || owner.cause != nil || tries < 1 { return .failed(failure) }
      if await device.needsConnection { return .failed(failure) }
      guard let wait = waits.popFirst() else { return .failed(failure) }
      await pause(for: wait, over: showing, decidedAt: decidedAt)
      if loans.isAsked || isOutdated(showing, decidedAt: decidedAt) { return .outdated }
    }
  }

  private func tryToLoad(_ showing: Showing, decidedAt: Int) async -> Loading {
    var action = Plan.LoadAction(request: showing.request, defaultAppID: plan.appID)
    action.appID = plan.appID
    action.until = showing.isStill ? .loaded : .playing
    let scope = ActionScope(deadline: now + timeouts.load, caller: owner)
    let (device, signals, show) = (device, signals, world.times.show)
    let cut = untilCut(of: showing, decidedAt: decidedAt)
    return await withTaskGroup(of: News.self) { [action] group -> Loading in
      group.addTask {
        do throws(StepFailure) {
          try await device.perform(.load(action), in: scope)
          return .ended(nil)
        } catch {
          return .ended(await device.cause(of: error, scope))
        }
      }
      group.addTask {
        await signals.wait()
        return .signal
      }
      if let cut, now + cut < scope.deadline {
        group.addTask {
          try? await show.sleep(for: cut)
          return .due
        }
      }
      // Why it is given up; `nil`: it is not.
      var end: Loading?
      for await news in group {
        switch news {
        case .ended(let failure):
          group.cancelAll()
          if case .skipped? = end { return .skipped }
          // What was loaded in time is shown, and cut.
          return failure.map { end ?? .failed($0) } ?? .shown
        case .signal, .due:
          if end != nil { continue }
          if takeSignals(showing) {
            end = .skipped
          } else if loans.isAsked || isOutdated(showing, decidedAt: decidedAt) || Task.isCancelled {
            end = .outdated
          }
          if end != nil {
            group.cancelAll()
          } else if case .signal = news {
            group.addTask {
              await signals.wait()
              return .signal
            }
          }
        }
      }
      return .outdated
    }
  }

  // MARK: what else is due

  /// How long it is until something else is to be on, whatever becomes of an item; `nil`: not within minutes.
  private func untilCut(of showing: Showing, decidedAt: Int) -> Duration? {
    cursor.nextCut(of: showing, after: decidedAt).map { .clamped(seconds: max(0, Double($0) - unixTime)) }
  }

  private func isOutdated(_ showing: Showing, decidedAt: Int) -> Bool {
    cursor.nextCut(of: showing, after: decidedAt).map { $0 <= moment } ?? false
  }

  /// Waits before the next try, no longer than until something else is due.
  private func pause(for wait: Duration, over showing: Showing, decidedAt: Int) async {
    let cut = untilCut(of: showing, decidedAt: decidedAt)
    promiseTurn(waiting: wait)
    await signals.sleep(for: min(wait, cut ?? wait), on: world.times.show)
  }

  // MARK: the ladder

  /// An item would not load: the ladder goes on to the next one or to the fallback, later and later.
  func pass(over showing: Showing, _ failure: StepFailure, decidedAt: Int) async {
    if Task.isCancelled || loans.isAsked || failure.errorClass == .takenOver { return }
    if await device.needsConnection { return setPending(showing, shown: .zero) }
    let time = unixTime
    changeAccount { $0.rest(at: time, .failed) }
    closeSkip(shown: nil)
    let (code, moment) = (await device.view().snapshot.detailedErrorCode, moment)
    let failures = countFailure()
    // Where nothing of a rule loads, the fallback is better than nothing, whatever the playlist says about one item.
    let standsIn = plan.onError == .fallback || failures > cursor.itemCount(with: showing)
    let standIn = showing.part != .fallback && standsIn ? changeCursor { $0.nextOfFallback(at: moment) } : nil
    let skip = LedgerRecord.Skip(
      at: time, item: showing.name, reason: failure.errorClass.rawValue,
      error: code.map { .init(code: $0, name: DetailedErrorCode.name(of: $0)) })
    // What was on stays on until something else is: it is dark only when there is nothing to be tried at once.
    tell(.notShown(showing, failure, goesOn: standIn != nil || failures < Self.hurried))
    if let standIn {
      openSkip(skip)
      await show(standIn, decidedAt: decidedAt)
      closeSkip(shown: nil)
    } else {
      recordSkip(skip)
      await backOff(after: failures, over: showing, decidedAt: decidedAt)
    }
  }

  /// Waits before the next try, longer after each item that was not shown: a screen on which nothing works must not be
  /// flooded.
  func backOff(after failures: Int, over showing: Showing, decidedAt: Int? = nil) async {
    guard failures >= Self.hurried else { return }
    let wait = min(Self.longestWait, .seconds(1 << min(failures - 2, 5)))
    await pause(for: wait, over: showing, decidedAt: decidedAt ?? moment)
  }
}
