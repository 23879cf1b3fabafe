import CastProtocol
import CastReceiver
import Testing

@testable import Simulation

@Suite struct VirtualReceiversTests {
  @Test("A group comes last and has all others as members; each has an id of its own, made from its name")
  func group() {
    let receivers = VirtualReceivers(["Kitchen", "Bath"], group: "Home")
    #expect(receivers.names == ["Kitchen", "Bath", "Home"])
    let all = receivers.names.map { receivers.configuration(named: $0, seed: 1) }
    #expect(all.map { $0.members.map(\.name) } == [[], [], ["Kitchen", "Bath"]])
    #expect(all[2].members.map(\.id) == all.prefix(2).map(\.id) && Set(all.map(\.id)).count == 3)
    #expect(all[2].model == "Google Cast Group" && all[0].model != all[2].model)
    #expect(VirtualReceivers(["Kitchen"], group: nil).configuration(named: "Kitchen", seed: 2).id == all[0].id)
  }

  @Test("An app that is given with media and without has media, and its namespaces are those of both")
  func apps() {
    var receivers = VirtualReceivers(["Kitchen"], group: nil)
    let (one, two) = (Namespace(rawValue: "urn:x-cast:one"), Namespace(rawValue: "urn:x-cast:two"))
    receivers.apps = [.init("AAAA", [one])]
    receivers.plainApps = [.init("AAAA", [two]), .init("BBBB", [])]
    let configuration = receivers.configuration(named: "Kitchen", seed: 1)
    #expect(configuration.appIDs.isSuperset(of: ["AAAA", "BBBB"]) && configuration.plainAppIDs == ["BBBB"])
    #expect(configuration.customNamespaces["AAAA"] == [one, two])
  }

  @Test("Who can be reached by other computers limits what they may send")
  func strangers() {
    var receivers = VirtualReceivers(["Kitchen"], group: nil)
    let own = receivers.configuration(named: "Kitchen", seed: 1).channelLimits
    receivers.isReachedByStrangers = true
    let strict = receivers.configuration(named: "Kitchen", seed: 1).channelLimits
    #expect(strict == ChannelStateMachine.Limits() && own != strict)
  }
}
