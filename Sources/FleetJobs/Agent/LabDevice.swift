import FleetMessages

/// A device of an agent, as it is given or was found.
package struct LabDevice: Hashable, Sendable {
  /// The kind of virtual devices. They take no job of another kind, so that none that is meant for a device on the
  /// network passes without one.
  package static let virtualKind = "virtual"

  package var name: String
  package var id: String?
  package var model: String?
  package var firmware: String?
  package var isVirtual: Bool

  package init(name: String, id: String? = nil, model: String? = nil, firmware: String? = nil, isVirtual: Bool = false)
  {
    (self.name, self.id, self.model, self.firmware, self.isVirtual) = (name, id, model, firmware, isVirtual)
  }

  /// Under which kinds jobs for it are offered.
  package var kinds: [String] {
    if isVirtual { return [Self.virtualKind] }
    return (model.map { [TopicLevel.of($0)] } ?? []) + [JobTopic.anyKind]
  }

  /// Why it is not what a job asks for; `nil`: it is.
  package func problem(with offer: JobOffer) -> String? {
    guard kinds.contains(offer.kind) else { return "it is no \(offer.kind)" }
    if isVirtual { return nil }
    if let model = offer.wish.model, model != self.model { return "it is no \(model)" }
    if let name = offer.wish.name, name != self.name { return "it is not called \(name)" }
    if let id = offer.wish.id, id != self.id { return "its id is not \(id)" }
    if offer.speed != nil { return "only virtual devices have a speed" }
    return nil
  }
}

/// How one run of a job ended, as the agent saw it.
package enum JobOutcome: Hashable, Sendable {
  /// It ran to its end, whatever that was.
  case ended(JobResult)
  /// It did not run: the device is gone, or another process has it.
  case noDevice(String)
  /// It was stopped, or could not be started.
  case stopped(String)
}
