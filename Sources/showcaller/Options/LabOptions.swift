import ArgumentParser
import CastTransport
import FleetJobs
import FleetMessages
import Workspace

/// How a run is sent to a lab.
struct LabOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Have the agents of this queue run it, each row and repeat as a job: see `fleet work`.", valueName: "name"),
    transform: LabOptions.queueName)
  var queue: SiteName?

  @Option(
    help: ArgumentHelp(
      "With --queue: devices of this model, `any`, or `virtual`; else what the document says.", valueName: "model"))
  var kind: String?

  @Option(
    help: ArgumentHelp(
      "With --queue: the private key that signs jobs; else operator-key.pem in the state folder.", valueName: "file"),
    completion: .file())
  var signKey: String?

  @Option(
    help: ArgumentHelp("With --queue: how often a job may lose its agent and go to another.", valueName: "number"))
  var retries = 2

  @Option(
    help: ArgumentHelp("With --queue: give up when no agent fits for so long; 2m unless given.", valueName: "time"))
  var waitAgent: TimeLimit?

  @Option(help: ArgumentHelp("With --queue: how long all may take; 1h unless given.", valueName: "time"))
  var timeout: TimeLimit?

  @OptionGroup var broker: BrokerOptions

  static func queueName(_ text: String) throws -> SiteName {
    guard let name = SiteName(text) else {
      throw ValidationError("`\(text)` is no name of a queue: use letters, digits, `-`, `_` and `.`, at most 63")
    }
    return name
  }

  var limits: JobSender.Limits {
    var limits = JobSender.Limits()
    limits.retries = retries
    if let waitAgent { limits.waitAgent = waitAgent.duration }
    if let timeout { limits.timeout = timeout.duration }
    return limits
  }

  private static let longest = Duration.seconds(JobOffer.longestRun)
  private static let keyLimit = 16 << 10

  func validate() throws {
    if !(0...20).contains(retries) { throw ValidationError("--retries is from 0 to 20") }
    for (name, time) in [("--wait-agent", waitAgent), ("--timeout", timeout)] {
      if let time, time.duration <= .zero || time.duration > Self.longest {
        throw ValidationError("\(name) is above 0 and at most a day")
      }
    }
    if kind?.isEmpty == true { throw ValidationError("--kind is empty: it names a model, `any` or `virtual`") }
    guard queue == nil else { return }
    if kind != nil || signKey != nil || waitAgent != nil || timeout != nil {
      throw ValidationError("--kind, --sign-key, --wait-agent and --timeout are for runs of a lab: add --queue NAME")
    }
  }

  /// The key that signs jobs.
  func key() throws(CommandFailure) -> SigningKey {
    guard let path = signKey ?? Surroundings.process.stateFolder.map({ "\($0)/operator-key.pem" }) else {
      throw CommandFailure(.commandLineWrong, "there is no key to sign jobs with", help: "name one: `--sign-key FILE`")
    }
    do throws(FileError) {
      if let key = SigningKey(pem: try Files.read(path, limit: Self.keyLimit)) { return key }
    } catch {
      throw CommandFailure(
        .commandLineWrong, "cannot read the key that signs jobs, \(path): \(error.message)",
        help: "name it with `--sign-key FILE`; `openssl genpkey -algorithm ed25519 -out key.pem` makes one")
    }
    throw CommandFailure(.commandLineWrong, "\(path) is no private Ed25519 key")
  }
}
