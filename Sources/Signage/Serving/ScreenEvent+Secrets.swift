import RunReporting

/// What others said, without the values of secrets: devices repeat what they were sent. What comes from the playlist has
/// their names already.
extension ScreenEvent {
  func hidden(by secrets: Secrets) -> ScreenEvent {
    switch self {
    case .unreachable(let failure): .unreachable(secrets.hidden(failure))
    case .lost(let reason): .lost(secrets.hidden(reason))
    case .notShown(let showing, let failure, let goesOn): .notShown(showing, secrets.hidden(failure), goesOn: goesOn)
    case .yielded(let taker): .yielded(taker.hidden(by: secrets))
    case .lent(let taker): .lent(taker.hidden(by: secrets))
    case .endedByTakeover(let taker): .endedByTakeover(taker.hidden(by: secrets))
    case .refused(let order, let reason): .refused(order, secrets.hidden(reason))
    case .note(let text): .note(secrets.hidden(text))
    case .found, .connected, .back, .showing, .adopted, .stuck, .returned, .resting, .nothing, .reloaded, .ordered: self
    }
  }
}

extension LedgerRecord {
  func hidden(by secrets: Secrets) -> LedgerRecord {
    var result = self
    switch kind {
    case .play(var play):
      play.by = play.by?.hidden(by: secrets)
      result.kind = .play(play)
    case .gap(var gap):
      gap.by = gap.by?.hidden(by: secrets)
      result.kind = .gap(gap)
    case .skip(var skip):
      if let name = skip.error?.name { skip.error?.name = secrets.hidden(name) }
      result.kind = .skip(skip)
    }
    return result
  }
}

extension LedgerRecord.Taker {
  fileprivate func hidden(by secrets: Secrets) -> LedgerRecord.Taker {
    LedgerRecord.Taker(app: secrets.hidden(app), name: secrets.hidden(name))
  }
}
