import CastProtocol

@testable import RunReporting

/// What events of each type have besides the envelope, with every member that there is, in its order.
enum Samples {
  private static let place = #""file":"qa/ads.yaml","line":65,"column":28,"endLine":65,"endColumn":67"#
  private static let start = #""file":"qa/ads.yaml","line":65,"column":5"#
  private static let counts = #""passed":3,"flaky":1,"failed":1,"errors":1,"skipped":1,"notRun":2"#
  private static let failure =
    #"{"class":"load_failed","message":"LOAD_FAILED 104","wire":{"requestId":5,"type":"LOAD_FAILED"},"help":"try"}"#
  private static let judged =
    place + #","want":{"position":{"about":10,"tolerance":1},"break":null},"got":{"position":18.5,"break":null}"#

  static let all: [(type: EventType, members: String)] = [
    (
      .runStarted,
      #""run":"01JD6Y3ZT8Q4W9N2K5R7M1XGBC","tool":"showcaller 0.4.0","language":1,"seed":9223372036854775807,"#
        + #""host":"ci-12","argv":["run","a.yaml"],"rerun":["run","--virtual"],"speed":0.1234567,"#
        + #""docs":[{"doc":"ads","kind":"scenario","file":"qa/ads.yaml","sha256":"9f2c41","tags":["smoke"]},"#
        + #"{"doc":"b","kind":"scenario","file":"b.yaml","tags":[]}]"#
    ),
    (.runStarted, #""run":"r","tool":"t","language":1,"seed":null,"argv":[],"docs":[]"#),
    (
      .runFinished,
      #""run":"r","result":"flaky","exit":7,"events":19,"#
        + #""scenarios":{"passed":1,"flaky":2,"failed":3,"error":4,"skipped":5}"#
    ),
    (
      .diagnostic,
      #""severity":"warning","code":"R704","message":"no proof",\#(place),"label":"here","#
        + #""related":[{\#(place),"label":"there"}],"notes":["n"],"help":["h","i"],"auth":"no-proof""#
    ),
    (.diagnostic, #""severity":"note","code":"R706","message":"by name only""#),
    (.plan, #""steps":4,"deadline":120,"finallyDeadline":30.5"#),
    (
      .deviceFound,
      #""name":"QA","id":"8e2d","model":"Chromecast","ip":"192.0.2.14","port":8009,"via":"mdns""#
    ),
    (.deviceFound, #""name":"QA","ip":"192.0.2.14","port":8009,"via":"host""#),
    (.deviceConnected, #""tls":"TLSv1.2","auth":"verified","firmware":"1.68","latencyMs":11"#),
    (.deviceConnected, #""latencyMs":0"#),
    (.deviceSoftware, #""firmware":"1.56.500000","build":"333333""#),
    (.deviceSoftware, #""build":"333333""#),
    // Words of a newer version.
    (.deviceFound, #""name":"QA","ip":"192.0.2.14","port":8009,"via":"satellite""#),
    (.deviceConnected, #""auth":"quantum""#),
    (.deviceLost, #""reason":"the connection broke""#),
    (.deviceBack, #""after":1.774"#),
    (
      .scenarioStarted,
      #""row":{"lang":"no","n":2},"attempt":2,"choice":"Bar 2","devices":3,"roles":{"left":"bar-left","right":"bar-right"}"#
    ),
    (
      .scenarioFinished,
      #""result":"error",\#(counts),"ignored":1,"duration":37.45,"firstFailure":"s9","cleanup":"failed","#
        + #""error":\#(failure)"#
    ),
    (.scenarioFinished, #""result":"passed",\#(counts),"duration":0"#),
    (
      .scenarioFinished,
      #""result":"passed",\#(counts),"duration":0,"rules":[{"name":"no stall","device":"left","#
        + #""margins":[{"field":"for","left":1.2,"of":5}]}]"#
    ),
    (
      .stepStarted,
      #""verb":"expect","name":"n","section":"on_failure","parent":"s3","pass":2,\#(start),"deadline":37.2"#
    ),
    (.stepStarted, #""verb":"expect","name":"n",\#(start)"#),
    (
      .stepFinished,
      #""result":"error","reason":"r","parent":"s3","pass":2,"attempts":3,"duration":1.899,"saved":{"a":[1]},"#
        + #""ignored":true,"stoppedBy":"monitor""#
    ),
    (
      .stepFinished,
      #""result":"not_run","reason":"r","verb":"log","name":"n","section":"finally","parent":"s3",\#(start)"#
    ),
    (.attemptFailed, #""attempt":1,"error":\#(failure),"nextTryIn":2.898"#),
    (.attemptFailed, #""attempt":1,"error":{"class":"timeout","message":"m"}"#),
    (
      .request,
      #""attempt":1,"id":72165817,"ns":"receiver","msg":{"type":"GET_STATUS"},"from":"sender-0","to":"receiver-0""#
    ),
    (.request, #""attempt":1,"ns":"urn:x-cast:a","msg":"text""#),
    (.reply, #""attempt":2,"id":"7","ns":"media","msg":{"bytes":12},"from":"web-1","to":"*""#),
    (
      .requestFinished,
      #""attempt":1,"id":7,"ns":"media","name":"LOAD","outcome":"failed","duration":0.12,"error":\#(failure)"#
    ),
    (
      .messages,
      #""messages":[{"e":1.5,"sent":true,"id":7,"ns":"media","msg":{"type":"STOP"},"from":"sender-0","to":"web-1"},"#
        + #"{"e":2,"sent":false,"ns":"receiver","msg":"text"}],"passedOver":3"#
    ),
    (
      .status,
      #""source":"polled","scope":"media","session":1,"set":{"player":"playing","position":12.1},"unset":["break"],"#
        + #""others":["paused by another"]"#
    ),
    (.status, #""source":"push","scope":"receiver","set":{},"unset":[]"#),
    (.expectPassed, #"\#(judged),"mismatches":[],"skew":0.25,"estimated":false,"because":null"#),
    (
      .expectPassed,
      #"\#(judged),"mismatches":[],"estimated":false,"margins":[{"field":"position","left":0.25,"of":1},"#
        + #"{"field":"volume.level","left":0.5}],"waitedFor":["position"],"because":null"#
    ),
    (.expectPassed, #"\#(judged),"mismatches":[],"messages":3,"estimated":false,"because":"why""#),
    (
      .expectFailed,
      #"\#(judged),"nearest":{"e":31.31,"position":12.1},"mismatches":["position"],"statuses":9,"estimated":true,"#
        + #""polled":true,"inconclusive":true,"remark":"r","because":"why""#
    ),
    (
      .monitorFailed,
      #""name":"no pause","want":{"never":{"player":"paused"}},"got":{"player":"paused"},"since":3.5,\#(place),"#
        + #""remark":"r","ignored":true"#
    ),
    (.mark, #""text":"here""#),
    (.log, #""text":"\u001b[2J""#),
    (.finallyStarted, #""steps":2"#),
    (.finallyFinished, #""result":"passed","steps":2"#),
    (.page, #""receiver":"TV","kind":"exception","level":"error","text":"boom","url":"http://localhost/","line":3"#),
    (.page, #""receiver":"TV","kind":"console","level":"info","text":"hello""#),
    (.screenshot, #""receiver":"TV","path":"screenshots/s1.png""#),
    (.fault, #""receiver":"TV","number":1,"fault":"{ at: load, duplicate: true }","count":1"#),
  ]

  /// The line of an event of this type.
  static func line(_ type: EventType, _ members: String) -> String {
    #"{"v":1,"n":7,"t":"2026-11-21T09:00:02.400Z","e":2.4,"type":"\#(type.rawValue)","doc":"ads","dev":"tv","#
      + #""step":"s1",\#(members)}"#
  }
}
