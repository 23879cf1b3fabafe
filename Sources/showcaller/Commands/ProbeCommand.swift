import ArgumentParser
import CastProtocol
import Preflight
import RunReporting
import ScenarioLanguage
import Signage
import WebClient
import Workspace

/// `showcaller probe`: fetches addresses as a receiver would, and tells what it would stumble over.
struct ProbeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe", _superCommandName: ShowcallerCommand.name,
    abstract: "Fetch addresses as a receiver would, and tell what it would stumble over.",
    discussion: """
      Takes addresses, and documents: then every address that they send receivers to. Looks at the answer, redirects, \
      the certificate, the type, ranges, what scripts of a page may read (CORS), the manifests of adaptive streams and \
      their first segment, codecs, and the size of stills. Exits 1 where a receiver would fail.
      """)

  @Argument(
    help: ArgumentHelp("Addresses and YAML documents.", valueName: "url|file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var places: [String]

  @Option(
    help: ArgumentHelp(
      "When it is to play, for certificates: such as \"2026-12-24 18:30\"; now unless it is given.", valueName: "moment"
    ))
  var at: String?

  @OptionGroup var probing: ProbeOptions

  @Flag(help: "Print one JSON object for each address.")
  var json = false

  @OptionGroup var inputs: InputOptions

  func run() async throws {
    var subjects: [ProbeSubject] = []
    for place in places {
      let found =
        place.contains("://")
        ? [ProbeSubject(place)] : try ProbeSubjects.of(DocumentLoader(place, inputs: inputs.given, in: .process))
      for subject in found where !subjects.contains(where: { $0.url == subject.url }) { subjects.append(subject) }
    }
    if subjects.isEmpty { Terminal.say("no address of the web is used: there is nothing to probe") }
    if subjects.count > Prober.mostSubjects {
      throw CommandFailure(
        .commandLineWrong, "\(subjects.count) addresses are too many at once",
        help: "name fewer documents, one after the other")
    }
    let rules = ProbeRules(model: probing.model, playsAt: try moment())
    let prober = Prober(WebClient(), rules, names: probing.names)
    try ProbePrinter(isJSON: json).print(await prober.probe(subjects))
  }

  private func moment() throws -> Double {
    let now = Surroundings.process.unixTime()
    guard let at else { return now }
    guard let written = MomentText(written: at) else {
      throw CommandFailure(.commandLineWrong, "`\(at)` is not a date and a time", help: MomentText.usage)
    }
    let zone = try SystemTime(.process).clocks(ofZone: nil)
    return Double(ScheduledTime.moment(written, now: Int(now), in: zone))
  }
}

/// What `probe` and `check --probe` share.
struct ProbeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The kind of device, for codecs: \(CastModel.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "model"))
  var model: CastModel?

  @Option(
    help: ArgumentHelp(
      "The name server that devices ask, such as 8.8.8.8.",
      discussion: """
        Names that it does not know, or answers differently, are told. It gets to know these names: nobody is asked \
        unless this is given.
        """, valueName: "address[:port]"))
  var resolver: NameServer?

  var isGiven: Bool { model != nil || resolver != nil }

  var names: NameComparison? { resolver.map { NameComparison($0) } }
}

extension NameServer: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

extension CastModel: ExpressibleByArgument {
  init?(argument: String) { self.init(rawValue: argument) }
  static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

/// What documents send receivers to.
enum ProbeSubjects {
  static func of(_ loader: DocumentLoader) throws -> [ProbeSubject] {
    let addresses = try loader.addresses()
    let secret = addresses.filter { SecretPlaceholder.occurs(in: $0.url) }
    if !secret.isEmpty {
      Terminal.say("not fetched, as a secret is part of it: \(secret.map(\.url).joined(separator: ", "))")
    }
    return addresses.filter { !SecretPlaceholder.occurs(in: $0.url) }.map { ProbeSubject($0) }
  }
}

/// Tells what was found.
struct ProbePrinter {
  var isJSON: Bool

  /// - Throws: Where something was found over which a receiver fails.
  func print(_ reports: [ProbeReport]) throws {
    for report in reports { isJSON ? Terminal.print(SafeJSON.text(report.json)) : tell(report) }
    let failed = reports.count { $0.severity == .error }
    if !isJSON, !reports.isEmpty {
      Terminal.print(
        failed == 0
          ? "\(Self.addresses(reports.count)), nothing that a receiver would fail over"
          : "\(Self.addresses(reports.count)), a receiver would fail over \(failed == reports.count ? "all" : "\(failed)")"
      )
    }
    if failed > 0 { throw ExitCode.expectationFailed }
  }

  private func tell(_ report: ProbeReport) {
    let facts = [report.type, report.size.map(Self.bytes)].compactMap(\.self).joined(separator: ", ")
    let word = report.severity.map(\.rawValue) ?? "ok"
    Terminal.print(TerminalText.escaped("\(word)  \(report.subject.url)" + (facts.isEmpty ? "" : "  (\(facts))")))
    for finding in report.findings {
      let place = finding.url == report.subject.url ? "" : "\(finding.url): "
      Terminal.print(
        TerminalText.escaped("  \(finding.severity.rawValue)[\(finding.code.rawValue)]: \(place)\(finding.text)"))
      if let help = finding.help { Terminal.print(TerminalText.escaped("    = help: \(help)")) }
    }
  }

  private static func addresses(_ count: Int) -> String { count == 1 ? "1 address" : "\(count) addresses" }

  private static func bytes(_ count: Int) -> String {
    count < 1 << 10 ? "\(count) bytes" : count < 1 << 20 ? "\(count >> 10) KiB" : "\(count >> 20) MiB"
  }
}
