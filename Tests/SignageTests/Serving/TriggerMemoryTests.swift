import CastProtocol
import Signage
import Testing

@Suite struct TriggerMemoryTests {
  private static let lines = """
    triggers: { evacuate: { webhook: true }, call: { webhook: true }, hall: { webhook: true }, fire: { file: /run/alarm } }
    interrupts:
      - { on: evacuate, play: [b], until: cleared, at_most: 1h, cut: immediately }
      - { on: call, play: [c], max_delay: 5m }
      - { on: hall, play: [d], until: cleared }
      - { on: fire, play: [e] }
    program: [{ play: [a] }]
    fallback: f
    """

  @Test("Webhooks that were fired are fired after a restart, since when they were; files and feeds are looked at anew")
  func restored() throws {
    let plan = try Serving.program(Self.lines).plan
    let memory = TriggerMemory(["evacuate": 1_000, "hall": 2_000.5, "fire": 3_000, "gone": 1], of: plan)
    #expect(memory.fired == ["evacuate": 1_000, "hall": 2_000.5])
    #expect(TriggerMemory(memory.json, of: plan, at: 3_000) == memory)
    #expect(TriggerMemory(nil, of: plan, at: 3_000).fired == [:])
  }

  @Test("What is over by then does not come back, nor does what the playlist has no more; a clock may be set back")
  func over() throws {
    let plan = try Serving.program(Self.lines).plan
    let memory = TriggerMemory(["evacuate": 1_000, "call": 1_000, "hall": 1_000], of: plan).json
    #expect(TriggerMemory(memory, of: plan, at: 1_299).fired.keys.sorted() == ["call", "evacuate", "hall"])
    #expect(TriggerMemory(memory, of: plan, at: 1_300).fired.keys.sorted() == ["evacuate", "hall"])
    #expect(TriggerMemory(memory, of: plan, at: 4_600).fired == ["hall": 1_000])
    #expect(TriggerMemory(memory, of: plan, at: 500).fired["hall"] == 500)
    let other = try Serving.program("program: [{ play: [a] }]").plan
    #expect(TriggerMemory(memory, of: other, at: 1_001).fired == [:])
    let damaged: [JSONValue] = ["x", ["fired": 1], ["fired": [["trigger": "hall"], ["trigger": 1, "since": 2]]]]
    for stored in damaged { #expect(TriggerMemory(stored, of: plan, at: 0).fired == [:]) }
  }
}
