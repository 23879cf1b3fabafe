import CastProtocol
import CastReceiver
import Testing

@testable import ReceiverPages

/// What a browser writes on its debugging pipe.
@Suite struct DevToolsTests {
  @Test("Messages end with a zero byte, however the pipe cuts them", arguments: [1, 2, 5, 100])
  func framing(size: Int) throws {
    let bytes = Array("{\"a\":1}\0{}\0\0{\"b".utf8)
    var decoder = DevToolsDecoder()
    var messages: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let part = try decoder.receive(bytes[start..<min(start + size, bytes.count)])
      messages += part.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(messages == ["{\"a\":1}", "{}", ""])
  }

  @Test("A message that never ends is given up")
  func endless() {
    var decoder = DevToolsDecoder()
    let chunk = [UInt8](repeating: 65, count: 1 << 20)
    #expect(throws: DevToolsDecoder.TooLong.self) {
      for _ in 0..<40 { _ = try decoder.receive(chunk[...]) }
    }
  }

  @Test(
    "Console, exceptions and the browser's own words become news; failed requests are told once",
    arguments: [
      (
        #"{"method":"Runtime.consoleAPICalled","sessionId":"S","params":{"type":"error","args":[{"type":"string","value":"no"},"#
          + #"{"type":"number","value":3},{"type":"object","preview":{"properties":[{"name":"a","value":"1"}]}},"#
          + #"{"type":"object","preview":{"subtype":"array","properties":[{"name":"0","value":"x"}],"overflow":true}},"#
          + #"{"type":"undefined"}],"stackTrace":{"callFrames":[{"url":"http://h/a.js","lineNumber":11}]}}}"#,
        PageNews(.console, .error, "no 3 {a: 1} [x, …] undefined", address: "http://h/a.js", line: 12)
      ),
      (
        #"{"method":"Runtime.exceptionThrown","sessionId":"S","params":{"exceptionDetails":{"text":"Uncaught","lineNumber":0,"#
          + #""url":"http://h/","exception":{"type":"object","subtype":"error","description":"Error: boom"}}}}"#,
        PageNews(.exception, .error, "Uncaught: Error: boom", address: "http://h/", line: 1)
      ),
      (
        #"{"method":"Log.entryAdded","sessionId":"S","params":{"entry":{"source":"security","level":"warning","text":"mixed"}}}"#,
        PageNews(.browser, .warning, "mixed")
      ),
      (
        #"{"method":"Log.entryAdded","sessionId":"S","params":{"entry":{"source":"network","level":"error","text":"404"}}}"#,
        nil
      ),
    ])
  func news(text: String, expected: PageNews?) {
    let message = DevToolsMessage(parsing: Array(text.utf8))
    #expect(message == .event(expected.map { .news($0) } ?? .other, session: "S"))
  }

  @Test(
    "What is no message, or not as expected, is nothing to fall over",
    arguments: [
      "", "[]", "{", "{}", #"{"method":3}"#, #"{"method":"Target.attachedToTarget"}"#,
      #"{"method":"Runtime.consoleAPICalled","params":{"args":[7,{"preview":{"properties":[1]}}],"type":[]}}"#,
      #"{"method":"Runtime.exceptionThrown","params":{"exceptionDetails":7}}"#,
      #"{"method":"Page.javascriptDialogOpening","params":{"type":3}}"#,
      #"{"method":"Network.loadingFailed","params":{"requestId":"1"}}"#, #"{"id":"x","result":[]}"#,
      #"{"id":99,"result":7}"#,
    ])
  func hostile(text: String) {
    var machine = PageHostStateMachine()
    if let message = DevToolsMessage(parsing: Array(text.utf8)) { #expect(machine.receive(.message(message)).isEmpty) }
  }

  @Test("Base64 goes both ways for every length")
  func base64() {
    for count in 0..<20 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 67 &+ 200) }
      let text = Base64.encoded(bytes)
      #expect(text.count % 4 == 0 && Base64.decoded(text) == bytes)
    }
    #expect(Base64.encoded(Array("Man".utf8)) == "TWFu" && Base64.encoded(Array("M".utf8)) == "TQ==")
    #expect(Base64.decoded("T*==") == nil)
  }

  @Test("Only plain addresses of scripts are names of files in the cache")
  func cacheNames() {
    let cache = ScriptCache(folder: "/c")
    #expect(
      cache.file(of: "https://www.gstatic.com/cast/sdk/libs/caf_receiver/v3/a.js")
        == "/c/www.gstatic.com+cast+sdk+libs+caf_receiver+v3+a.js")
    #expect(cache.file(of: "http://h/a.js") == "/c/http+h+a.js", "what came by http: is no page's of https:")
    for address in [
      "https://h/a.js?x=1", "https://h/../../a.js", "ftp://h/a.js", "https://h/a.css",
      "https://h/ä.js",
      "https://h/\(String(repeating: "a", count: 300)).js", "",
    ] {
      #expect(cache.file(of: address) == nil, "\(address)")
    }
  }
}
