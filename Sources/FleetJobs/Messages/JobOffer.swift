import CastProtocol
package import FleetMessages

/// One run that a sender asks a lab for; signed for the topic of its kind. Secrets are no part of it: the agent reads them
/// where the document says they are, on its own computer.
package struct JobOffer: Codable, Hashable, Sendable {
  /// Which devices the document asks for; every part that is given must fit.
  package struct Wish: Codable, Hashable, Sendable {
    package var model: String?
    package var name: String?
    package var id: String?

    package init(model: String? = nil, name: String? = nil, id: String? = nil) {
      (self.model, self.name, self.id) = (model, name, id)
    }
  }

  /// For how many seconds it may be taken.
  package static let life = 60
  /// By how many seconds the clocks of sender and agent may differ.
  package static let clockTolerance = 30
  /// A run may take a day.
  package static let longestRun = 86_400
  package static let mostSettings = 200
  private static let textLimit = 4 << 10

  /// Chosen anew for each job.
  package var id: String
  /// Grows with every offer of the job: of two agents that have it the one with the higher number goes on.
  package var attempt: Int
  /// Unix times.
  package var issued: Int
  package var expires: Int
  /// A model as a level of a topic, `any`, or ``LabDevice/virtualKind``.
  package var kind: String
  package var wish: Wish
  /// The document first, then what it includes.
  package var files: [FleetDocument.File]
  /// As `--row` and `--set` take them.
  package var row: [String]
  package var settings: [String]
  /// Of virtual devices: how many times as fast.
  package var speed: Double?
  package var seed: UInt64?
  /// Whether it starts programs, which an agent has to allow.
  package var startsPrograms: Bool
  /// How many seconds it may take.
  package var limit: Int
  /// The name of the sender, for people.
  package var sender: String

  private enum CodingKeys: String, CodingKey {
    case id, attempt, issued, expires, kind, files, row, speed, seed, limit, sender
    case wish = "device"
    case settings = "set"
    case startsPrograms = "programs"
  }

  package init(id: String, kind: String, files: [FleetDocument.File], limit: Int) {
    (self.id, self.kind, self.files, self.limit) = (id, kind, files, limit)
    (attempt, issued, expires) = (0, 0, 0)
    (wish, row, settings, startsPrograms, sender) = (Wish(), [], [], false, "")
  }

  /// The same job, offered once more.
  /// - Parameter time: Unix time of the sender.
  package func offered(_ attempt: Int, at time: Double) -> JobOffer {
    var offer = self
    offer.attempt = attempt
    offer.issued = Int(time.rounded(.down))
    offer.expires = offer.issued + Self.life
    return offer
  }

  package enum Problem: Error, Hashable, Sendable {
    case malformed(String)
    case late(by: Int)
    case early(by: Int)

    /// A lowercase fragment.
    package var message: String {
      switch self {
      case .malformed(let why): "it is no job: \(why)"
      case .late(let seconds): "it came \(seconds) s too late by the clock of the agent"
      case .early(let seconds): "it is \(seconds) s ahead of the clock of the agent: one of the two clocks is wrong"
      }
    }
  }

  /// Reads what was signed, whatever its time.
  package init(signed envelope: SignedEnvelope) throws(Problem) {
    do {
      self = try JSONValue(parsing: envelope.body, limits: .init(depth: 8, length: SignedEnvelope.byteLimit)).decoded()
    } catch let error as JSONDecodingError {
      throw .malformed("\(error.path.isEmpty ? "" : "\(error.path): ")\(error.message)")
    } catch {
      throw .malformed("\(error)")
    }
    guard Self.isID(id) else { throw .malformed("its `id`") }
    guard (1...1_000_000).contains(attempt) else { throw .malformed("its `attempt`") }
    guard (1...Self.longestRun).contains(limit) else { throw .malformed("its `limit`") }
    guard issued >= 0, issued < expires, expires - issued <= Self.life else { throw .malformed("its `expires`") }
    guard !files.isEmpty, files.count <= FleetDocument.mostFiles else { throw .malformed("its `files`") }
    for file in files {
      guard FleetDocument.isBelow(file.name), !file.name.hasPrefix("-") else {
        throw .malformed("`\(file.name)` is no name of a file")
      }
      guard file.text.utf8.count <= FleetDocument.fileByteLimit else {
        throw .malformed("`\(file.name)` is larger than 1 MiB")
      }
    }
    guard Set(files.map(\.name)).count == files.count else { throw .malformed("a file is there twice") }
    let words = row + settings
    guard words.count <= Self.mostSettings, words.allSatisfy({ Self.isWord($0) }) else {
      throw .malformed("its `row` or `set`")
    }
    if let speed, !(0.1...100).contains(speed) { throw .malformed("its `speed`") }
    let names = [kind, sender, wish.model, wish.name, wish.id].compactMap(\.self)
    guard names.allSatisfy({ $0.utf8.count <= 500 }) else { throw .malformed("a name is too long") }
  }

  /// Whether it may be taken now.
  /// - Parameter time: Unix time of the agent.
  package func problem(at time: Double) -> Problem? {
    let now = Int(time.rounded(.down))
    if now > expires + Self.clockTolerance { return .late(by: now - expires) }
    if now < issued - Self.clockTolerance { return .early(by: issued - now) }
    return nil
  }

  /// What is signed.
  package var body: [UInt8]? { (try? JSONValue(encoding: self)).map { Array($0.serialized().utf8) } }

  /// Whether a text can be the id of a job: one level of a topic, and a name of a folder.
  package static func isID(_ text: String) -> Bool {
    SiteName(text) != nil && !text.hasPrefix(".") && !text.hasPrefix("-")
  }

  /// `name=value`, for a command line.
  private static func isWord(_ text: String) -> Bool {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return false }
    return text.utf8.count <= textLimit && !text.hasPrefix("-") && !text.utf8.contains(0)
  }
}

/// Nobody waits for the job any more; signed for its topic.
package struct JobCancel: Codable, Hashable, Sendable {
  package var id: String
  /// The last one that was offered.
  package var attempt: Int

  package init(id: String, attempt: Int) { (self.id, self.attempt) = (id, attempt) }

  /// `nil`: what was signed is something else.
  package init?(signed envelope: SignedEnvelope) {
    guard let json = try? JSONValue(parsing: envelope.body, limits: .init(depth: 4, length: 4 << 10)),
      let cancel = try? json.decoded(as: Self.self), JobOffer.isID(cancel.id)
    else { return nil }
    self = cancel
  }

  /// What is signed.
  package var body: [UInt8]? { (try? JSONValue(encoding: self)).map { Array($0.serialized().utf8) } }
}
