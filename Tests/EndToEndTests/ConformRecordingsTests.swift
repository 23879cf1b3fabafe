import CastProtocol
import Conformance
import Foundation
import TestSupport
import Testing

/// The first result of `conform`: our virtual receiver beside what real devices sent in published recordings.
@Suite(.enabled(if: Reference.has("recordings"))) struct ConformRecordingsTests {
  /// What a recording says of a check: a fact, and whether a value of it passes; `nil` where it is not about the check.
  struct Answer: Sendable {
    var check: String
    var fact: WireFact
    var passes: @Sendable (String) -> Bool?

    init(_ check: String, _ fact: WireFact, _ passes: @escaping @Sendable (String) -> Bool? = { _ in true }) {
      (self.check, self.fact, self.passes) = (check, fact, passes)
    }
  }

  private static func only(_ value: String) -> @Sendable (String) -> Bool? { { $0 == value ? true : nil } }

  static let answers: [Answer] = [
    Answer("receiver.status", .volumeControl) { ["attenuation", "master", "fixed"].contains($0) },
    Answer("receiver.status", .volumeStep) { (Double($0) ?? 0) > 0 },
    Answer("receiver.status", .statusMembers) { $0.isEmpty ? nil : $0.contains("volume") },
    Answer("receiver.launch", .launchAnswer) { $0.contains("RECEIVER_STATUS") ? $0.contains("with the id") : nil },
    Answer("receiver.launch", .appMembers) { $0.contains("sessionId") && $0.contains("transportId") },
    Answer("receiver.launch", .appNamespaces) { $0.components(separatedBy: ", ").contains("media") },
    Answer("receiver.launch-unknown", .launchError, only("LAUNCH_ERROR NOT_FOUND")),
    Answer("receiver.unknown-request", .receiverRefusal, only("INVALID_REQUEST INVALID_COMMAND")),
    Answer("media.load", .loadAnswer),
    Answer("media.load", .mediaCommands) { (Int($0) ?? 0) & 1 == 1 },
    Answer("media.load", .playingMembers) { $0.contains("currentTime") && $0.contains("media") },
    Answer("media.load-failed", .loadFailure),
    Answer("media.pause", .pausedRate) { $0 == "1" },
    Answer("media.seek-past-end", .idleReason, only("FINISHED")),
    Answer("media.stop", .idleReason, only("CANCELLED")),
    Answer("media.load-again", .idleReason, only("INTERRUPTED")),
    Answer("media.unknown-request", .mediaRefusal, only("INVALID_REQUEST INVALID_COMMAND")),
    Answer("media.wrong-session", .mediaRefusal, only("INVALID_REQUEST INVALID_MEDIA_SESSION_ID")),
  ]

  /// The messages of each publication: what devices sent, and what they answered to.
  private static func publications() throws -> [(source: String, messages: [ObservedMessage])] {
    var order: [String] = []
    var messages: [String: [ObservedMessage]] = [:]
    for file in try Reference.files(in: "recordings") where file.hasSuffix(".json") {
      if ["synthetic-from-docs.json", "chromium-openscreen-test-shapes.json"].contains(file) { continue }
      for json in try JSONValue(parsing: try Reference.bytes("recordings/\(file)"), limits: .init(length: 1 << 22))
        .array ?? []
      {
        // What was filled in by hand is no evidence.
        guard json["reconstructed"] != true, let direction = json["direction"]?.string, direction != "platform",
          let namespace = json["namespace"]?.string, namespace.hasPrefix("urn:x-cast:"), let payload = json["payload"]
        else { continue }
        let source = "\(file) \(json["source"]?.string ?? "")"
        if messages[source] == nil { order.append(source) }
        messages[source, default: []].append(
          ObservedMessage(isSent: direction == "out", namespace: namespace, json: payload))
      }
    }
    return order.map { ($0, messages[$0] ?? []) }
  }

  /// A row of the page: what was recorded, by value with the number of publications, and what ours does.
  struct Row: Hashable {
    var check: String
    var fact: String
    var recorded: String
    var result: String
    var ours: String
    var isSame: Bool
  }

  private static func rows(ours device: JSONValue) throws -> [Row] {
    let publications = try publications()
    let results = device["checks"]?.array ?? []
    return answers.compactMap { answer in
      var counts: [String: Int] = [:]
      var passes = true
      for (_, messages) in publications {
        // One publication may hold several devices' messages: each is looked at, and all together for what is a sequence.
        var values = Set(messages.compactMap { answer.fact.value(in: [$0]) })
        if let value = answer.fact.value(in: messages) { values.insert(value) }
        for value in values {
          guard let isPassed = answer.passes(value) else { continue }
          counts[value, default: 0] += 1
          passes = passes && isPassed
        }
      }
      guard !counts.isEmpty else { return nil }
      let ordered = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let result = results.first { $0["id"]?.string == answer.check }
      let own = result?["observed"]?[answer.fact.rawValue]?.string ?? ""
      return Row(
        check: answer.check, fact: answer.fact.rawValue,
        recorded: ordered.map { "\($0.key) (\($0.value))" }.joined(separator: "; "),
        result: passes ? "passed" : "failed", ours: own, isSame: counts[own] != nil)
    }
  }

  /// The rows of the page's table, with the reasons.
  private static func documented() throws -> [(row: Row, reason: String)] {
    let page = try String(
      contentsOf: Showcaller.root.appending(path: "docs/conformance.md"), encoding: .utf8)
    let table = page.components(separatedBy: "<!-- recorded -->").dropFirst().first ?? ""
    return try table.split(separator: "\n").dropFirst(2).map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 7 else { throw CocoaError(.fileReadCorruptFile) }
      let row = Row(
        check: cells[0], fact: cells[1], recorded: cells[2], result: cells[3], ours: cells[4], isSame: cells[5] == "yes"
      )
      return (row, cells[6])
    }
  }

  @Test(
    "What recordings of real devices answer is in the page as it is, beside our virtual receiver, with a reason for each difference"
  )
  func page() async throws {
    let folder = try TemporaryFolder()
    let finished = try await Showcaller.start(
      ["conform", "--virtual", "--speed", "20x", "--json", "-q"],
      environment: ["XDG_STATE_HOME": folder.path("state")], limit: 120
    ).finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let device = try #require(try JSONValue(parsing: finished.output)["devices"]?.array?.first)
    let rows = try Self.rows(ours: device)
    let documented = try Self.documented()
    let table = rows.map { row in
      let reason = documented.first { $0.row.check == row.check && $0.row.fact == row.fact }?.reason ?? ""
      return
        "| \(row.check) | \(row.fact) | \(row.recorded) | \(row.result) | \(row.ours) | \(row.isSame ? "yes" : "no") | \(reason) |"
    }
    #expect(documented.map(\.row) == rows, "docs/conformance.md should have:\n\(table.joined(separator: "\n"))")
    for (row, reason) in documented {
      #expect(
        row.isSame == reason.isEmpty, "\(row.check), \(row.fact): a difference needs a reason, and nothing else does")
    }
    // Nothing that was recorded fails a check that ours passes without the page saying so.
    let verdicts = device["checks"]?.array ?? []
    for row in rows {
      #expect(verdicts.first { $0["id"]?.string == row.check }?["result"] == "passed", "\(row.check)")
    }
  }

  @Test("How many checks the recordings answer is what the page says")
  func count() throws {
    let rows = try Self.documented().map(\.row)
    let page = try String(contentsOf: Showcaller.root.appending(path: "docs/conformance.md"), encoding: .utf8)
    let answered = Set(rows.map(\.check)).count
    let publications = try Self.publications()
    #expect(
      page.contains("\(answered) of the \(ConformanceCheck.all.count) checks"), "the recordings answer \(answered)")
    #expect(page.contains("\(publications.count) publications"), "there are \(publications.count)")
  }
}
