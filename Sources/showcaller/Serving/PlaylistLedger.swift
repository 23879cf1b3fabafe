import CastProtocol
import Dispatch
import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// The ledger of a playlist on this computer, open for as long as the playlist is served; no screen waits for it, or is dark
/// because it cannot be written.
final class PlaylistLedger: LedgerSink {
  /// What is to be told of it.
  enum News: Sendable {
    /// It goes on elsewhere, or anew: that is so until the process ends.
    case changed(String)
    /// A record cannot be written, or the ledger cannot be opened; that is tried again.
    case failing(WorkspaceError)
    /// What failed works again.
    case works
  }

  /// An open ledger.
  private struct Opened: Sendable {
    var path: String
    var file: LedgerFile
    var writer: LedgerWriter
    var name: LedgerName
  }

  private struct State: Sendable {
    var opened: Opened?
    /// What waits for the ledger to be opened.
    var waiting: [LedgerRecord] = []
    var missed = 0
    var isClosed = false
    var failure: WorkspaceError?
    var tries = 0
  }

  /// Records that wait for a ledger that cannot be opened: days of one screen.
  private static let mostWaiting = 10_000

  private let program: Program
  /// Where it is to be, and where it goes if it cannot be there.
  private let places: [String]
  /// Why there is no place for it at all.
  private let hasNoPlace: WorkspaceError?
  private let tell: @Sendable (News) -> Void
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "showcaller.ledger.opening")

  /// Goes on where the last process left it.
  /// - Parameters:
  ///   - given: Where it is, if somebody says so; else it is where the playlist says.
  ///   - isProof: Whether it may go to the state folder, where it can be nowhere else.
  ///   - tell: Learns, on whatever thread, what goes wrong and what works again.
  /// - Throws: Where another process writes it, or nothing can be called so.
  init(
    of program: Program, at given: String? = nil, isProof: Bool = true, tell: @escaping @Sendable (News) -> Void
  ) throws(WorkspaceError) {
    self.program = program
    self.tell = tell
    do throws(WorkspaceError) {
      let wanted = if let given { given } else { try LedgerFile.path(of: program.plan, in: .process) }
      let usual = isProof ? LedgerFile.usualPath(of: program.plan, in: .process) : nil
      places = [wanted] + (usual.map { $0 == wanted ? [] : [$0] } ?? [])
      hasNoPlace = nil
    } catch {
      (places, hasNoPlace) = ([], error)
    }
    do throws(WorkspaceError) {
      try open()
    } catch {
      switch error.code {
      case .notWritten, .damaged: fail(error)
      default: throw error
      }
    }
  }

  /// Its name and folder, where it is open or is to be; empty: nowhere.
  var path: String { state.withLock { $0.opened?.path } ?? places.first ?? "" }

  /// The names of its files and their folder, where it is open or is to be; `nil`: nowhere.
  var files: String? {
    let path = path
    if path.isEmpty { return nil }
    let (folder, name) = (Files.folder(of: path), name(at: path).pattern)
    return path.contains("/") ? "\(folder == "/" ? "" : folder)/\(name)" : name
  }

  /// What its files are called at a place.
  private func name(at path: String) -> LedgerName {
    LedgerName(
      path.split(separator: "/").last.map(String.init) ?? "", rotation: program.plan.ledger.rotation, in: program.zone)
  }

  func record(_ record: LedgerRecord) {
    let opened = state.withLock { state in
      if state.opened == nil {
        if state.waiting.count < Self.mostWaiting { state.waiting.append(record) } else { state.missed += 1 }
      }
      return state.opened
    }
    opened?.writer.record(record)
  }

  /// The files that were left for a newer one: nothing is written to them again.
  var leftFiles: [String] {
    guard let opened = state.withLock({ $0.opened }), let current = opened.writer.current else { return [] }
    let folder = Files.folder(of: opened.path)
    // The newest is there only when all before it is.
    guard Files.kind(of: "\(folder)/\(current)") == .regular else { return [] }
    let names = opened.name.files(among: Files.names(in: folder)).joined()
    return names.filter { $0 != current }.map { "\(folder)/\($0)" }
  }

  /// Waits for what is not on the disk yet, at most until `deadline`.
  /// - Returns: Why the ledger is not whole, or `nil`.
  func close(until deadline: DispatchTime = LastWait.deadline) -> WorkspaceError? {
    if state.withLock({ $0.opened == nil }) {
      // Once more, without its wait.
      let last = DispatchWorkItem { [weak self] in self?.tryAgain() }
      thread.async(execute: last)
      _ = last.wait(timeout: deadline)
    }
    let (opened, waiting, missed, failure) = state.withLock { state in
      state.isClosed = true
      return (state.opened, state.waiting.count, state.missed, state.failure)
    }
    if let failure = opened?.file.close(until: deadline) { return failure }
    let count = missed + waiting + (opened?.writer.missed ?? 0)
    guard count > 0 else { return nil }
    let why = opened == nil ? failure?.message : nil
    return WorkspaceError(
      .notWritten,
      "\(count) records of the ledger \(files ?? "of \(program.plan.title)") are missing: \(why ?? "too many waited for the disk")",
      help: opened == nil ? failure?.help : nil)
  }

  // MARK: opening

  /// Opens it where it is to be, else in the state folder, and gives it what waits.
  private func open() throws(WorkspaceError) {
    var first = hasNoPlace
    for place in places {
      do throws(WorkspaceError) {
        let opened = try opened(at: place)
        if let first {
          tell(.changed("the ledger goes to \(place): \(first.message)"))
        }
        state.withLock { state in
          for record in state.waiting { opened.writer.record(record) }
          (state.opened, state.waiting, state.failure) = (opened, [], nil)
        }
        return
      } catch {
        guard error.code == .notWritten else { throw error }
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  /// Opens it at a place; what is damaged there is put aside.
  private func opened(at path: String) throws(WorkspaceError) -> Opened {
    let (name, zone) = (name(at: path), program.zone)
    let format = LedgerFile.Format(lineLimit: LedgerLine.byteLimit) { names in
      name.files(among: names)
    } number: { line in
      LedgerLine.link(of: line)?.number
    }
    let told: @Sendable (WorkspaceError?) -> Void = { [tell] in tell($0.map { .failing($0) } ?? .works) }
    let file: LedgerFile
    do throws(WorkspaceError) {
      file = try LedgerFile(path, format: format, tell: told)
    } catch {
      guard error.code == .damaged else { throw error }
      let wall = zone.wallTime(at: Int(Surroundings.process.unixTime().rounded(.down)))
      let mark = "\(CivilDate(at: wall).iso)T\(CivilDate.clock(at: wall))".filter { $0 != "-" && $0 != ":" }
      let aside = try LedgerFile.putAside(path, format, mark: mark)
      file = try LedgerFile(path, format: format, tell: told)
      tell(
        .changed("the last line of the ledger \(path) is damaged: its files are now in \(aside), and a new one begins"))
    }
    let last = file.end.flatMap { LedgerLine.link(of: $0.line) } ?? .start
    let writer = LedgerWriter(
      name, after: last, in: file.end?.file, existing: file.files, zone: zone, write: file.append)
    return Opened(path: path, file: file, writer: writer, name: name)
  }

  private func tryAgain() {
    guard state.withLock({ $0.opened == nil && !$0.isClosed }) else { return }
    do throws(WorkspaceError) {
      try open()
      tell(.works)
    } catch { fail(error) }
  }

  /// It cannot be opened now: 1, 2, 4 ... 64 s later it is tried again.
  private func fail(_ error: WorkspaceError) {
    let (isNews, tries) = state.withLock { state in
      defer { (state.failure, state.tries) = (error, state.tries + 1) }
      return (state.failure != error, state.tries)
    }
    if isNews { tell(.failing(error)) }
    thread.asyncAfter(deadline: .now() + .seconds(1 << min(tries, 6))) { [weak self] in self?.tryAgain() }
  }
}
