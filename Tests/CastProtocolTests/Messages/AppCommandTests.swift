import CastProtocol
import Testing

@Suite struct AppCommandTests {
  static let commands: [(command: AppCommand, text: String)] = [
    (
      .userAction(.known(.like), context: .known(.track), isCleared: true),
      #"{"type":"USER_ACTION","requestId":7,"userAction":"LIKE","userActionContext":"TRACK","clear":true}"#
    ),
    (.userAction(.unknown("WAVE")), #"{"type":"USER_ACTION","requestId":7,"userAction":"WAVE"}"#),
    (
      .setCredentials("c", type: "web", forRequestID: 4),
      #"{"type":"SET_CREDENTIALS","requestId":7,"credentials":"c","credentialsType":"web","forRequestId":4}"#
    ),
    (
      .loadByEntity("app://x", shuffle: false, filtersExplicit: true),
      #"{"type":"LOAD_BY_ENTITY","requestId":7,"entity":"app://x","shuffle":false,"loadOptions":{"contentFilteringMode":"FILTER_EXPLICIT"}}"#
    ),
    (.displayStatus, #"{"type":"DISPLAY_STATUS","requestId":7}"#),
    (.custom(data: "{}"), #"{"type":"CUSTOM_COMMAND","requestId":7,"data":"{}"}"#),
    (.focus(isInFocus: false), #"{"type":"FOCUS_STATE","requestId":7,"state":"NOT_IN_FOCUS"}"#),
    (
      .playString(id: .known(.streamHijacked), arguments: ["a"]),
      #"{"type":"PLAY_STRING","requestId":7,"stringId":"STREAM_HIJACKED","arguments":["a"]}"#
    ),
  ]
  @Test("A command to an app is written with its members in order, and read back as the same", arguments: commands)
  func roundTrip(command: AppCommand, text: String) throws {
    #expect(command.json(requestID: 7).serialized() == text)
    #expect(AppCommand(try JSONValue(parsing: text)) == command)
  }

  @Test("Who gave the command can be said")
  func source() {
    #expect(AppCommand.displayStatus.json(requestID: 1, source: "voice")["source"] == "voice")
  }

  @Test(
    "What is no command is none",
    arguments: [
      "[]", "{}", #"{"type":"USER_ACTION"}"#, #"{"type":"SET_CREDENTIALS"}"#, #"{"type":"LOAD_BY_ENTITY"}"#,
      #"{"type":"CUSTOM_COMMAND"}"#, #"{"type":"FOCUS_STATE"}"#, #"{"type":"PLAY_STRING"}"#, #"{"type":"FLY"}"#,
    ])
  func none(text: String) throws {
    #expect(AppCommand(try JSONValue(parsing: text)) == nil)
  }

  static let replies: [(text: String, reply: AppCommand.Reply?)] = [
    (#"{"type":"SUCCESS","requestId":3}"#, .success(requestID: 3)),
    (#"{"type":"ERROR","requestId":3,"code":7,"reason":"X"}"#, .failure(requestID: 3, code: "7", reason: "X")),
    (#"{"type":"ERROR"}"#, .failure(requestID: 0, code: nil, reason: nil)), ("{}", nil), ("7", nil),
  ]
  @Test("The answer to a command is success or an error", arguments: replies)
  func reply(text: String, reply: AppCommand.Reply?) throws {
    #expect(AppCommand.Reply(try JSONValue(parsing: text)) == reply)
  }

  @Test("What a user made of content is read, known or not")
  func userAction() {
    #expect(MediaInformation.UserActionState(userAction: "FOLLOW").action == .known(.follow))
    #expect(MediaInformation.UserActionState(userAction: "HUG").action == .unknown("HUG"))
  }
}
