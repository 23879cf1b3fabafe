import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// The page about a run, from its events alone (docs/runs.md "HTML").
@Suite struct HTMLReportTests {
  private static let sources = ["qa/ads.yaml": RunScene.source]

  private static func page(_ events: [Event], ends: Bool = true, sources: [String: String] = sources) -> String {
    let written = WrittenText()
    let report = ReportKind.html.make(ReportSources(sources)) { written.write($0) }
    for event in events { report.record(event) }
    if ends { report.endOfStream() }
    return written.text
  }

  private static func page(_ lines: [String]) throws -> String { page(try RunScene.events(lines)) }

  @Test("Every page is whole, has one script, and leads nowhere", arguments: RunScene.all)
  func whole(name: String, lines: [String]) throws {
    try PageRules.check(Self.page(lines))
    // Wherever it is cut, too.
    for count in 1..<lines.count { try PageRules.check(Self.page(Array(lines.prefix(count)))) }
  }

  @Test("The policy of a page lets its style and its script through, and nothing else")
  func policy() throws {
    #expect(PageHash.of(PageAssets.style) == PageAssets.styleHash)
    #expect(PageHash.of(PageAssets.script) == PageAssets.scriptHash)
    let page = try Self.page(RunScene.flow)
    #expect(
      page.contains("<style>\(PageAssets.style)</style>") && page.contains("<script>\(PageAssets.script)</script>"))
    #expect(page.contains("content=\"default-src 'none'; script-src '\(PageAssets.scriptHash)'; style-src "))
    // It would end the element that holds it.
    #expect(!PageAssets.script.contains("</") && !PageAssets.style.contains("</"))
    for word in ["fetch(", "XMLHttpRequest", "innerHTML", "insertAdjacentHTML", "eval(", "document.write", "import("] {
      #expect(!PageAssets.script.contains(word))
    }
  }

  @Test("Made while the run goes on it is the one that is made from the stored events")
  func stored() throws {
    #expect(Self.page(try SampleRun.stored()) == Self.page(SampleRun.events))
    for (_, lines) in RunScene.all {
      let events = try RunScene.events(lines)
      let stored = try events.compactMap { EventRecord(json: try JSONValue(parsing: EventRecord($0).jsonLine))?.event }
      #expect(Self.page(stored) == Self.page(events))
    }
  }

  @Test("The header has the verdict, counts, exit code, run, seed, documents with their hashes, and devices")
  func header() {
    let page = Self.page(SampleRun.events)
    for part in [
      "<h1>qa/ads.yaml: failed</h1>", "<span class=\"badge\">failed</span> qa/ads.yaml", "<dd>1 failed</dd>",
      "<dd>1 flaky, 1 failed, 2 not run</dd>", "<dd>38.0s</dd>",
      "<dd>1: An expectation failed, or a check found something wrong.</dd>", "<dd>01JD6Y3ZT8Q4W9N2K5R7M1XGBC</dd>",
      "<dt>seed</dt><dd>7</dd>", "<code class=\"hash\">9f2c41</code>",
      "<th scope=\"row\">QA Chromecast</th><td><code>qa-chromecast</code></td><td>Chromecast</td><td>1.68.412</td>"
        + "<td><code>192.0.2.14</code></td><td>TLSv1.2, auth verified</td>", "<dt>computer</dt><dd>ci-12</dd>",
      "<dd>showcaller run qa/ads.yaml</dd>",
    ] { #expect(page.contains(part), "\(part)") }
    #expect(!page.contains("class=\"notice\""))
  }

  @Test(
    "A failed step is open, with its line, what was expected, observed and nearest, statuses, and how to run it again")
  func failedStep() throws {
    let page = Self.page(SampleRun.events, sources: ["qa/ads.yaml": SampleRun.source])
    let start = try #require(page.firstRange(of: "<details class=\"item r-failed\" open>")?.lowerBound)
    let end = try #require(page[start...].firstRange(of: "<details class=\"item r-not_run\">")?.lowerBound)
    let step = page[start..<end]
    for part in [
      "<code>s9</code>", "12.0s of at most 12.0s", "<code>qa/ads.yaml:65:28</code>",
      "<mark>position: { about: 10s, tolerance: 1s }</mark> }</li>",
      "<tr class=\"off\"><th scope=\"row\">✗ position</th><td>10.0s ± 1s</td><td>18.0s</td><td>12.1s</td></tr>",
      "<tr><th scope=\"row\">break</th><td>none</td><td>none</td>", "nearest at +31.3s",
      "<b>+31.31s</b> <i>player playing</i> <i>position 12.1s</i>", "<b>+36.10s</b> <i>position 16.9s</i>",
      "run it again: <code>showcaller run qa/ads.yaml --seed 7</code>",
    ] { #expect(step.contains(part), "\(part)") }
    // The one that passed at its second try is closed, and tells of the first.
    #expect(page.contains("<details class=\"item r-flaky\"><summary><b class=\"sign\">~</b> <code>s1</code>"))
    #expect(page.contains("<span class=\"name\">launch A1B2C3D4</span> <span class=\"who\">expect</span> "))
    #expect(page.contains("<code>launch_cancelled</code> LAUNCH_ERROR CANCELLED, tried again after 1.0s"))
    #expect(page.contains("not run</span>") && page.contains("<span class=\"why\">s9 failed</span>"))
  }

  @Test("Of very many failed tries of a step the last 16 are told, and how many are not")
  func manyTries() throws {
    let tries = (1...20).map {
      #"\#(1 + $0) attempt.failed s1 {"attempt":\#($0),"error":{"class":"timeout","message":"no answer"}}"#
    }
    let page = try Self.page(
      Array(RunScene.flow.prefix(4)) + [RunScene.step(1, "s1", "load", "load film", line: 3)] + tries + [
        #"22 step.finished s1 {"result":"error","reason":"no answer","attempts":20,"duration":21}"#
      ])
    #expect(page.contains("20 tries failed") && page.contains("The first 4 are not on this page."))
    #expect(page.contains("<li value=\"5\">") && !page.contains("<li value=\"4\">"))
    let few = try Self.page(RunScene.flow)
    #expect(few.contains("2 tries failed") && !few.contains("are not on this page."))
  }

  @Test("What failed in a group is told in it, with its pass; what was skipped says why")
  func inner() throws {
    let page = try Self.page(RunScene.nested)
    let outer = try #require(page.firstRange(of: "<code>s1</code>"))
    let inner = try #require(page.firstRange(of: "<code>s1.1</code>"))
    #expect(outer.lowerBound < inner.lowerBound)
    #expect(
      page.contains("failed, pass 2</span>") && page.contains("<dt>because</dt><dd>films go on by themselves</dd>"))
    #expect(page.contains("the status was polled") && page.contains("2 steps ran in it, 1 passed."))
    // Only of a step that holds others.
    #expect(!page.contains("0 steps ran in it"))
    #expect(try Self.page(RunScene.flow).contains("<span class=\"why\">if: lang is `en`</span>"))
    #expect(try Self.page(RunScene.flow).contains("error (ignored)"))
  }

  @Test("Broken monitors are told with what they wanted, diagnostics with their help, unfinished runs as such")
  func besides() throws {
    let monitors = try Self.page(RunScene.monitors)
    #expect(monitors.contains("<span class=\"name\">no pause</span> <span class=\"word\">monitor broken</span>"))
    #expect(monitors.contains("<dd>never (player paused)</dd>") && monitors.contains("monitor broken (ignored)"))
    let rules = #","rules":[{"name":"no stall","margins":[{"field":"for","left":1.2,"of":5}]}]}"#
    let held = try Self.page(
      RunScene.flow.map { $0.contains("scenario.finished") ? String($0.dropLast()) + rules : $0 })
    #expect(held.contains("<li><b>no stall</b> for 3.8s of 5s in a row</li>"))
    let none = try Self.page(RunScene.noDevice)
    #expect(
      none.contains("<code>R701</code> no device called `TV`") && none.contains("look with `showcaller discover`"))
    let cut = try Self.page(Array(RunScene.flow.prefix(5)))
    #expect(cut.contains("<h1>qa/ads.yaml: unfinished</h1>") && cut.contains("<b>the run did not finish</b>"))
    #expect(cut.contains("<details class=\"item r-unfinished\" open>"))
    #expect(cut.contains("the run ended while it ran, started at +1.0s"))
  }

  @Test("The last messages before a failure are told with it, what the page of a receiver told, and its picture")
  func evidence() throws {
    let messages = (1...20).map { #"1.\#(10 + $0) reply s1 {"attempt":1,"ns":"media","msg":{"type":"M\#($0)"}}"# }
    let lines =
      RunScene.flow.prefix(5) + messages + [
        #"1.5 page s1 {"receiver":"tv","kind":"exception","level":"error","text":"boom <b>","url":"http://x/a.js","line":3}"#,
        #"1.6 screenshot s1 {"receiver":"tv","path":"screenshots/s1.png"}"#,
        #"1.7 screenshot s1 {"receiver":"tv","path":"https://evil.example/x.png"}"#,
        #"1.8 step.finished s1 {"result":"error","reason":"no","attempts":1,"duration":0.8}"#,
      ]
    let page = try Self.page(Array(lines))
    try PageRules.check(page)
    #expect(page.contains("the last 8 messages before it failed"))
    #expect(page.contains("{&quot;type&quot;:&quot;M13&quot;}") && !page.contains("{&quot;type&quot;:&quot;M12&quot;}"))
    #expect(page.contains("exception: boom &lt;b&gt; (http://x/a.js:3)"))
    #expect(page.contains("<code>screenshots/s1.png</code> in the run's folder; it was"))
    #expect(!page.contains("\"https://evil") && page.contains("<code>https://evil.example/x.png</code>"))
  }

  @Test("What was kept of the messages is told with the failure it came before, without --wire")
  func keptMessages() throws {
    let kept = (1...9).map { #"{"e":1.\#(10 + $0),"sent":true,"id":\#($0),"ns":"media","msg":{"type":"K\#($0)"}}"# }
    let lines =
      RunScene.flow.prefix(5) + [
        #"1.7 messages s1 {"messages":[\#(kept.joined(separator: ","))]}"#,
        #"1.8 step.finished s1 {"result":"error","reason":"no","attempts":1,"duration":0.8}"#,
      ]
    let page = try Self.page(Array(lines))
    try PageRules.check(page)
    #expect(page.contains("the last 8 messages before it failed"))
    #expect(
      page.contains("<b>+1.190s</b> → <code>media #9</code>"))
    #expect(!page.contains("{&quot;type&quot;:&quot;K1&quot;}"))
    #expect(page.contains("--wire records all; the last ones before a failure are told with it"))
  }

  @Test("A failure for which there is no room for messages is counted once, however many events tell of it")
  func countedOnce() throws {
    let failures = (1...RunTranscript.failureWithMessagesLimit + 1).flatMap { number in
      [
        RunScene.step(Double(number), "s\(number)", "expect", "expect player", line: 3),
        #"\#(number).1 expect.failed s\#(number) {"want":{},"got":{},"mismatches":[],"estimated":false,"because":null}"#,
        #"\#(number).2 messages s\#(number) {"messages":[{"e":\#(number),"ns":"media","msg":{"type":"M"}}]}"#,
        #"\#(number).3 step.finished s\#(number) {"result":"failed","attempts":1,"duration":0.3}"#,
      ]
    }
    let page = try Self.page(Array(RunScene.flow.prefix(4)) + failures)
    #expect(page.contains("are told with it, but not of 1 failure, for which there was no room"))
  }

  @Test("Messages are told with the innermost step that failed, and anew with each failure")
  func innermost() throws {
    func reply(_ time: Double, _ name: String) -> String {
      #"\#(time) reply s1 {"attempt":1,"ns":"media","msg":{"type":"\#(name)"}}"#
    }
    let events = try RunScene.events(
      RunScene.nested.prefix(10) + [reply(2.8, "ONE")] + RunScene.nested.dropFirst(10).prefix(3) + [
        RunScene.step(3.3, "s2", "pause", "pause", line: 5),
        #"3.4 step.finished s2 {"result":"error","reason":"no","attempts":1,"duration":0.1}"#,
      ])
    let page = Self.page(events)
    #expect(page.ranges(of: "&quot;ONE&quot;").count == 2, "in s1.1 and in s2, and not in s1, which holds s1.1")
    #expect(page.ranges(of: "the last message before it failed").count == 2)
  }

  static let paths: [(path: String, isInFolder: Bool)] = [
    ("screenshots/s1.png", true), ("a-b_2.png", true), ("../x.png", false), ("/etc/x.png", false),
    ("a/../../x.png", false),
    ("http:x.png", false), ("javascript:1.png", false), ("a b.png", false), ("x.svg", false),
    ("\\\\host\\x.png", false),
  ]
  @Test("Only pictures in the folder of the run are shown", arguments: paths)
  func pictures(path: String, isInFolder: Bool) { #expect(StepMarkup.isInRunFolder(path) == isInFolder) }

  @Test("Whatever names, values and messages are called, they are text on the page")
  func hostile() throws {
    let evil = #"</script><svg onload=alert(1)>"'&amp;"# + "\u{202E}\u{0}"
    func spoiled(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string(let text): .string(text + evil)
      case .array(let items): .array(items.map(spoiled))
      case .object(let object): .object(JSONObject(object.members.map { .init($0.name, spoiled($0.value)) }))
      default: value
      }
    }
    // Words of closed lists stay, for an event with another is read as if it had none.
    let words = ["result", "severity", "source", "scope", "level", "section", "via", "class", "stoppedBy", "outcome"]
    for (type, members) in Samples.all {
      let object = try #require(JSONValue(parsing: "{\(members)}").object)
      let fields = JSONObject(
        object.members.map { .init($0.name, words.contains($0.name) ? $0.value : spoiled($0.value)) })
      var events = try RunScene.events(Array(RunScene.flow.prefix(5)))
      events.append(
        Event(
          number: 9, wallTime: 0, elapsed: 2, type: type, document: evil, device: "tv", step: "s1" + evil,
          fields: fields))
      for event in try RunScene.events(Array(RunScene.flow.dropFirst(5))) { events.append(event) }
      for index in events.indices where events[index].device != nil { events[index].device = "tv" + evil }
      let page = Self.page(events, sources: ["qa/ads.yaml": RunScene.source, "qa/ads.yaml" + evil: evil])
      try PageRules.check(page)
      #expect(!page.contains("<svg onload") && !page.contains("\u{202E}") && !page.contains("\u{0}"), "\(type)")
    }
  }

  @Test("Ten minutes of a run with a status each 250 ms are less than 2 MB, with messages, failures and two devices")
  func size() throws {
    var events = try RunScene.events(Array(RunScene.choices.prefix(7)))
    let content = String(repeating: "https://cdn.example.com/", count: 8)
    for index in 0..<2_400 {
      for device in ["tv", "hub"] {
        let time = 1 + Double(index) / 4
        let more: [(EventType, JSONObject)] = [
          (.reply, ["attempt": 1, "ns": "media", "msg": ["type": "MEDIA_STATUS", "contentId": .string(content)]]),
          (
            .status,
            [
              "source": "push", "scope": "media", "unset": [],
              "set": [
                "position": .int(index), "player": index.isMultiple(of: 2) ? "playing" : "buffering",
                "content": .string(content),
                "break": ["id": .string("b\(index % 9)"), "clip_time": .int(index)],
              ],
            ]
          ),
        ]
        for (type, fields) in more {
          events.append(
            Event(
              number: 0, wallTime: 0, elapsed: time, type: type, document: "ads", device: device, fields: fields))
        }
        guard index.isMultiple(of: 10) else { continue }
        for line in [
          RunScene.step(time, "s\(index)", "expect", "expect player", line: 3),
          #"\#(time) expect.failed s\#(index) {"want":{"player":"paused"},"got":{"player":"playing"},"mismatches":["player"]}"#,
          #"\#(time) step.finished s\#(index) {"result":"failed","attempts":1,"duration":0.2}"#,
        ] {
          var event = try #require(RunScene.events([line]).first)
          event.device = device
          events.append(event)
        }
      }
    }
    let page = Self.page(events)
    try PageRules.check(page)
    #expect(page.utf8.count < 2_000_000, "\(page.utf8.count)")
    // What is not there is counted.
    #expect(page.contains("told in") && page.contains("are drawn as") && page.contains("for which there was no room"))
  }

  @Test(
    "However many devices, scenarios, steps and problems a stream has, its page is bounded and says what it leaves out")
  func flood() throws {
    func page(_ count: Int, _ lines: (Int) -> [String]) throws -> String {
      let page = try Self.page(Array(RunScene.flow.prefix(4)) + (0..<count).flatMap(lines))
      try PageRules.check(page)
      #expect(page.utf8.count < 5_000_000, "\(page.utf8.count)")
      return page
    }
    let status =
      #"{"source":"push","scope":"media","set":{"player":"playing","title":"\#(String(repeating: "t", count: 300))"},"unset":[]}"#
    let devices = try page(2_000) { ["\(1 + $0) status @d\($0) \(status)"] }
    #expect(devices.contains("more than 200 devices: the others are not drawn"))
    let scenarios = try page(1_000) {
      [
        #"\#(2 + $0) scenario.started {"row":{"n":\#($0)},"attempt":1}"#, "\(2 + $0) status \(status)",
        RunScene.finished(Double(2 + $0), .passed, #""passed":0"#, duration: 0),
      ]
    }
    #expect(scenarios.contains(">701 more scenarios are not told one by one."))
    let steps = try page(1_500) { number in
      [
        RunScene.step(1 + Double(number), "s\(number)", "wait", "wait \(String(repeating: "w", count: 400))", line: 3),
        #"\#(1 + number) step.finished s\#(number) {"result":"\#(number.isMultiple(of: 2) ? "passed" : "error")","attempts":1,"duration":0}"#,
      ]
    }
    #expect(
      steps.contains("steps that did not fail are not on this page.") && steps.contains("failures are not on this page")
    )
    let problems = try page(2_000) { _ in [#"1 diagnostic {"severity":"note","code":"R706","message":"m"}"#] }
    #expect(problems.contains("1900 more are not on this page."))
  }

  @Test("Secrets that were taken out are listed by their names, with how often")
  func redactions() throws {
    let page = try Self.page(
      Array(RunScene.flow.prefix(4)) + [#"1 log s1 {"text":"‹secret.token› and ‹secret.key› and ‹secret.token›"}"#])
    #expect(page.contains("2 secrets taken out in 3 places of this page"))
    #expect(page.contains("<li><code>token</code>: 2</li>") && page.contains("<li><code>key</code>: 1</li>"))
    #expect(try Self.page(RunScene.flow).contains("No secret was taken out"))
  }

  @Test("A page of several documents has a part for each, one list of all, and what was not run")
  func series() throws {
    let written = WrittenText()
    let series = ReportKind.html.makeForSeveral { written.write($0) }
    for (run, lines) in [("r1", RunScene.nested), ("r2", RunScene.matrix)] {
      let part = series.begin(run: run, sources: ReportSources(Self.sources))
      for event in try RunScene.events(lines) { part.record(event) }
      #expect(part.writeError == nil)
    }
    series.record(.notBegun("b<.yaml", because: "interrupted", at: 1))
    #expect(written.text.isEmpty)
    series.finish(
      SeriesVerdict([.init("a", .ran(.failed)), .init("b<.yaml", .notRun)], seconds: 14, exitCode: 1))
    let page = written.text
    try PageRules.check(page)
    #expect(
      page.contains("<article class=\"run\" id=\"run1\">") && page.contains("<article class=\"run\" id=\"run2\">"))
    #expect(page.contains("FAILED 1 of 2 documents: a; not run: b&lt;.yaml in 14.0s · exit 1"))
    #expect(page.contains("<a href=\"#run2\">qa/ads.yaml</a>") && page.contains("<b>not run: interrupted</b>"))
    // Each row of a matrix, and each try, has a section of its own.
    #expect(page.ranges(of: "<section class=\"timeline\"").count == 4)
    #expect(page.contains("lang=no speed=2, try 2"))
    let ids = page.matches(of: #/ id="([^"]*)"/#).map { String($0.output.1) }
    #expect(ids.count == Set(ids).count)
  }

  @Test("It is written once, and what cannot be written is remembered")
  func once() throws {
    struct Full: Error {}
    let written = WrittenText()
    let report = ReportKind.html.make([:]) { text in
      written.write(text)
      throw Full()
    }
    let events = try RunScene.events(RunScene.flow)
    for event in events { report.record(event) }
    let text = written.text
    for event in events { report.record(event) }
    report.endOfStream()
    #expect(!text.isEmpty && written.text == text && report.writeError is Full)
  }

  @Test("The notice in place of a page says why there is none")
  func notice() throws {
    let notice = RunNotice(
      of: "a&b.yaml", .notRun, "the document is invalid", detail: "error[K101]: <x>\n  --> a", at: 0)
    let text = try #require(ReportKind.html.notice?(notice))
    try PageRules.check(text)
    #expect(text.contains("<b>the document is invalid</b><pre>error[K101]: &lt;x&gt;\n  --&gt; a</pre>"))
    #expect(text.contains("<h1>a&amp;b.yaml: not run</h1>"))
  }
}
