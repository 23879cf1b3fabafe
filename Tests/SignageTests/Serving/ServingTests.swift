import CastProtocol
import DeviceControl
import ScenarioLanguage
import Signage
import Simulation
import Testing

@Suite struct ServingTests {
  @Test("Items follow each other, stills for their time and films to their end")
  func order() throws {
    let serving = try Serving("program: [{ play: [a, x, { media: b, for: 20s }] }]", for: .seconds(200))
    #expect(
      serving.records == [
        "a 10 duration", "x 60 finished", "b 20 duration", "a 10 duration", "x 60 finished", "b 20 duration",
        "a 10 stopped",
      ])
  }
}
