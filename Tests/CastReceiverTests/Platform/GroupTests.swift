import CastProtocol
import Testing

@testable import CastReceiver

@Suite struct GroupTests {
  private static func group() -> ReceiverHarness {
    var receiver = ReceiverHarness { configuration in
      configuration.members = [.init(id: "a", name: "Kitchen"), .init(id: "b", name: "Bath")]
      configuration.members[0].level = 0.5
      configuration.volumeLevel = 0.75
      configuration.volumeStep = 0.01
    }
    _ = receiver.open(1) + receiver.connect()
    return receiver
  }

  private static func members(_ receiver: inout ReceiverHarness) -> [String] {
    let status = receiver.send(["type": "GET_STATUS", "requestId": 9], on: .multizone).first?.json["status"]
    return (status?["devices"]?.array ?? []).map(Self.told)
  }

  private static func told(_ device: JSONValue) -> String {
    let level = ((device["volume"]?["level"]?.number ?? -1) * 100).rounded() / 100
    return "\(device["name"]?.string ?? "?") \(level)\(device["volume"]?["muted"] == true ? " muted" : "")"
  }

  @Test("A group lists its members with their volumes, and says that it is one")
  func lists() {
    var receiver = Self.group()
    #expect(Self.members(&receiver) == ["Kitchen 0.5", "Bath 1.0"])
    let info = receiver.send(
      ["type": "GET_DEVICE_INFO", "requestId": 2],
      on: Namespace(rawValue: "urn:x-cast:com.google.cast.receiver.discovery"))
    #expect(info.first?.json["deviceCapabilities"]?.int.map { $0 & 32 } == 32)
  }

  @Test("The group's volume moves its members by as much; each change is told to all, and to the member")
  func moves() {
    var receiver = Self.group()
    let heard = receiver.send(["type": "SET_VOLUME", "requestId": 3, "volume": ["level": 0.5]])
    #expect(heard.map(\.type) == ["RECEIVER_STATUS", "DEVICE_UPDATED", "DEVICE_UPDATED"])
    #expect(heard.dropFirst().allSatisfy { $0.destination == "*" && $0.namespace == .multizone })
    #expect(Self.members(&receiver) == ["Kitchen 0.25", "Bath 0.75"])
    #expect(receiver.changes.map(\.memberID) == ["a", "b"] && receiver.changes.allSatisfy { !$0.isMuted })
    _ = receiver.send(["type": "SET_VOLUME", "requestId": 4, "volume": ["muted": true]])
    #expect(Self.members(&receiver) == ["Kitchen 0.25 muted", "Bath 0.75 muted"])
    // The same again changes nothing.
    #expect(receiver.send(["type": "SET_VOLUME", "requestId": 5, "volume": ["muted": true]]).count == 1)
  }

  @Test("A member's volume is told by the group, whose own follows; nothing goes back to the member")
  func follows() {
    var receiver = Self.group()
    let heard = receiver.input(.volume(.init(memberID: "b", level: 0.3, isMuted: false)))
    #expect(heard.map(\.type) == ["DEVICE_UPDATED", "RECEIVER_STATUS"])
    #expect(heard.last?.json["status"]?["volume"]?["level"]?.number.map { abs($0 - 0.4) < 0.001 } == true)
    #expect(Self.members(&receiver) == ["Kitchen 0.5", "Bath 0.3"] && receiver.changes.isEmpty)
    #expect(receiver.input(.volume(.init(memberID: "b", level: 0.3, isMuted: false))).isEmpty)
    #expect(receiver.input(.volume(.init(memberID: "nobody", level: 0.3, isMuted: false))).isEmpty)
  }

  @Test("A single device tells its groups what a sender set, and takes what they set without telling it back")
  func single() {
    var receiver = ReceiverHarness()
    _ = receiver.open(1) + receiver.connect()
    #expect(Self.members(&receiver) == ["Showcaller (virtual) 1.0"])
    _ = receiver.send(["type": "SET_VOLUME", "requestId": 3, "volume": ["level": 0.5]])
    #expect(receiver.changes == [.init(memberID: nil, level: 0.5, isMuted: false)])
    let heard = receiver.input(.volume(.init(memberID: nil, level: 0.2, isMuted: true)))
    #expect(heard.map(\.type) == ["RECEIVER_STATUS"] && heard.first?.json["status"]?["volume"]?["muted"] == true)
    #expect(receiver.changes.count == 1)
  }

  @Test("A fixed volume is moved by nobody, member or group")
  func fixed() {
    var receiver = ReceiverHarness { $0.volumeControl = .fixed }
    _ = receiver.open(1) + receiver.connect()
    _ = receiver.send(["type": "SET_VOLUME", "requestId": 3, "volume": ["level": 0.5]])
    #expect(receiver.input(.volume(.init(memberID: nil, level: 0.2, isMuted: true))).isEmpty)
    #expect(receiver.changes.isEmpty)
  }

  @Test("An app without media lists none, answers on its own namespace, and is silent on the media namespace")
  func plainApp() {
    let chat = Namespace(rawValue: "urn:x-cast:com.example.chat")
    var receiver = ReceiverHarness { configuration in
      configuration.plainAppIDs = ["A1B2C3D4"]
      configuration.customNamespaces["A1B2C3D4"] = [chat]
    }
    let heard = receiver.start(app: "A1B2C3D4")
    let status = heard.last { $0.type == "RECEIVER_STATUS" }?.json["status"]?["applications"]?.array?.first
    let names = status?["namespaces"]?.array?.compactMap { $0["name"]?.string } ?? []
    #expect(names.contains(chat.rawValue) && !names.contains(Namespace.media.rawValue))
    #expect(!heard.contains { $0.type == "MEDIA_STATUS" })
    #expect(receiver.media("GET_STATUS").isEmpty && receiver.load(film).isEmpty)
    let echo = receiver.send(["a": 1], on: chat, to: receiver.transport)
    #expect(echo.map(\.json) == [["a": 1]])
  }
}
