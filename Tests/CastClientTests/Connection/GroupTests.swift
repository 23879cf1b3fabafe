import CastProtocol
import Simulation
import TestSupport
import Testing

@testable import CastClient

/// The members of a group as its connection sees them.
@Suite struct GroupTests {
  private typealias Peer = ScriptedPeer

  static func member(_ id: String, _ name: String, _ level: Double?, muted: Bool? = false) -> JSONValue {
    var volume = JSONObject()
    volume["level"] = level.map { JSONValue($0) }
    volume["muted"] = muted.map { .bool($0) }
    return ["deviceId": .string(id), "name": .string(name), "capabilities": 4, "volume": .object(volume)]
  }

  private static let group: Peer.Script = Peer.healthy { peer, request in
    guard request.namespace == .multizone, request.type == "GET_STATUS" else { return false }
    let devices = [member("a", "Kitchen", 0.3), member("b", "Bath", 0.5)]
    peer.send(
      ["type": "MULTIZONE_STATUS", "requestId": .int(request.id), "status": ["devices": .array(devices)]],
      in: .multizone)
    return true
  }

  private static func told(_ stage: Stage) async -> [String] {
    let devices = await stage.connection.snapshot.multizone?.devices ?? []
    return devices.map { device in
      "\(device.name) \(device.volume.level ?? -1)\(device.volume.muted == true ? " muted" : "")"
    }
  }

  @Test("Members are asked for once; what changes, who comes and who goes is merged into the status")
  func members() throws {
    try onStage(Self.group) { stage in
      #expect(await stage.connection.snapshot.multizone == nil)
      let members = try await stage.connection.members()
      #expect(members.map(\.name) == ["Kitchen", "Bath"] && stage.now == .zero)
      let number = await stage.connection.lastObservation
      func news(_ type: String, _ member: JSONValue) {
        stage.peer.send(["type": .string(type), "requestId": 0, "device": member], in: .multizone)
      }
      news("DEVICE_UPDATED", ["deviceId": "b", "volume": ["muted": true]])
      news("DEVICE_ADDED", Self.member("c", "Hall", 0.9))
      news("DEVICE_UPDATED", Self.member("a", "Kitchen 2", 0.25, muted: nil))
      try await stage.wait(.seconds(1))
      #expect(await Self.told(stage) == ["Kitchen 2 0.25", "Bath 0.5 muted", "Hall 0.9"])
      stage.peer.send(["type": "DEVICE_REMOVED", "deviceId": "a"], in: .multizone)
      stage.peer.send(["type": "DEVICE_REMOVED", "deviceId": "nobody"], in: .multizone)
      stage.peer.send(["type": "PLAYBACK_SESSION_UPDATED"], in: .multizone)
      try await stage.wait(.seconds(1))
      #expect(await Self.told(stage) == ["Bath 0.5 muted", "Hall 0.9"])
      // They stay messages of the platform, which `expect_message` can wait for.
      let seen = await stage.connection.observations(after: number)
      #expect(seen.count == 6 && seen.allSatisfy { $0.scope == .message && $0.namespace == .multizone })
    }
  }

  @Test("News of members that nobody asked for say nothing, and an app's word on them does not count")
  func unasked() throws {
    try onStage(Self.group) { stage in
      let news: JSONValue = ["type": "DEVICE_ADDED", "device": Self.member("c", "Hall", 0.9)]
      stage.peer.send(news, in: .multizone)
      try await stage.wait(.milliseconds(1))
      #expect(await stage.connection.snapshot.multizone == nil)
      _ = try await stage.connection.members()
      stage.peer.send(news, in: .multizone, from: EndpointID("t-1"))
      try await stage.wait(.milliseconds(1))
      #expect(await Self.told(stage) == ["Kitchen 0.3", "Bath 0.5"])
    }
  }

  @Test("A group without end is cut, and a device that does not answer is a timeout after the time it was given")
  func bad() throws {
    try onStage(
      Peer.healthy { peer, request in
        guard request.namespace == .multizone else { return false }
        if peer.requests.filter({ $0.namespace == .multizone }).count > 1 { return true }
        let devices = (0..<300).map { Self.member("id-\($0)", "M", 0.1) }
        peer.send(
          ["type": "MULTIZONE_STATUS", "requestId": .int(request.id), "status": ["devices": .array(devices)]],
          in: .multizone)
        return true
      }
    ) { stage in
      _ = try await stage.connection.members()
      #expect(await stage.connection.snapshot.multizone?.devices.count == MultizoneStatus.deviceLimit)
      let error = await failure { () throws(ClientError) in
        try await stage.connection.members(within: .seconds(1))
      }
      #expect(error?.class == .timeout && stage.now == .seconds(1))
    }
  }

  static let listings: [(own: String?, devices: [(id: String, capabilities: Int)], names: Int)] = [
    ("8E2D1C0A-0000", [("8e2d1c0a0000", 5)], 0), (nil, [("a", 36), ("b", 36)], 0), ("x", [("a", 4), ("b", 4)], 2),
    (nil, [("a", 4), ("b", 4)], 2), ("x", [], 0), ("x", [("a", 4), ("b", 36)], 2),
  ]
  @Test("A device that lists itself, or groups, is none", arguments: listings)
  func isGroup(own: String?, devices: [(id: String, capabilities: Int)], names: Int) {
    var status = MultizoneStatus()
    status.devices = devices.map { id, capabilities in
      var device = MultizoneStatus.Device()
      device.deviceID = id
      device.capabilities = capabilities
      return device
    }
    #expect(status.members(of: own).count == names)
  }
}
