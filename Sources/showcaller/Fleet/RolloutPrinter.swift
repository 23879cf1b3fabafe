import CastProtocol
import FleetControl
import ScenarioLanguage
import Synchronization

/// Tells how a roll-out goes: a line for each site of a small wave, for each quarter of a large one.
final class RolloutPrinter: Sendable {
  private struct State {
    var size = 0
    var done = 0
  }

  private static let small = 10
  private let isJSON: Bool
  private let state = Mutex(State())

  init(isJSON: Bool) { self.isJSON = isJSON }

  func tell(_ note: RolloutNote) {
    if isJSON { return Terminal.print(note.json.serialized()) }
    switch note {
    case .waveBegan(_, _, let sites), .puttingBack(let sites): state.withLock { $0 = State(size: sites.count) }
    case .hasIt, .tookItOff, .isBack:
      let (done, size) = state.withLock { state in
        state.done += 1
        return (state.done, state.size)
      }
      if size > Self.small {
        // Each quarter once.
        if done * 4 / size != (done - 1) * 4 / size { say("\(done) of \(size) have it") }
        return
      }
    case .watching, .waveDone, .failed, .connectionLost, .connectionBack: break
    }
    say(note.text)
  }

  private func say(_ text: String) { Terminal.say("\(Terminal.timeOfDay)  \(TerminalText.escaped(text))") }
}
