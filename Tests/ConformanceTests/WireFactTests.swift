import CastProtocol
import Testing

@testable import Conformance

/// What is read from messages.
@Suite struct WireFactTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var fact: WireFact
    var messages: [(isSent: Bool, namespace: String, json: JSONValue)]
    var value: String?
    var testDescription: String { "\(fact.rawValue): \(value ?? "nothing")" }

    init(_ fact: WireFact, _ value: String?, _ messages: (Bool, String, JSONValue)...) {
      (self.fact, self.value) = (fact, value)
      self.messages = messages.map { (isSent: $0.0, namespace: $0.1, json: $0.2) }
    }
  }

  private static func volume(_ volume: JSONValue) -> (Bool, String, JSONValue) {
    (false, "receiver", ["type": "RECEIVER_STATUS", "requestId": 1, "status": ["userEq": [:], "volume": volume]])
  }

  private static func app(_ id: JSONValue, requestID: Int = 0, _ more: JSONObject = [:]) -> (Bool, String, JSONValue) {
    let app = JSONObject([.init("appId", id)] + more.members)
    return (
      false, "receiver",
      ["type": "RECEIVER_STATUS", "requestId": .int(requestID), "status": ["applications": [.object(app)]]]
    )
  }

  private static func media(_ state: JSONValue, requestID: Int = 0, _ more: JSONObject = [:]) -> (
    Bool, String, JSONValue
  ) {
    let status = JSONObject([.init("playerState", state)] + more.members)
    return (false, "media", ["type": "MEDIA_STATUS", "requestId": .int(requestID), "status": [.object(status)]])
  }

  static let rows: [Row] = [
    Row(.volumeControl, "master", volume(["controlType": "master"])),
    Row(.volumeControl, nil, volume([:])),
    Row(.volumeStep, "0.02", volume(["stepInterval": 0.019999999552965164])),
    Row(.volumeStep, "0.05", volume(["stepInterval": 0.01]), volume(["stepInterval": 0.05])),
    Row(.mutedAfterLevel, "not muted", volume(["muted": false])),
    Row(.statusMembers, "userEq, volume", volume([:])),
    Row(.statusMembers, "", app("CC1AD845")),
    Row(.appMembers, "appId, sessionId", app("CC1AD845", ["sessionId": "1"])),
    Row(.appMembers, nil, app("233637DE", ["sessionId": "1"])),
    Row(
      .appNamespaces, "cac, media",
      app(
        "CC1AD845",
        ["namespaces": [["name": "urn:x-cast:com.google.cast.media"], ["name": "urn:x-cast:com.google.cast.cac"]]])),
    Row(.appNamespaces, "media", app("CC1AD845", ["namespaces": ["urn:x-cast:com.google.cast.media"]])),
    Row(
      .launchAnswer, "RECEIVER_STATUS with the id",
      (true, "receiver", ["type": "LAUNCH", "appId": "CC1AD845", "requestId": 7]), app("CC1AD845", requestID: 7)),
    Row(
      .launchAnswer, "LAUNCH_STATUS USER_ALLOWED, RECEIVER_STATUS without the id",
      (true, "receiver", ["type": "LAUNCH", "appId": "CC1AD845", "requestId": 7]),
      (false, "receiver", ["type": "LAUNCH_STATUS", "launchRequestId": 7, "status": "USER_ALLOWED"]), app("CC1AD845")),
    Row(.launchAnswer, nil, app("CC1AD845")),
    Row(
      .launchError, "LAUNCH_ERROR NOT_FOUND",
      (false, "receiver", ["type": "LAUNCH_ERROR", "requestId": 7, "reason": "NOT_FOUND"])),
    Row(
      .receiverRefusal, "INVALID_REQUEST INVALID_COMMAND",
      (false, "receiver", ["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"])),
    Row(.receiverRefusal, nil, (false, "media", ["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"])),
    Row(
      .availability, "responseType",
      (false, "receiver", ["responseType": "GET_APP_AVAILABILITY", "availability": ["CC1AD845": "APP_AVAILABLE"]])),
    Row(
      .loadAnswer, "PLAYING", (true, "media", ["type": "LOAD", "requestId": 4]),
      media("IDLE", ["extendedStatus": ["playerState": "LOADING"]]), media("PLAYING", requestID: 4)),
    Row(
      .loadAnswer, "LOADING", (true, "media", ["type": "LOAD", "requestId": 4]),
      media("IDLE", requestID: 4, ["extendedStatus": ["playerState": "LOADING"]])),
    Row(.loadFailure, "LOAD_FAILED 104", (false, "media", ["type": "LOAD_FAILED", "detailedErrorCode": 104])),
    Row(.loadFailure, "LOAD_FAILED", (false, "media", ["type": "LOAD_FAILED", "requestId": 3])),
    Row(.mediaCommands, "12303", media("PLAYING", ["supportedMediaCommands": 12303])),
    Row(.playingMembers, "media, playerState", media("PLAYING"), media("PLAYING", ["media": [:]])),
    Row(.pausedRate, "1", media("PAUSED", ["playbackRate": 1])),
    Row(.idleReason, "CANCELLED", media("PLAYING"), media("IDLE", ["idleReason": "CANCELLED"])),
    Row(
      .afterEnd, "an empty status", media("IDLE", ["idleReason": "FINISHED"]),
      (true, "media", ["type": "GET_STATUS", "requestId": 9]),
      (false, "media", ["type": "MEDIA_STATUS", "requestId": 9, "status": []])),
    Row(
      .afterEnd, "the status of the end", media("IDLE", ["idleReason": "FINISHED"]),
      (true, "media", ["type": "GET_STATUS", "requestId": 9]), media("IDLE", requestID: 9)),
    Row(.afterEnd, nil, media("IDLE", ["idleReason": "FINISHED"]), media("IDLE", ["idleReason": "CANCELLED"])),
    Row(.mediaRefusal, "INVALID_PLAYER_STATE", (false, "media", ["type": "INVALID_PLAYER_STATE"])),
    Row(
      .queueNews, "MEDIA_STATUS, QUEUE_CHANGE", media("PLAYING", ["items": []]),
      (false, "media", ["type": "QUEUE_CHANGE"])),
    // Of another shape than it should be.
    Row(.volumeStep, nil, volume(["stepInterval": "much"])),
    Row(.idleReason, nil, (false, "media", ["type": "MEDIA_STATUS", "status": ["IDLE"]])),
    Row(.appNamespaces, nil, app("CC1AD845", ["namespaces": [[1], 2]])),
  ]
  @Test("A fact is read from messages, and from nothing else", arguments: rows)
  func value(row: Row) {
    let messages = row.messages.map { ObservedMessage(isSent: $0.isSent, namespace: $0.namespace, json: $0.json) }
    #expect(row.fact.value(in: messages) == row.value)
  }

  @Test("A value is no longer than its limit, whatever a device says")
  func limit() throws {
    let json: JSONValue = ["type": "LAUNCH_ERROR", "reason": .string(String(repeating: "x", count: 100_000))]
    let value = try #require(
      WireFact.launchError.value(in: [ObservedMessage(isSent: false, namespace: "receiver", json: json)]))
    #expect(value.count == WireFact.lengthLimit + 1)
  }

  static let heard: [(sender: SecondSender, status: JSONValue, isTold: Bool)] = [
    (.volume, ["volume": ["level": 0.3499999940395355]], true), (.volume, ["volume": ["level": 0.2]], false),
    (.volume, ["volume": [:]], false), (.app, ["applications": [["appId": "CC1AD845"]]], true),
    (.app, ["applications": [["appId": "E8C28D3C"]]], false), (.app, [:], false),
  ]
  @Test(
    "Another sender has to be told of what the check did, and else it is said of what it was told", arguments: heard)
  func secondSender(sender: SecondSender, status: JSONValue, isTold: Bool) {
    let message = ObservedMessage(
      isSent: false, namespace: "receiver", json: ["type": "RECEIVER_STATUS", "requestId": 0, "status": status])
    #expect((sender.shortcoming([message]) == nil) == isTold)
    #expect(sender.shortcoming([])?.contains("(none)") == true)
    #expect(ConformanceCheck.all.contains { $0.id == sender.rawValue })
  }

  static let software: [(json: JSONValue, cast: String?, build: String?, model: String?)] = [
    (
      [
        "type": "eureka_info",
        "data": [
          "device_info": ["product_name": "Chromecast"],
          "build_info": ["cast_build_revision": "1.56.281627", "system_build_number": "281627"],
        ],
      ], "1.56.281627", "281627", "Chromecast"
    ),
    (
      ["build_info": ["system_build_number": 12], "device_info": ["model_name": "Nest Hub", "product_name": "x"]], nil,
      "12", "Nest Hub"
    ),
  ]
  @Test("What a device runs is read from a message and from its web page alike", arguments: software)
  func runs(json: JSONValue, cast: String?, build: String?, model: String?) throws {
    let software = try #require(DeviceSoftware(json))
    #expect(software.castVersion == cast && software.build == build && software.model == model)
    #expect(DeviceSoftware(["type": "eureka_info", "response_code": 404]) == nil)
    #expect(DeviceSoftware(["build_info": ["cast_build_revision": ""]]) == nil)
  }

  @Test("What a device says of its software is short, however it is written", arguments: ["x", "e\u{301}", "👩‍👩‍👧"])
  func short(letter: String) throws {
    // One letter with any number of marks is one character.
    let marks = "e" + String(repeating: "\u{301}", count: 30_000)
    for text in [marks, String(repeating: letter, count: 1_000)] {
      let software = try #require(DeviceSoftware(["device_info": ["model_name": .string(text)]]))
      let model = try #require(software.model)
      #expect(model.unicodeScalars.count == 100 && text.unicodeScalars.starts(with: model.unicodeScalars))
    }
  }
}
