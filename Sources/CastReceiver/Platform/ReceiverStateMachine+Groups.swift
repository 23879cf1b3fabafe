import CastProtocol

/// Groups: who takes part, and whose volume is whose. Source: docs/protocol.md 3.6.
extension ReceiverStateMachine {
  /// MULTIZONE_STATUS; a single device lists itself.
  func multizoneStatus(_ requestID: Int) -> JSONValue {
    let devices = members.isEmpty ? [ownEntry] : members.map(\.json)
    var status: JSONObject = ["devices": .array(devices), "isMultichannel": false]
    if let media = application?.media?.session?.media {
      status["playbackSession"] = [
        "appAllowsGrouping": true, "isVideoContent": .bool(media.category != .audio),
        "streamTransferSupported": .bool(configuration.media.supportsStreamTransfer),
      ]
    }
    return ["requestId": .int(requestID), "status": .object(status), "type": "MULTIZONE_STATUS"]
  }

  private var ownEntry: JSONValue {
    [
      "capabilities": .int(configuration.capabilities), "deviceId": .string(configuration.id),
      "name": .string(configuration.name),
      "volume": ["level": volume.json["level"] ?? 1, "muted": .bool(volume.isMuted)],
    ]
  }

  /// The volume of a group moves those of its members by as much, and mutes them; a member tells its groups.
  mutating func passOn(_ volume: DeviceVolume, after before: DeviceVolume) {
    guard !members.isEmpty else {
      return tell(.init(memberID: nil, level: volume.level, isMuted: volume.isMuted))
    }
    for index in members.indices {
      let old = members[index]
      members[index].level = max(0, min(1, old.level + volume.level - before.level))
      if volume.isMuted != before.isMuted { members[index].isMuted = volume.isMuted }
      if members[index] != old {
        announce(members[index])
        tell(.init(memberID: old.id, level: members[index].level, isMuted: members[index].isMuted))
      }
    }
  }

  /// Takes a volume that was set elsewhere: of a member here, or ours in a group.
  mutating func follow(_ change: ReceiverConfiguration.VolumeChange) {
    guard let id = change.memberID else {
      let before = volume
      volume.set(level: change.level, isMuted: change.isMuted)
      if volume != before { broadcastStatus(answering: 0) }
      return
    }
    guard let index = members.firstIndex(where: { $0.id == id }) else { return }
    let before = members[index]
    members[index].level = max(0, min(1, change.level))
    members[index].isMuted = change.isMuted
    guard members[index] != before else { return }
    announce(members[index])
    // A group is as loud as its members are on average, and muted when all of them are.
    let old = volume
    let average = members.map(\.level).reduce(0, +) / Double(members.count)
    volume.set(level: average, isMuted: members.allSatisfy(\.isMuted))
    if volume != old { broadcastStatus(answering: 0) }
  }

  private mutating func announce(_ member: ReceiverConfiguration.Member) {
    broadcast(["device": member.json, "requestId": 0, "type": "DEVICE_UPDATED"], on: .multizone, from: .receiver)
  }
}

extension ReceiverConfiguration {
  /// `ca` bits: video and audio out; a group plays sound, and is one (docs/protocol.md 7.1).
  package var capabilities: Int { members.isEmpty ? 5 : 36 }
}

extension ReceiverConfiguration.Member {
  fileprivate var json: JSONValue {
    [
      "capabilities": 4, "deviceId": .string(id), "name": .string(name),
      "volume": ["level": DeviceVolume.widened(level), "muted": .bool(isMuted)],
    ]
  }
}
