package import RunReporting
import ScenarioLanguage

extension StoredRun {
  /// What reports are made from besides the events.
  /// - Parameters:
  ///   - hash: SHA-256 in lower-case hex.
  ///   - runs: The folder of runs, where a run that died may be gone on with; `nil`: nobody is told so.
  package func reportSources(
    _ wanted: StoredSources, hash: ([UInt8]) -> String?, resumingIn runs: String? = nil
  ) -> ReportSources {
    ReportSources(
      texts(wanted, hash: hash), fate: runs.map { fate(in: $0) } ?? .unknown,
      picture: { [files] path, limit in files.picture(path, limit: limit) })
  }

  /// The command that goes on with it, where it died and nothing that its folder tells forbids it. Whether it may start
  /// programs is not for the folder to say: whoever resumes it is told then.
  func resumeLine(in runs: String) -> String? {
    guard let folder = try? folder(), !RunFolders.isRunning(folder), !files.lacks(Self.documentsName),
      let bytes = try? files.contents(of: JournalFile.name, limit: JournalReader.byteLimit),
      let reader = try? JournalReader(bytes), let past = JournaledRun(reader),
      past.end == nil, past.resumedBy == nil, past.work.obstacle == nil
    else { return nil }
    let isInRuns = folder == "\(runs)/\(past.run)"
    return "showcaller run --resume "
      + (isInRuns ? past.run + ResumableRun.option(runs) : ShellWord.quoted(folder))
  }

  /// What that command needs besides.
  var resumeNote: String? {
    let given = (try? arguments())?.words.last { $0.hasSuffix("=@-") }
    guard let name = given?.split(separator: "=").dropLast().last else { return nil }
    return "it reads the secret `\(name)` from standard input"
  }
}

extension ReportSources {
  /// What reports are made from while the run goes on.
  /// - Parameters:
  ///   - texts: The texts of its documents, by file name.
  ///   - run: Its id.
  ///   - runs: Where runs leave their folders.
  init(_ texts: [String: String], of run: String, in runs: String) {
    let files = RunFiles.folder(events: "\(runs)/\(run)/\(RunFiles.eventsName)")
    self.init(texts) { path, limit in files.picture(path, limit: limit) }
  }
}

extension RunFiles {
  /// The folder of the pictures of receiver pages.
  static let picturesName = "screenshots"

  /// A picture by its path in the run's folder; links are not followed.
  func picture(_ path: String, limit: Int) -> [UInt8]? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts[0] == Self.picturesName, !["", ".", ".."].contains(parts[1]) else { return nil }
    switch self {
    case .input: return nil
    case .archive(let archive, _): return try? archive.contents(of: path, limit: limit)
    case .folder(let events):
      let file = try? OpenFolder(Files.folder(of: events))?.folder(parts[0])?.file(parts[1])
      return try? file?.contents(limit: limit)
    }
  }
}
