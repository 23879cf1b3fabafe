import CastProtocol

/// What an operator asks of a site now; signed, and good for a short time and once.
package struct FleetOrder: Codable, Hashable, Sendable {
  package enum Verb: String, Codable, Hashable, Sendable, CaseIterable {
    /// The next item follows at once.
    case skip
    /// What is on stays on, until `resume`.
    case pause
    case resume
    /// Shows an item of the playlist once.
    case play
    /// Fires or clears a webhook trigger.
    case fire
    case clear
  }

  /// How long an order is good for unless it says so, and at most, in seconds.
  package static let usualLife = 60
  package static let longestLife = 600
  /// By how many seconds the clock of a site may be behind the operator's.
  package static let clockTolerance = 30

  /// Chosen anew for each order: a site obeys each once.
  package var id: String
  package var issued: Int
  package var expires: Int
  package var verb: Verb
  /// The id of a playlist; `nil`: each that has the screen, item or trigger.
  package var playlist: String?
  /// The name of a screen; `nil`: all.
  package var screen: String?
  /// Of `play`: an item's id or address.
  package var item: String?
  /// Of `fire` and `clear`.
  package var trigger: String?

  package init(id: String, issued: Int, verb: Verb, life: Int = usualLife) {
    self.id = id
    self.issued = issued
    expires = issued + life
    self.verb = verb
  }

  package enum Problem: Error, Hashable, Sendable {
    case malformed(String)
    /// Its time is over.
    case late(by: Int)
    /// It is from the future by the site's clock.
    case early(by: Int)

    package var message: String {
      switch self {
      case .malformed(let why): "it is no order: \(why)"
      case .late(let seconds): "it came \(seconds) s too late by the clock of the site"
      case .early(let seconds): "it is \(seconds) s ahead of the clock of the site: one of the two clocks is wrong"
      }
    }
  }

  /// Reads what was signed.
  /// - Parameter time: Unix time of the site.
  package init(signed envelope: SignedEnvelope, at time: Double) throws(Problem) {
    do {
      self = try JSONValue(parsing: envelope.body, limits: .init(depth: 4, length: 8 << 10)).decoded()
    } catch let error as JSONDecodingError {
      throw .malformed("\(error.path.isEmpty ? "" : "\(error.path): ")\(error.message)")
    } catch {
      throw .malformed("\(error)")
    }
    guard !id.isEmpty, id.utf8.count <= 64, id.utf8.allSatisfy(TopicLevel.isPlain) else { throw .malformed("its `id`") }
    guard expires - issued <= Self.longestLife, expires > issued else { throw .malformed("its `expires`") }
    let now = Int(time.rounded(.down))
    if now > expires { throw .late(by: now - expires) }
    if now < issued - Self.clockTolerance { throw .early(by: issued - now) }
    switch verb {
    case .skip, .pause, .resume: break
    case .play: if item == nil { throw .malformed("`play` names no item") }
    case .fire, .clear: if trigger == nil { throw .malformed("`\(verb.rawValue)` names no trigger") }
    }
  }

  /// What is signed.
  package var body: [UInt8]? { (try? JSONValue(encoding: self)).map { Array($0.serialized().utf8) } }
}
