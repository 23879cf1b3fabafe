import FleetMessages
import Testing

@Suite struct TopicTests {
  private static func named(_ text: String) -> SiteName {
    guard let name = SiteName(text) else { preconditionFailure("\(text) is no name") }
    return name
  }

  private static let site = named("berlin-1")

  static let topics: [(FleetTopic, String)] = [
    (.availability(site), "showcaller/berlin-1/availability"),
    (.health(site), "showcaller/berlin-1/health"),
    (.screenState(site, screen: "window"), "showcaller/berlin-1/window/state"),
    (.screenEvent(site, screen: "window"), "showcaller/berlin-1/window/event"),
    (.screenSet(site, screen: "window"), "showcaller/berlin-1/window/set"),
    (.alert(site, playlist: "cafe", key: "ab12"), "showcaller/berlin-1/alert/cafe/ab12"),
    (.documentPut(site, id: "cafe"), "showcaller/berlin-1/document/cafe/put"),
    (.documentPrevious(site, id: "cafe"), "showcaller/berlin-1/document/cafe/previous"),
    (.documentReport(site, id: "cafe"), "showcaller/berlin-1/document/cafe/report"),
    (
      .ledger(site, playlist: "cafe", file: "plays-2026-11.jsonl"),
      "showcaller/berlin-1/ledger/cafe/plays-2026-11.jsonl"
    ),
    (.orderPut(site, id: "7"), "showcaller/berlin-1/order/7/put"),
    (.orderReport(site, id: "7"), "showcaller/berlin-1/order/7/report"),
  ]

  @Test("Each topic of a site is written as docs/fleet.md has it, and read as what it is", arguments: topics)
  func topic(topic: FleetTopic, text: String) {
    #expect(topic.text == text)
    #expect(FleetTopic(text) == topic)
    #expect(topic.site == Self.site)
  }

  @Test(
    "A screen whose name is a word of ours is still a screen: topics of screens have four levels, and no others do",
    arguments: ["availability", "health", "alert", "document", "order", "ledger", "state"])
  func screensNamedAsTopics(name: String) {
    #expect(FleetTopic("showcaller/a/\(name)/state") == .screenState(Self.named("a"), screen: name))
  }

  @Test(
    "What is no topic of ours is none",
    arguments: [
      "", "showcaller", "showcaller/a", "showcaller/a/other", "other/a/health", "showcaller//health",
      "showcaller/a b/health", "showcaller/a/x/y/z/state", "showcaller/a/+/state", "showcaller/a/#",
      "showcaller/a/document/cafe/other", "showcaller/a//state",
    ])
  func noTopic(text: String) { #expect(FleetTopic(text) == nil) }

  static let jobs: [(JobTopic, String)] = [
    (.offer(queue: site, kind: "any"), "showcaller-jobs/berlin-1/offer/any"),
    (.lease(queue: site, job: "j1"), "showcaller-jobs/berlin-1/job/j1/lease"),
    (.answer(queue: site, job: "j1"), "showcaller-jobs/berlin-1/job/j1/answer"),
    (.result(queue: site, job: "j1"), "showcaller-jobs/berlin-1/job/j1/result"),
    (.cancel(queue: site, job: "j1"), "showcaller-jobs/berlin-1/job/j1/cancel"),
    (.agent(queue: site, agent: Self.named("lab-2")), "showcaller-jobs/berlin-1/agent/lab-2"),
  ]

  @Test("Each topic of a queue is written as docs/fleet.md has it, and read as what it is", arguments: jobs)
  func jobTopic(topic: JobTopic, text: String) {
    #expect(topic.text == text)
    #expect(JobTopic(text) == topic)
    #expect(topic.queue == Self.site)
  }

  @Test(
    "Names of people become one level that no wildcard and no slash can break",
    arguments: [
      ("window", "window"), ("Bar länge", "Bar%20l%C3%A4nge"), ("a/b", "a%2Fb"), ("+", "%2B"), ("#", "%23"),
      ("", "%"), ("100%", "100%25"), ("\u{1}", "%01"),
    ])
  func levels(name: String, level: String) { #expect(TopicLevel.of(name) == level) }

  @Test("Long names are cut, and told apart all the same")
  func longNames() {
    let (first, second) = (String(repeating: "ä", count: 200) + "1", String(repeating: "ä", count: 200) + "2")
    #expect(TopicLevel.of(first) != TopicLevel.of(second))
    #expect(TopicLevel.of(first).utf8.count <= 120)
  }

  @Test(
    "A glob stands for the sites that it fits",
    arguments: [
      ("*", "berlin-1", true), ("berlin-*", "berlin-1", true), ("berlin-*", "bern-1", false),
      ("b*n-?", "berlin-1", true),
      ("berlin-1", "berlin-1", true), ("berlin", "berlin-1", false), ("*-1", "berlin-1", true),
      ("*-2", "berlin-1", false),
      ("?", "a", true), ("?", "ab", false), ("*a*b*", "xaxxbx", true), ("a*b*c", "abbbbbbc", true),
      ("a**c", "ac", true),
    ])
  func globs(glob: String, name: String, fits: Bool) {
    #expect(SiteGlob(glob)?.matches(Self.named(name)) == fits)
  }

  @Test("A glob of stars takes no longer than its length allows")
  func hostileGlob() {
    let glob = SiteGlob(String(repeating: "*a", count: 31))
    #expect(glob?.matches(Self.named(String(repeating: "a", count: 62) + "b")) == false)
  }

  @Test(
    "A site's name has plain characters only",
    arguments: [("", false), ("a", true), ("a/b", false), ("a b", false), ("ä", false), ("A_b.c-9", true)])
  func siteNames(text: String, isName: Bool) {
    #expect((SiteName(text) != nil) == isName)
    #expect(SiteName(String(repeating: "a", count: 64)) == nil)
  }
}
