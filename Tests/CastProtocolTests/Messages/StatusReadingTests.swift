@testable import CastProtocol
import Testing

/// A status read straight from its text is what it is read as from a tree of that text.
@Suite("Statuses read from their text") struct StatusReadingTests {
  /// What is wrong with how `text` is read; `nil`: both ways agree.
  /// - Returns: Also whether no tree was made of it.
  static func disagreement(_ text: String, in namespace: Namespace) -> (problem: String?, isDirect: Bool) {
    let fromTree = try? JSONValue(parsing: text)
    let body: IncomingMessage.Body? =
      if namespace == .media {
        fromTree.flatMap { MediaMessage($0) }.map { .media($0) }
      } else {
        fromTree.flatMap { ReceiverMessage($0) }.map { .receiver($0) }
      }
    let isDirect = (namespace == .media ? MediaMessage(statusIn: text) != nil : ReceiverMessage(statusIn: text) != nil)
    if isDirect, fromTree == nil { return ("it is no JSON", isDirect) }
    let message = IncomingMessage(
      CastMessage(source: "app", destination: .everyone, namespace: namespace, payload: .text(text)))
    let isSame: Bool =
      switch body {
      case nil, .media(.other(type: nil, _)), .receiver(.other(type: nil, _)): message.body == .unreadable
      case let body?: message.body == body
      }
    if !isSame { return ("\(message.body) is not \(String(describing: body))", isDirect) }
    if let fromTree, message.content != fromTree { return ("\(message.content)", isDirect) }
    if message.requestID != fromTree?["requestId"]?.lenientInteger ?? 0, isDirect {
      return ("request \(message.requestID)", isDirect)
    }
    return (nil, isDirect)
  }

  @Test("Every recorded message, on either namespace", .enabled(if: Reference.has(Recording.folder)))
  func recordings() throws {
    var direct = 0
    for recording in try Recording.files().flatMap({ try Recording.all(in: $0) }) {
      let text = recording.payload.serialized()
      for namespace in [Namespace.media, .receiver] {
        let (problem, isDirect) = Self.disagreement(text, in: namespace)
        #expect(problem == nil, "\(recording.file) \(recording.index)")
        let status = namespace == .media ? "MEDIA_STATUS" : "RECEIVER_STATUS"
        // Those that have a `responseType` in place of a type are read from a tree.
        let isStatus = recording.payload["type"]?.string == status && recording.payload["status"] != nil
        #expect(isDirect == isStatus, "\(recording.file) \(recording.index)")
        if isDirect { direct += 1 }
      }
    }
    #expect(direct > 70)
  }

