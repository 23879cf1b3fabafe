import CastProtocol
import CastReceiver
import CastTransport
import RunReporting
import ScenarioLanguage
import Workspace

/// The virtual receivers that run on this computer, by what they answer at their control sockets.
struct FoundReceivers {
  /// One of them.
  struct Entry {
    fileprivate(set) var receiver: ControlAnswer.Receiver
    let processID: Int
    fileprivate let place: ControlSockets.Place

    var name: String { receiver.snapshot.name }
    var id: String { receiver.snapshot.id }
    var address: String { receiver.address }

    /// As `receiver status --json` tells it.
    var json: JSONObject {
      var json = receiver.json
      json["pid"] = .int(processID)
      return json
    }

    /// The name, and the address where that tells more.
    var shown: String { "\(name) (\(address))" }
  }

  /// How long a process may take to answer.
  private static let limit = Duration.seconds(5)
  /// Bytes of an answer: what our JSON parser takes.
  private static let answerLimit = 1024 * 1024

  private(set) var all: [Entry] = []
  /// The folders must stay open for as long as their places are used.
  private let folders: [ControlSockets]

  /// Asks all that are there; sockets at which nobody listens any more are taken away.
  init() async throws {
    folders = try ControlSockets.existing(in: .process)
    var problems: [String] = []
    for folder in folders {
      for place in folder.places {
        do throws(LocalExchange.Failure) {
          switch try await Self.ask(place, .status) {
          case .receivers(let receivers, let processID):
            all += receivers.map { Entry(receiver: $0, processID: processID, place: place) }
          case .refusal(let refusal): throw .other(refusal.message)
          }
        } catch {
          if error == .nobody { folder.remove(place) } else { problems.append(Self.words(error, place)) }
        }
      }
    }
    for problem in problems { Terminal.say("warning: \(TerminalText.escaped(problem))") }
    guard all.isEmpty else { return }
    let elsewhere =
      Surroundings.process.environment["XDG_RUNTIME_DIR"] == nil
      ? "; those of a login session are found with `export XDG_RUNTIME_DIR=/run/user/$(id -u)`" : ""
    throw CommandFailure(
      .noDevice, problems.isEmpty ? "no virtual receiver runs on this computer" : "no virtual receiver can be asked",
      help: "start one: `showcaller receive --name \"Living Room TV\"`\(elsewhere)", class: .notFound)
  }

  private static func ask(
    _ place: ControlSockets.Place, _ request: ControlRequest
  ) async throws(LocalExchange.Failure) -> ControlAnswer {
    let bytes = try await LocalExchange.ask(
      path: place.path, request.line, answerLimit: answerLimit, within: limit)
    guard let answer = ControlAnswer(parsing: bytes) else { throw .other("it sent no valid answer") }
    return answer
  }

  private static func words(_ failure: LocalExchange.Failure, _ place: ControlSockets.Place) -> String {
    switch failure {
    case .nobody: "nobody listens at \(place.name)"
    case .notAllowed: "the process at \(place.name) does not answer this user"
    case .noAnswer(let limit): "the process at \(place.name) did not answer in \(limit.components.seconds) s"
    case .tooLong: "the process at \(place.name) sent more than 1 MiB"
    case .other(let reason): "the process at \(place.name): \(reason)"
    }
  }

  /// The one that is meant: by name, id, address or port; without any the only one.
  func chosen(by text: String?) throws(CommandFailure) -> Entry {
    let fitting = text.map { text in Self.fitting(text, all) } ?? all
    if let only = fitting.first, fitting.count == 1 { return only }
    let names = fitting.isEmpty ? all : fitting
    let listed = names.prefix(8).map(\.shown).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    if fitting.isEmpty {
      throw CommandFailure(
        .noDevice, "no virtual receiver is called \(text ?? "")", help: "there are \(listed)", class: .notFound)
    }
    let port = fitting[0].address.split(separator: ":").last.map(String.init) ?? ""
    throw CommandFailure(
      .noDevice, "\(fitting.count) virtual receivers run\(text == nil ? "" : " that this may mean")",
      help: "say which by its name or port, such as `--device \(port)`: \(listed)", class: .ambiguous)
  }

  private static func fitting(_ text: String, _ all: [Entry]) -> [Entry] {
    let exact = all.filter { $0.name == text }
    if !exact.isEmpty { return exact }
    return all.filter { entry in
      entry.name.lowercased() == text.lowercased() || DeviceID(text) == DeviceID(entry.id) || entry.address == text
        || entry.address.hasSuffix(":\(text)")
    }
  }

  /// Presses a button of one of them.
  /// - Returns: What it is and does after that.
  func press(
    _ button: ReceiverButton, of receiver: Entry, app: ControlRequest.TakeoverApp?
  ) async throws(CommandFailure) -> Entry {
    let answer: ControlAnswer
    do {
      answer = try await Self.ask(receiver.place, .press(button, receiver: receiver.id, app: app))
    } catch {
      throw CommandFailure(.failed, Self.words(error, receiver.place))
    }
    switch answer {
    case .receivers(let receivers, _):
      var after = receiver
      if let first = receivers.first { after.receiver = first }
      return after
    case .refusal(let refusal):
      throw CommandFailure(
        .failed, "\(receiver.name): \(refusal.message)", help: refusal.help, class: .invalidState)
    }
  }
}
