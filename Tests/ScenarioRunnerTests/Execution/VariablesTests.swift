import CastProtocol
import Testing

@testable import ScenarioRunner

@Suite("What was saved or set so far") struct VariablesTests {
  @Test("Loops and facts about the device win over what was saved under their names, and cannot be written")
  func lookup() {
    let variables = Variables()
    variables.set(1, for: "x")
    for name in ["item", "index", "item.title", "device.name"] { variables.set("mine", for: name) }
    #expect(variables.all() == ["x": 1])
    let all = variables.all(local: ["item": "a", "x": 2], facts: ["device.name": "Kitchen"])
    #expect(all == ["x": 2, "item": "a", "device.name": "Kitchen"])
  }

  @Test("A name without a value is forgotten")
  func removal() {
    let variables = Variables()
    variables.set(1, for: "x")
    variables.set(nil, for: "x")
    #expect(variables.all().isEmpty)
  }
}
