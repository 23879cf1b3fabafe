import CastProtocol
import CastReceiver
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Simulation
import Testing

@Suite struct VirtualDeviceTests {
  @Test("Two virtual devices of a run look random in ways of their own, and a seed repeats both")
  func seeds() throws {
    let text = "scenario: Seeds\ndevice: Left TV\nsteps: [{ wait: 1s }]\n"
    let compiled = PlanCompiler.compile(SourceFile(name: "s.yaml", bytes: Array(text.utf8)), inputs: .init())
    let document = try #require(RunnableDocument(compiled.plans))
    func seed(_ name: String, of run: UInt64) -> UInt64 {
      let device = FoundDevice(
        name: name, id: VirtualDevice.id(forName: name), model: nil, address: HostAndPort(host: "127.0.0.1"),
        via: .virtual)
      return VirtualDevice.configuration(for: device, needs: .init(of: document), seed: run).seed
    }
    #expect(seed("Left TV", of: 1) != seed("Right TV", of: 1))
    #expect(seed("Left TV", of: 1) != seed("Left TV", of: 2))
    #expect(seed("Left TV", of: 1) == seed("Left TV", of: 1))
    #expect(Set(["Left TV", "Right TV", "Bar TV"].map { seed($0, of: 1) }).count == 3)
  }
}
