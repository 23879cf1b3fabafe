extension EventKind {
  /// `fault`: a virtual receiver goes wrong, as a library says that it should.
  package struct FaultNote: EventPayload {
    /// The name of the virtual receiver.
    package var receiver = ""
    /// Which entry of its file's `faults:`, from 1.
    package var number = 0
    /// The entry in one line.
    package var fault = ""
    /// How often it has come by now.
    package var count = 1
    /// Where the entry stands.
    package var place: SourcePlace?

    package init() {}

    package init(receiver: String, number: Int, fault: String, count: Int, at place: SourcePlace? = nil) {
      (self.receiver, self.number, self.fault, self.count) = (receiver, number, fault, count)
      self.place = place
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("receiver", &receiver)
      members.always("number", &number)
      members.always("fault", &fault)
      members.always("count", &count)
      members.place(&place)
    }

    /// How often a fault that comes again and again is told to people who did not ask for all.
    private static let often = 3

    /// Whether people are told of it who did not ask for all.
    package var isNews: Bool { count <= Self.often }

    /// Whether it is the same entry, whatever receiver it came to and however often.
    package func isOfSameEntry(as other: FaultNote) -> Bool {
      number == other.number && place == other.place && fault == other.fault
    }

    /// `lab.yaml:6: { at: load, answer: load_failed, code: 311 }`.
    package var oneLine: String {
      let origin = place.map { "\($0.file):\($0.line)" } ?? String(number)
      return "\(origin): \(fault)"
    }
  }
}
