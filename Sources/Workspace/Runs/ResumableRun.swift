import CastProtocol
import Glibc
package import RunReporting
package import ScenarioLanguage

/// A stored run that `run --resume` goes on with, which nobody else can meanwhile.
package final class ResumableRun: Sendable {
  package let stored: StoredRun
  /// Its folder.
  package let folder: String
  package let past: JournaledRun
  /// The last record was being written when the process or the computer went.
  package let isTorn: Bool
  private let file: OpenFile
  private let reader: JournalReader

  /// Finds a run and takes hold of its journal.
  /// - Parameters:
  ///   - name: Its id or folder, or `latest`; `nil`: the last one that has a journal.
  ///   - runs: The folder of runs.
  ///   - hash: SHA-256 in lower-case hex.
  /// - Throws: Where there is none, it goes on, somebody goes on with it, or its journal is damaged.
  package init(
    _ name: String?, in runs: String, surroundings: Surroundings, hash: ([UInt8]) -> String
  ) throws(WorkspaceError) {
    let chosen: String
    if let name {
      try Self.refuseDocument(name, in: runs, surroundings, hash)
      chosen = name
    } else if let id = StoredRun.ids(in: runs).first(where: { Self.hasJournal("\(runs)/\($0)") }) {
      chosen = id
    } else {
      throw WorkspaceError(
        .commandLineWrong, "no run in \(runs) has a journal: there is nothing to go on with",
        help: "`showcaller run FILE` on a device leaves one there; --runs names another folder")
    }
    stored = try StoredRun(chosen, in: runs, surroundings: surroundings)
    if case .archive(_, let path) = stored.files { throw Self.isArchive(path, stored) }
    folder = try stored.folder()
    let path = "\(folder)/\(JournalFile.name)"
    guard Files.kind(of: path) != nil else { throw Self.noJournal(chosen, folder) }
    let bytes: [UInt8]
    do throws(FileError) {
      let opened = try Files.open(path, O_RDWR | O_APPEND | O_NOFOLLOW)
      guard try Descriptor.lock(opened.descriptor, .exclusive) else { throw FileError.system(EWOULDBLOCK) }
      bytes = try opened.contents(limit: JournalReader.byteLimit)
      file = opened
    } catch {
      if error.code == EWOULDBLOCK {
        throw WorkspaceError(
          .busy, "run \(chosen) still goes on, or somebody else goes on with it",
          help: "wait for its end, or end it with Ctrl-C where it runs")
      }
      throw WorkspaceError(.notWritten, "cannot use \(path): \(error.message)")
    }
    do throws(JournalReader.Damage) {
      reader = try JournalReader(bytes)
    } catch {
      throw WorkspaceError(
        .damaged, "\(path):\(error.line) is damaged: \(error.text)",
        help: "nobody can tell what was done: look at the device, and run the document again")
    }
    guard let past = JournaledRun(reader) else {
      throw WorkspaceError(
        .documentInvalid, "\(path) does not say what is run",
        help: "the run was killed before it began: run the document again")
    }
    self.past = past
    isTorn = reader.tornLine != nil
    if let next = RunSuccessor(of: past, beside: stored.folderOfRuns, or: runs) {
      let over = next.end.map { ", and is over (\($0.result.rawValue))" } ?? ""
      throw WorkspaceError(
        .commandLineWrong, "run \(next.run) already resumed run \(past.run)\(over)",
        help: next.end == nil
          ? "go on with that one: `\(StoredRun.command("run --resume", of: next.run, in: next.runs))`"
          : "how that went: `\(StoredRun.command("report", of: next.run, in: next.runs))`")
    }
  }

  /// Which documents its command line ran one after the other; `nil` where it was alone, or is in another folder of runs.
  package func series(in runs: String) -> RunSeries? {
    guard folder == "\(runs)/\(past.run)", var series = RunSeries(in: folder) else { return nil }
    series.resumes = past.run
    return series
  }

  /// People name the document, as for any other run.
  private static func refuseDocument(
    _ name: String, in runs: String, _ surroundings: Surroundings, _ hash: ([UInt8]) -> String
  ) throws(WorkspaceError) {
    guard name.hasSuffix(".yaml") || name.hasSuffix(".yml"), Files.kind(of: name) == .regular else { return }
    let last = StoredRun.ids(in: runs).first { isOf(name, $0, in: runs, surroundings, hash) }
    guard let last else {
      throw WorkspaceError(
        .commandLineWrong, "\(name) is a document, and no run of it in \(runs) has a journal",
        help: "`showcaller run \(ShellWord.quoted(name))` on a device leaves one there; --runs names another folder")
    }
    let past = JournaledRun(in: "\(runs)/\(last)")
    let next = past.flatMap { RunSuccessor(of: $0, beside: runs, or: runs) }
    let (run, place) = (next?.run ?? last, next?.runs ?? runs)
    if let end = next == nil ? past?.end : next?.end {
      throw WorkspaceError(
        .commandLineWrong, "\(name) is a document; its last run \(run) is over (\(end.result.rawValue))",
        help: "`showcaller run \(ShellWord.quoted(name))` runs it again")
    }
    throw WorkspaceError(
      .commandLineWrong, "\(name) is a document; its last run is \(run)",
      help: "`\(StoredRun.command("run --resume", of: run, in: place))` goes on with it")
  }

  /// Whether a run with a journal is of a document, by whatever path that is named: it is the same file or, where the run
  /// began in another folder, one of the same name and content.
  private static func isOf(
    _ name: String, _ id: String, in runs: String, _ surroundings: Surroundings, _ hash: ([UInt8]) -> String
  ) -> Bool {
    guard let opened = try? Files.open("\(runs)/\(id)/\(JournalFile.name)", O_RDONLY | O_NOFOLLOW),
      let bytes = try? opened.contents(limit: JournalReader.byteLimit), let reader = try? JournalReader(bytes),
      case .begin(let begin)? = reader.entries.first?.kind
    else { return false }
    if let place = begin.place, place == Self.place(of: name, hash: hash) { return true }
    if begin.file.hasPrefix("/") { return FileIdentity.areSame(begin.file, name) }
    // In which folder that was is not told: here another document may have the name.
    guard begin.file.split(separator: "/").last == name.split(separator: "/").last,
      let source = try? StoredRun(id, in: runs, surroundings: surroundings).source(of: begin.file)
    else { return false }
    return (try? Files.read(name, limit: SourceFile.byteLimit)) == source.bytes
  }

  /// What a journal says of where a document is; `nil` where it is no file.
  package static func place(of file: String, hash: ([UInt8]) -> String) -> String? {
    (try? Files.realPath(of: file)).map { hash(Array($0.utf8)) }
  }

  /// The folder of runs in a command line to paste, where it is not the usual one.
  package static func option(_ runs: String) -> String {
    runs == ".showcaller/runs" ? "" : " --runs \(ShellWord.quoted(runs))"
  }

  private static func hasJournal(_ folder: String) -> Bool {
    access("\(folder)/\(JournalFile.name)", F_OK) == 0
  }

  private static func isArchive(_ path: String, _ stored: StoredRun) -> WorkspaceError {
    let run = (try? stored.readSources())?.sources.run.run ?? ""
    return WorkspaceError(
      .commandLineWrong, "\(path) is an archive of a run, and nobody can go on with that",
      help: "go on with the run where it ran: `showcaller run --resume \(run.isEmpty ? "RUN" : run)`")
  }

  private static func noJournal(_ name: String, _ folder: String) -> WorkspaceError {
    guard Files.kind(of: "\(folder)/\(RunFiles.sourcesName)") == .folder else {
      return WorkspaceError(
        .commandLineWrong, "\(name) is no run that can be gone on with: there is no journal in \(folder)",
        help: "name a run's id or folder, or none: `showcaller run --resume` takes the last that has a journal")
    }
    return WorkspaceError(
      .commandLineWrong,
      "run \(name) has no journal: only runs on devices do, and virtual receivers end with their run",
      help: "run the document again; as it was then it is in \(folder)/sources")
  }

  /// What was run, as one value.
  /// - Throws: Where it is not there as it was, or nobody can go on with it.
  package func document(hash: ([UInt8]) -> String) throws(WorkspaceError) -> RunnableDocument {
    guard let document = try stored.documents().first else {
      throw WorkspaceError(.documentInvalid, "\(folder) does not tell what was run")
    }
    guard Self.digest(of: document.sources, hash: hash) == past.begin.sha256, document.rows.count == past.begin.rows
    else {
      throw WorkspaceError(
        .damaged, "the documents in \(folder)/sources are not those that the run began with",
        help:
          "nobody can go on with other steps: run the document again, `showcaller run \(ShellWord.quoted(document.file))`"
      )
    }
    if let obstacle = past.work.obstacle {
      throw WorkspaceError(
        .commandLineWrong, "run \(past.run) cannot be resumed: \(obstacle)",
        help: "run the document again: `showcaller run \(ShellWord.quoted(document.file))`")
    }
    return document
  }

  /// One digest for all files of a document.
  package static func digest(of sources: [SourceFile], hash: ([UInt8]) -> String) -> String {
    hash(Array(sources.map { "\(hash($0.bytes)) \($0.name)\n" }.sorted().joined().utf8))
  }

  /// What can be run of the document.
  /// - Parameter inputs: What the command line of the run added to it.
  package func prepared(
    _ document: RunnableDocument, inputs: GivenInputs, in surroundings: Surroundings
  ) -> PreparedDocument {
    var loader = DocumentLoader(document.file, inputs: inputs, in: surroundings)
    loader.isResumed = true
    var prepared = PreparedDocument(loader: loader, runnable: document)
    prepared.chosenRepeats = past.begin.chosen
    return prepared
  }

  /// Where the run that goes on leaves its folder: beside this one, where nobody asks for another place.
  /// - Parameters:
  ///   - asked: The folder of runs of the command line.
  ///   - usual: The one that it has where nobody names one.
  package func folderOfRuns(asked: String, usual: String) -> String {
    asked == usual ? stored.folderOfRuns ?? asked : asked
  }

  /// Another run has everything and goes on: from here on only that one can be gone on with.
  /// - Parameter runs: The folder of runs that it is in.
  /// - Throws: Where that cannot be written.
  package func markResumed(by run: String, in runs: String, unixTime: Double) throws(WorkspaceError) {
    let isBeside = stored.folderOfRuns.map { FileIdentity.areSame($0, runs) } ?? false
    let place = isBeside ? nil : (try? Files.realPath(of: runs)) ?? runs
    let entry = JournalEntry(wallTime: unixTime, elapsed: past.elapsed, .resumed(.init(by: run, in: place)))
    let line = JournalLine.bytes(entry, number: reader.entries.count + 1, run: past.run)
    do throws(FileError) {
      // What was not whole is gone for good.
      guard ftruncate(file.descriptor, off_t(reader.size)) == 0 else { throw .last }
      try file.write(line)
      try JournalFile.sync(file.descriptor)
    } catch {
      throw WorkspaceError(writing: "\(folder)/\(JournalFile.name)", error)
    }
    Descriptor.unlock(file.descriptor)
  }
}
