import Signage

/// A ledger that does not add up: moments that are in no entry, or in two.
package struct LedgerClockChecker: Checker {
  package let name = "ledger"

  package init() {}

  package func problems(in trace: Trace) -> [String] {
    guard trace.error == nil, let served = trace.served else { return [] }
    var problems: [String] = []
    for screen in Set(trace.records.map(\.screen)).sorted() {
      var last = served.start
      for record in trace.records where record.screen == screen {
        let (start, end): (Double, Double)
        switch record.kind {
        case .play(let play): (start, end) = (play.start, play.end)
        case .gap(let gap): (start, end) = (gap.start, gap.end)
        case .skip: continue
        }
        if end < start { problems.append("\(screen) has an entry that ends before it begins: \(record)") }
        if start < last - 0.001 { problems.append("\(screen) has \(start - served.start) s in two entries") }
        let isPause = trace.pauses.contains { pause in
          last - served.start >= pause.lowerBound - 0.001 && start - served.start <= pause.upperBound + 1
        }
        if start > last + 0.001, !isPause {
          problems.append("\(screen) has no entry from \(last - served.start) s to \(start - served.start) s")
        }
        last = end
      }
      // Who begins to serve again knows no screens of a `match` until they are seen.
      if trace.pauses.isEmpty, last < served.start + served.length - 1 {
        problems.append("\(screen) has no entry behind \(last - served.start) s")
      }
    }
    return problems
  }
}
