package import ScenarioLanguage

/// What a command line adds to a document, word by word as it was given.
package struct GivenInputs: Hashable, Sendable {
  /// `--set`, each `name=value`.
  package var settings: [String] = []
  /// `--vars`.
  package var variableFiles: [String] = []
  /// `--secret`, each `name=@file`.
  package var secrets: [String] = []
  /// Whether standard input has a secret.
  package var readsSecretsFromInput: Bool { secrets.contains { $0.hasSuffix("=@-") } }
  /// `--no-secrets`.
  package var leavesOutSecrets = false
  /// `--allow-path`.
  package var allowedPaths: [String] = []
  /// `--receiver`: the receivers of a run are browsers of this computer.
  package var receiversAreHere = false

  /// Nothing.
  package init() {}

  /// The words for another run; of secrets the places only.
  package var rerunArguments: [String] {
    let pairs = [("--set", settings), ("--vars", variableFiles), ("--secret", secrets), ("--allow-path", allowedPaths)]
    let words = pairs.flatMap { option, values in values.flatMap { [option, $0] } }
    return words + (leavesOutSecrets ? ["--no-secrets"] : [])
  }

  /// The words for another scheduler, which starts in another folder: paths from `/`.
  /// - Throws: Where a file cannot be found, or a secret is read from standard input.
  package func argumentsForScheduler() throws(WorkspaceError) -> [String] {
    var moved = self
    moved.variableFiles = try variableFiles.map { path throws(WorkspaceError) in try Self.realPath(of: path) }
    moved.allowedPaths = try allowedPaths.map { path throws(WorkspaceError) in try Self.realPath(of: path) }
    moved.secrets = try givenSecrets().map { given throws(WorkspaceError) in
      guard given.argument != "@-" else {
        throw WorkspaceError(
          .commandLineWrong, "`--secret \(given.name)=@-` reads standard input, which another scheduler has not",
          help: "write `--secret \(given.name)=@file`")
      }
      return "\(given.name)=@\(try Self.realPath(of: String(given.argument.dropFirst())))"
    }
    return moved.rerunArguments
  }

  private static func realPath(of path: String) throws(WorkspaceError) -> String {
    do throws(FileError) {
      return try Files.realPath(of: path)
    } catch {
      throw WorkspaceError(
        .commandLineWrong, "cannot find \(path): \(error.message)", help: "name a file that is there")
    }
  }

  /// The files that are named: of variables, and of secrets.
  package var files: [String] {
    variableFiles
      + secrets.compactMap { secret in
        secret.firstRange(of: "=@").map { String(secret[$0.upperBound...]) }
      }
  }

  /// `--secret` taken apart.
  /// - Throws: Where one is not well formed.
  package func givenSecrets() throws(WorkspaceError) -> [(name: String, argument: String)] {
    var result: [(name: String, argument: String)] = []
    for given in secrets {
      guard let equals = given.firstIndex(of: "="), equals > given.startIndex else {
        throw WorkspaceError(
          .commandLineWrong, "`--secret` needs a name and a file", help: "write `--secret token=@file`")
      }
      let name = String(given[..<equals])
      let argument = String(given[given.index(after: equals)...])
      // The value itself is not repeated: it may be one.
      guard argument.hasPrefix("@"), argument.count > 1 else {
        throw WorkspaceError(
          .commandLineWrong, "`--secret \(name)=` takes a file, not the secret itself",
          help: "whoever can list processes could read it; write `--secret \(name)=@file`, or `@-` for standard input")
      }
      result.append((name, argument))
    }
    return result
  }

  /// `--set` taken apart.
  private func givenSettings() throws(WorkspaceError) -> [(name: String, value: String)] {
    var result: [(name: String, value: String)] = []
    for setting in settings {
      guard let equals = setting.firstIndex(of: "="), equals > setting.startIndex else {
        throw WorkspaceError(
          .commandLineWrong, "`--set \(setting)` has no \(setting.hasPrefix("=") ? "name" : "`=`")",
          help: "write `--set name=value`, such as `--set speed=1.5`")
      }
      result.append((String(setting[..<equals]), String(setting[setting.index(after: equals)...])))
    }
    return result
  }

  /// All that the compiler asks for besides the text of `source`.
  /// - Throws: Where something is not well formed, or a file cannot be read.
  package func compilerInputs(
    for source: SourceFile, in surroundings: Surroundings
  ) throws(WorkspaceError) -> PlanCompiler.Inputs {
    var inputs = PlanCompiler.Inputs()
    inputs.settings = try givenSettings()
    for path in variableFiles {
      inputs.variableFiles.append(try SourceFile(readingFrom: path, standardInput: surroundings.standardInput))
    }
    inputs.receiversAreHere = receiversAreHere
    inputs.environment = { surroundings.environment[$0] }
    inputs.givenSecrets = try givenSecrets()
    inputs.needsSecrets = !leavesOutSecrets
    inputs.secretFileProblem = { SecretFile.problem(with: SecretFile.path($0, declaredIn: $1)) }
    let files = try ProjectFiles(of: source.name, allowing: allowedPaths)
    inputs.includedFile = { files.read($0, includedBy: $1) }
    let folder = source.name.lastIndex(of: "/").map { String(source.name[...$0]) } ?? ""
    let copies = CalendarCopies(surroundings, of: source.name)
    inputs.calendarCopy = { copies.read($0) }
    inputs.fileExists = { path in Files.kind(of: path.hasPrefix("/") ? path : folder + path) == .regular }
    inputs.folderFiles = { path in
      let place = path.hasPrefix("/") ? path : folder + path
      return Files.kind(of: place) == .folder ? Files.names(in: place) : nil
    }
    let time = SystemTime(surroundings)
    inputs.today = time.today
    inputs.zoneData = { time.zoneData($0) }
    inputs.localZone = time.localZone
    inputs.localClock = { time.rules(ofZone: nil) }
    return inputs
  }
}
