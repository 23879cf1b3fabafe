import CastTransport
import FleetJobs
import FleetMessages
import Testing

/// What senders and agents say to each other (docs/security.md F2, F7).
@Suite struct JobMessageTests {
  private static let topic = "showcaller-jobs/lab/offer/any"

  static func offer(_ id: String = "j1", attempt: Int = 1, kind: String = "any") -> JobOffer {
    let files = [FleetDocument.File(name: "cafe/show.yaml", text: "scenario: Show\n")]
    return JobOffer(id: id, kind: kind, files: files, limit: 600).offered(attempt, at: 1000)
  }

  private func read(_ offer: JobOffer) throws -> JobOffer {
    let key = try #require(SigningKey())
    let body = try #require(offer.body)
    let payload = try #require(SignedEnvelope.sealed(body, for: Self.topic, by: key))
    let envelope = try SignedEnvelope(payload, on: Self.topic, by: [#require(key.publicKey)])
    return try JobOffer(signed: envelope)
  }

  @Test("An offer comes out as it went in, whatever it carries")
  func roundTrip() throws {
    var offer = Self.offer()
    (offer.row, offer.settings) = (["volume=0.5", "name=Café =1"], ["speed=2"])
    (offer.speed, offer.seed, offer.startsPrograms, offer.sender) = (20, .max, true, "ci-7")
    offer.wish = .init(model: "Chromecast", name: "Küche", id: "ab12")
    #expect(try read(offer) == offer)
  }

  @Test(
    "What no sender of ours writes is refused, though an operator signed it",
    arguments: [
      { $0.id = "../up" }, { $0.id = "" }, { $0.id = "a/b" }, { $0.id = "-r" }, { $0.id = "+" }, { $0.attempt = 0 },
      { $0.attempt = .max }, { $0.limit = 0 }, { $0.limit = 86_401 }, { $0.issued = -1 }, { $0.expires = $0.issued },
      { $0.expires = $0.issued + 61 }, { $0.expires = .max }, { $0.files = [] },
      { $0.files[0].name = "../show.yaml" }, { $0.files[0].name = "/etc/show.yaml" }, { $0.files[0].name = "-x.yaml" },
      { $0.files.append($0.files[0]) }, { $0.row = ["--runs=x"] }, { $0.settings = ["novalue"] },
      { $0.settings = ["a=\u{0}"] }, { $0.settings = Array(repeating: "a=b", count: 201) }, { $0.speed = 0 },
      { $0.speed = 101 }, { $0.kind = String(repeating: "k", count: 501) },
    ] as [@Sendable (inout JobOffer) -> Void])
  func hostileOffers(_ change: @Sendable (inout JobOffer) -> Void) throws {
    var offer = Self.offer()
    change(&offer)
    #expect(throws: JobOffer.Problem.self) { try read(offer) }
  }

  @Test(
    "An offer is good for a minute, and clocks may differ by half a minute",
    arguments: [(969, false), (970, true), (1000, true), (1060, true), (1090, true), (1091, false)])
  func time(_ now: Int, _ isGood: Bool) {
    #expect((Self.offer().problem(at: Double(now)) == nil) == isGood)
  }

  @Test("A result is a line and the archive behind it")
  func result() throws {
    var summary = JobResult.Summary(agent: "a", device: "d", attempt: 3, exit: 1, seconds: 2.5)
    (summary.run, summary.note) = ("20261128-1", "two\nlines")
    let result = JobResult(summary, archive: [0x50, 0x4B, 0x0A, 0, 255])
    #expect(JobResult(payload: result.payload) == result)
    #expect(JobResult(payload: JobResult(summary).payload)?.archive == [])
  }

  @Test("An archive that is too large stays with the agent, and the result says so")
  func largeArchive() {
    let summary = JobResult.Summary(agent: "a", device: "d", attempt: 1, exit: 0, seconds: 1)
    let result = JobResult(summary, archive: [UInt8](repeating: 0, count: JobResult.archiveLimit + 1))
    #expect(result.archive.isEmpty)
    #expect(result.summary.note?.contains("15 MiB") == true)
    #expect(result.payload.count < 1000)
  }

  @Test(
    "A result that is none is passed over",
    arguments: [
      "", "\n", "{}\n", "[1]\n", #"{"agent":"a"}"#,
      #"{"agent":"a","device":"d","attempt":0,"exit":0,"seconds":1}"# + "\n",
      #"{"agent":"a","device":"d","attempt":1,"exit":256,"seconds":1}"# + "\n",
      #"{"agent":"a","device":"d","attempt":1,"exit":-1,"seconds":1}"# + "\n",
      #"{"agent":"a","device":"d","attempt":1,"exit":0,"seconds":-1}"# + "\n",
      #"{"agent":"a","device":"d","attempt":1,"exit":0,"seconds":1}"#,
    ])
  func hostileResults(_ text: String) { #expect(JobResult(payload: Array(text.utf8)) == nil) }

  @Test("Words of later versions are read as unknown ones")
  func laterWords() throws {
    let answer = try #require(
      JobAnswer(payload: Array(#"{"v":1,"agent":"a","attempt":1,"kind":"asleep","why":"","more":2}"#.utf8)))
    #expect(answer.kind == .unknown)
    let report =
      #"{"v":1,"agent":"a","version":"9","ending":false,"devices":[{"name":"d","kinds":["any"],"state":"x"}]}"#
    #expect(AgentReport(payload: Array(report.utf8))?.devices.first?.state == .unknown)
  }
}
