import ArgumentParser
import CastTransport
import FleetControl
import FleetMessages
import ScenarioLanguage
import Signage
import Workspace

/// `showcaller ledger verify`: finds the first line of a ledger that is not as it was written.
struct LedgerVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that no line of a ledger was changed, moved or taken out.",
    discussion: """
      Exits 0 where the ledger is intact, and 1 at the first line that is not. Lines that were cut off at the end cannot \
      be missed: compare the last hash with one that was written down elsewhere. With --key every file but the last has \
      to be signed with that key. With --fleet the end of every file but the last is compared with what the site told \
      the broker when the file was finished, so that a tail that is cut off is missed.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp("The public key of who signed the files, as `ledger key` prints it.", valueName: "file"),
    completion: .file(extensions: ["pem"]))
  var key: String?

  @Flag(help: "Compare the files with what their site told the broker.")
  var fleet = false

  @Option(help: ArgumentHelp("With --fleet: the site that the files are of.", valueName: "name"))
  var site: String?

  @OptionGroup(title: "With --fleet") var options: FleetLedgerOptions

  func validate() throws {
    if fleet, site == nil { throw ValidationError("--fleet needs the site: --site NAME") }
    if !fleet, site != nil || options.isGiven { throw ValidationError("--site and --broker are about --fleet: add it") }
    if let site, SiteName(site) == nil { throw ValidationError("--site \(site): no site can have such a name") }
  }

  func run() async throws {
    // Who cannot be asked is told before a long ledger is read.
    let told = fleet ? try await options.ledgers(of: site ?? "") : nil
    var missing = false
    var reader = LedgerReader()
    let files = try ledger.sorted { $0.link.number }
    let key = try key.map { try LedgerSigning.publicKey($0) }
    for (index, file) in files.enumerated() {
      let before = reader
      try LedgerOptions.read(file, &reader) { step in
        guard let problem = step.problem else { return }
        throw CommandFailure(.expectationFailed, "\(file):\(problem.line): \(problem.message)", help: problem.help)
      }
      let count = reader.count - before.count
      let numbers =
        count == 0 ? "" : ", numbers \((reader.last?.number ?? 0) - count + 1) to \(reader.last?.number ?? 0)"
      let signature = try LedgerSigning.check(
        file, endsWith: count == 0 ? nil : reader.last, by: key, isLast: index == files.count - 1)
      var proof = ""
      if let told {
        let (words, isProven) = Self.compare(
          file, count == 0 ? nil : reader.last, told, isLast: index == files.count - 1)
        proof = words
        if !isProven { missing = true }
      }
      Terminal.print("\(TerminalText.escaped(file)): \(Self.lines(count))\(numbers)\(signature)\(proof)")
    }
    if let first = reader.first?.link.number, first > 1 {
      Terminal.print("begins with number \(first): the files before it were not named")
    }
    Terminal.print("intact: \(Self.lines(reader.count))" + (reader.last.map { ", the last hash is \($0.hash)" } ?? ""))
    if missing {
      throw CommandFailure(
        .expectationFailed, "files are not as \(site ?? "the site") told when they were finished",
        help: "lines are missing at the end, or the file is of another site or playlist")
    }
  }

  /// - Parameter isLast: It may be written to still.
  private static func compare(
    _ file: String, _ last: LedgerChain.Link?, _ told: [LedgerReport], isLast: Bool
  ) -> (words: String, isProven: Bool) {
    // A file without a line proves nothing, and is not missed.
    guard let last else { return ("", true) }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    switch LedgerProof(file: name, lines: last.number, hash: last.hash, told: told) {
    case .same: return (", as the site told", true)
    case .unknown: return isLast ? (", not told by the site yet", true) : (", NOT TOLD by the site", false)
    case .different(let lines, _): return (", NOT AS TOLD: the site told number \(lines) as its last", false)
    case .noneOf(let count): return (", NOT AS TOLD by any of \(count) playlists of the site", false)
    }
  }

  private static func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }
}