  static let media = #"{"type":"MEDIA_STATUS","requestId":1,"status":[\#(StatusTrackerTests.full)]}"#
  static let receiver = #"""
    {"requestId":7,"status":{"applications":[{"appId":"CC1AD845","displayName":"\ud83d\ude00 Ünï","isIdleScreen":"false",
    "namespaces":[{"name":"urn:x-cast:com.google.cast.media"},"plain",7,{"name":null}],"sessionId":"s","statusText":"\n",
    "transportId":"t"},{"appId":"second"}],"isActiveInput":true,"volume":{"level":"0.25","muted":false,"stepInterval":0.05}},
    "type":"RECEIVER_STATUS"}
    """#

  /// What stands for `VALUE` in a status, and for a member of it.
  static let oddities = [
    "null", "true", #""true""#, "7", "-1", "1.5", "1e3", "1e999", "01", "\"text\"", #""7""#, #""\u0041""#, #""\ud800""#,
    "\"a\u{1}\"", "[]", "[null]", "[{}]", #"[{"id":1,"trackId":"2","name":"n"},3]"#, "[1,]", "{}", "{,}", #"{"a":1,}"#,
    #"{"level":2,"level":null}"#, #"{"metadata":{"title":"t"},"tracks":{},"breaks":[[]]}"#, "tru", "nul", "", "[", "{",
    String(repeating: "[", count: 62) + String(repeating: "]", count: 62),
    String(repeating: "[", count: 70) + String(repeating: "]", count: 70),
  ]
  static let templates: [String] =
    WireName.allCases.map { #"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":1,"\#($0.rawValue)":VALUE}]}"# }
    + WireName.allCases.map {
      #"{"type":"MEDIA_STATUS","status":[{"media":{"contentId":"c","\#($0.rawValue)":VALUE}}],"requestId":2}"#
    }
    + WireName.allCases.map { #"{"type":"RECEIVER_STATUS","status":{"applications":[{"\#($0.rawValue)":VALUE}]}}"# }
    + [
      #"{"type":"MEDIA_STATUS","status":VALUE}"#, #"{"status":VALUE,"type":"MEDIA_STATUS","requestId":"3"}"#,
      #"{"type":"RECEIVER_STATUS","status":VALUE}"#, #"{"type":"MEDIA_STATUS","requestId":VALUE,"status":[]}"#,
      #"{"type":VALUE,"status":[]}"#, #"{"type":"MEDIA_STATUS","status":[],"type":VALUE}"#,
      #"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":1}],"status":VALUE}"#, "VALUE", " VALUE ",
      #"{"type":"MEDIA_STATUS","mediaSessionId":VALUE}"#, #"{"responseType":"MEDIA_STATUS","status":VALUE}"#,
      #"{"type":"MEDIA_STATUS","status":[{"currentTime":1,"currentTime":VALUE,"mediaSessionId":2,"mediaSessionId":VALUE}]}"#,
      #"{"type":"MEDIA_STATUS","status":[{"n\u0061me":1,"m\u0065dia":VALUE}]}"#,
      #"{"type":"MEDIA_STATUS","status":[]}VALUE"#, #"{"type":"MEDIA_STATUS" VALUE,"status":[]}"#,
    ]
  @Test("Whatever stands at whichever name", arguments: oddities)
  func odd(value: String) throws {
    var direct = 0
    for template in Self.templates {
      let text = template.replacing("VALUE", with: value)
      for namespace in [Namespace.media, .receiver] {
        let (problem, isDirect) = Self.disagreement(text, in: namespace)
        #expect(problem == nil, "\(text)")
        if isDirect { direct += 1 }
      }
    }
    let isJSON = (try? JSONValue(parsing: value)) != nil
    #expect((direct > 300) == isJSON || value.hasPrefix("[[["))
  }

  @Test("A status that is cut off anywhere is none")
  func cut() {
    for text in [Self.media, Self.receiver] {
      for length in 0..<text.utf8.count {
        let cut = String(decoding: Array(text.utf8.prefix(length)), as: UTF8.self)
        #expect(MediaMessage(statusIn: cut) == nil && ReceiverMessage(statusIn: cut) == nil, "\(cut)")
      }
    }
    #expect(MediaMessage(statusIn: Self.media) != nil && ReceiverMessage(statusIn: Self.receiver) != nil)
  }

  @Test("20 000 broken statuses", .timeLimit(.minutes(1)), arguments: [1, 2] as [UInt64])
  func broken(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var direct = 0
    for round in 0..<10_000 {
      let text = round % 2 == 0 ? Self.media : Self.receiver
      let bytes = HostileInputTests.mutate(Array(text.utf8), using: &generator)
      let (problem, isDirect) = Self.disagreement(
        String(decoding: bytes, as: UTF8.self), in: round % 2 == 0 ? .media : .receiver)
      #expect(problem == nil)
      if isDirect { direct += 1 }
    }
    #expect(direct > 100)
  }

  @Test("What else a status says is read when it is asked for")
  func content() throws {
    let text = #"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":1,"unknown":{"a":[1,"x"]}}],"more":2}"#
    let message = IncomingMessage(
      CastMessage(source: "app", destination: .everyone, namespace: .media, payload: .text(text)))
    #expect(message.payload.knownJSON == nil)
    #expect(message.content == (try JSONValue(parsing: text)))
    #expect(message.payload == .json(try JSONValue(parsing: text)))
    var tracker = StatusTracker()
    tracker.connected()
    tracker.receive(message, at: .zero)
    #expect(tracker.snapshot.mediaMessage?.json["status"]?.array?.first?["unknown"]?["a"] == [1, "x"])
  }
}
