import Conformance
import ScenarioLanguage
import Synchronization

/// How far a suite is: a line that is redrawn on a terminal, a line for each check elsewhere.
final class ConformProgress: Sendable {
  private struct Place {
    var number = 0
    var check = ""
  }

  private let isQuiet: Bool
  private let count: Int
  private let isDrawn = Terminal.errorIsTTY
  private let places = Mutex<[(device: String, place: Place)]>([])

  init(isQuiet: Bool, checks: Int) { (self.isQuiet, count) = (isQuiet, checks) }

  func begin(_ check: String, _ number: Int, on device: String) {
    if isQuiet { return }
    let line = places.withLock { places in
      if let index = places.firstIndex(where: { $0.device == device }) {
        places[index].place = Place(number: number, check: check)
      } else {
        places.append((device, Place(number: number, check: check)))
      }
      return text(places)
    }
    draw(line)
  }

  /// Tells what a check came to; on a terminal only where it did not pass.
  func end(_ result: ConformanceResult, _ number: Int, on device: String) {
    if isQuiet { return }
    if isDrawn, result.verdict == .passed { return }
    let why = result.reason.map { ": \($0)" } ?? ""
    let line = TerminalText.escaped("\(device) \(number)/\(count) \(result.verdict.rawValue) \(result.id)\(why)")
    guard isDrawn else { return Terminal.say(line) }
    let isBad = result.verdict == .failed || result.verdict == .error
    let shown = isBad && Terminal.usesColor(on: true) ? "\u{1B}[31m\(line)\u{1B}[0m" : line
    StandardStream.error.write("\r\u{1B}[2K\(shown)\n")
    draw(places.withLock { text($0) })
  }

  /// Takes the line away.
  func end() { if isDrawn, !isQuiet { StandardStream.error.write("\r\u{1B}[2K") } }

  private func draw(_ line: String) {
    if isDrawn { StandardStream.error.write("\r\u{1B}[2K" + String(line.prefix(max(1, Terminal.width - 1)))) }
  }

  private func text(_ places: [(device: String, place: Place)]) -> String {
    TerminalText.escaped(
      places.map { "\($0.device) \($0.place.number)/\(count) \($0.place.check)" }.joined(separator: " · "))
  }
}
