extension EventKind {
  /// `fault`: a virtual receiver goes wrong, as a library says that it should.
  package struct FaultNote: EventPayload {
    /// The name of the virtual receiver.
    package var receiver = ""
    /// Which entry of the library's `faults:`, from 1.
    package var number = 0
    /// The entry in one line.
    package var fault = ""
    /// How often it has come by now.
    package var count = 1

    package init() {}

    package init(receiver: String, number: Int, fault: String, count: Int) {
      (self.receiver, self.number, self.fault, self.count) = (receiver, number, fault, count)
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("receiver", &receiver)
      members.always("number", &number)
      members.always("fault", &fault)
      members.always("count", &count)
    }

    /// How often a fault that comes again and again is told to people who did not ask for all.
    private static let often = 3

    /// Whether people are told of it who did not ask for all.
    package var isNews: Bool { count <= Self.often }

    /// `2: { at: load, answer: load_failed, code: 311 }`.
    package var oneLine: String { "\(number): \(fault)" }
  }
}
