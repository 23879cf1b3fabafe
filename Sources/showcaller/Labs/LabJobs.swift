import CastProtocol
import FleetJobs
import FleetMessages
import RunReporting
import ScenarioLanguage
import Workspace

/// Makes jobs of documents: one for each row and each repeat.
struct LabJobs {
  let options: RunOptions
  let lab: LabOptions

  /// One job, and what people know it by.
  struct Job {
    var offer: JobOffer
    /// The document as the command line names it.
    var file: String
    var label: String
  }

  func make(of documents: [PreparedDocument]) throws -> [Job] {
    var jobs: [Job] = []
    for document in documents {
      let files = try LabFiles.of(document.runnable)
      // Two rows that have the same values are chosen by the same words, and run by one job.
      var known: Set<[String]> = []
      for (index, plan) in document.runnable.rows.enumerated() {
        let row = plan.row.map(\.argument)
        guard known.insert(row).inserted else { continue }
        let repeats = document.chosenRepeats?[index] ?? Array(1...(options.repeats ?? 1))
        for number in repeats {
          var offer = try offer(of: document, plan, files)
          offer.row = row
          var label = document.runnable.file
          if !row.isEmpty { label += " [\(row.joined(separator: ", "))]" }
          if options.repeats != nil { label += " #\(number)" }
          jobs.append(Job(offer: offer, file: document.runnable.file, label: label))
        }
      }
    }
    return jobs
  }

  private func offer(
    of document: PreparedDocument, _ plan: Plan, _ files: [FleetDocument.File]
  ) throws(CommandFailure) -> JobOffer {
    let (kind, wish) = try wanted(by: plan)
    let limit = Int(lab.limits.timeout.seconds.rounded(.up))
    var offer = JobOffer(id: RunID.make(), kind: kind, files: files, limit: max(1, limit))
    offer.wish = wish
    offer.settings = document.loader.inputs.settings
    offer.speed = options.speed?.factor
    offer.seed = options.seed
    offer.startsPrograms = plan.startsPrograms
    offer.sender = String(Surroundings.process.hostName().prefix(63))
    return offer
  }

  /// Which devices may run it.
  private func wanted(by plan: Plan) throws(CommandFailure) -> (kind: String, JobOffer.Wish) {
    if plan.roles.count > 1 || plan.devices != nil {
      throw CommandFailure(
        .documentInvalid, "\(plan.file) is for several devices; an agent gives each job one",
        help: "run it where the devices are, without --queue")
    }
    if options.isVirtual { return (LabDevice.virtualKind, .init()) }
    if let kind = lab.kind {
      let isWord = kind == JobTopic.anyKind || kind == LabDevice.virtualKind
      return isWord ? (kind, .init()) : (TopicLevel.of(kind), .init(model: kind))
    }
    let device = plan.device
    let hasMore =
      device.nameLike != nil || device.modelLike != nil || device.host != nil || device.tag != nil
      || !device.excluded.isEmpty || device.isPage || device.kind == .group
    if hasMore {
      throw CommandFailure(
        .documentInvalid, "\(plan.file) chooses its device by more than name, model and id, which agents do not judge",
        help: "say which devices of the lab are meant: `--kind MODEL`, or `--kind any`")
    }
    let wish = JobOffer.Wish(model: device.model, name: device.name, id: device.id)
    return (device.model.map(TopicLevel.of) ?? JobTopic.anyKind, wish)
  }
}

/// What a job carries: the document and what it includes, by paths that mean the same in another folder.
enum LabFiles {
  static func of(_ document: RunnableDocument) throws -> [FleetDocument.File] {
    if let local = document.localMedia.first {
      throw CommandFailure(
        .documentInvalid, "\(document.file) plays \(local.url), a file of this computer, which agents do not have",
        help: "play it from an address, or run the document without --queue")
    }
    let sources = document.sources.filter { !$0.name.hasPrefix("<") || $0.name == document.file }
    var paths: [[String]] = []
    for source in sources {
      let isInput = source.name.hasPrefix("<")
      paths.append(try parts(of: isInput ? "./stdin.yaml" : source.name))
    }
    var shared = paths.first.map { Array($0.dropLast()) } ?? []
    for path in paths {
      var length = 0
      while length < min(shared.count, path.count - 1), shared[length] == path[length] { length += 1 }
      shared = Array(shared.prefix(length))
    }
    let files = zip(sources, paths).map { source, path in
      let name = path.dropFirst(shared.count).joined(separator: "/")
      return FleetDocument.File(name: name, text: String(decoding: source.bytes, as: UTF8.self))
    }
    guard files.count <= FleetDocument.mostFiles else {
      throw CommandFailure(
        .documentInvalid, "\(document.file) and what it includes are more than \(FleetDocument.mostFiles) files")
    }
    let size = files.map(\.text.utf8.count).reduce(0, +)
    guard size < SignedEnvelope.byteLimit * 3 / 4 else {
      throw CommandFailure(.documentInvalid, "\(document.file) and what it includes are more than 3 MiB")
    }
    return files
  }

  /// The parts of the path from `/`, without looking through links: includes are found by these.
  private static func parts(of path: String) throws -> [String] {
    let full: String
    do throws(FileError) {
      full = path.hasPrefix("/") ? path : try Files.realPath(of: ".") + "/" + path
    } catch {
      throw CommandFailure(.commandLineWrong, "the working folder cannot be found: \(error.message)")
    }
    var parts: [String] = []
    for part in full.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts
  }
}
