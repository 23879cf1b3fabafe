/// What happened on the devices of one or several scenarios that ran at the same time, ready to be drawn.
struct RunTimeline: Sendable {
  /// A judged expectation: from its step's begin to its verdict.
  struct Window: Hashable, Sendable {
    var start: Double
    var end: Double
    /// When it would have ended at the latest.
    var deadline: Double?
    var step: String
    var text: String
    var hasPassed: Bool
  }

  /// One of the document's own steps.
  struct Bar: Hashable, Sendable {
    var id: String
    var name: String
    var start: Double
    /// `nil` while it runs.
    var end: Double?
    /// `nil` while it runs.
    var result: StepResult?
  }

  /// The lanes of one device.
  struct Device: Sendable {
    var id: String?
    var steps: [Bar] = []
    var link = Lane()
    var app = Lane()
    var player = Lane()
    var adBreak = Lane()
    var rate = Lane()
    var position = PositionTrack()
    var windows: [Window] = []
    var messages = Moments()
    var faults = Moments()
    var monitors = Moments()
    var marks = Moments()
    var statuses = StatusLog()
    /// Steps and expectations for which there was no room.
    var missedBars = 0

    /// The longest time that the player was buffering, and since when.
    var longestStall: (length: Double, since: Double)?

    init(_ id: String?) { self.id = id }

    /// The player was buffering until now.
    mutating func note(stallSince since: Double?, until time: Double) {
      guard let since, time - since > longestStall?.length ?? 0 else { return }
      longestStall = (time - since, since)
    }
  }

  /// How many steps, and how many expectations, a device keeps.
  static let barLimit = 2_000

  /// Document seconds since the run began.
  var start: Double
  var end: Double
  var devices: [Device] = []
  /// Its scenarios, as places in the transcript.
  var scenarios: [Int] = []

  /// How many devices have lanes.
  static let deviceLimit = 200
  /// Whether there are more.
  private(set) var hasMoreDevices = false

  /// The place of a device among its lanes, which is made where there is none; `nil` where there is no room.
  mutating func index(of device: String?) -> Int? {
    if let index = devices.firstIndex(where: { $0.id == device }) { return index }
    guard devices.count < Self.deviceLimit else {
      hasMoreDevices = true
      return nil
    }
    devices.append(Device(device))
    return devices.count - 1
  }
}
