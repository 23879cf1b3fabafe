import Testing

@testable import CastReceiver

@Suite struct SharedVolumesTests {
  private static let receivers = ["kitchen", "bath", "home"].map { id in
    var configuration = ReceiverConfiguration(id: id)
    if id == "home" { configuration.members = ["kitchen", "bath"].map { .init(id: $0, name: $0) } }
    return configuration
  }

  @Test(
    "What a member sets its groups follow, what a group sets for a member that member",
    arguments: [
      ("kitchen", nil, "home", "kitchen"), ("bath", nil, "home", "bath"), ("home", "bath", "bath", nil),
      ("home", nil, nil, nil), ("home", "lobby", nil, nil),
    ] as [(String, String?, String?, String?)])
  func followers(from id: String, memberID: String?, follower: String?, as followed: String?) {
    let change = ReceiverConfiguration.VolumeChange(memberID: memberID, level: 0.5, isMuted: true)
    let all = SharedVolumes.followers(of: change, from: id, among: Self.receivers)
    #expect(all.map { Self.receivers[$0.index].id } == [follower].compactMap(\.self))
    #expect(all.allSatisfy { $0.change == .init(memberID: followed, level: 0.5, isMuted: true) })
  }
}
