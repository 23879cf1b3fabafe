package import CastProtocol

extension Plan {
  /// What a step does. Adding a case makes the compiler name every switch that must learn it.
  package enum Action: Codable, Hashable, Sendable {
    case discover(DiscoverAction)
    /// `host` replaces the device's address, `authentication` what the device's entry of the inventory asks.
    case connect(host: HostAndPort?, authentication: DeviceRequirements.Authentication?)
    case disconnect(abrupt: Bool)
    case launch(LaunchAction)
    case stopApp
    case volume(VolumeAction)
    case mute(Bool)
    case load(LoadAction)
    case play, pause, stop
    case seek(SeekAction)
    case rate(RateAction)
    /// Track ids or languages as written; resolved against the media that plays.
    case tracks([String])
    case textStyle(TextTrackStyle)
    case skipAd(force: Bool)
    case refresh(RefreshTarget)
    case wait(Amount)
    case waitUntil(Condition)
    case mark(Template)
    case log(Template)
    case fail(Template)
    case expect(ExpectAction)
    case always(WindowAction)
    case never(WindowAction)
    case expectSequence(SequenceAction)
    case queue(QueueAction)
    case queueInsert(QueueInsertAction)
    case queueRemove([QueueItemReference])
    case queueJump(QueueJump)
    case queueUpdate(QueueUpdateAction)
    case queueReorder(QueueReorderAction)
    case transfer(TransferAction)
    case send(SendAction)
    case probe(ProbeAction)
    case expectMessage(MessageAction)
    case expectTogether(TogetherAction)
    /// Assigns declared variables, in the document's order.
    case set([Assignment])
    /// Keeps what the step's `save` names, and does no more.
    case save
    /// `group`, and what `use` and a `for_each` over a known list unroll to.
    case group(GroupAction)
    case choose([Branch])
    case `repeat`(RepeatAction)
    /// Over a list that only the run knows.
    case forEach(ForEachAction)
    case parallel(ParallelAction)
    case exec(ExecAction)
  }

  /// A number known at compile time or saved by an earlier step: seconds, percent points or a plain number.
  package enum Amount: Codable, Hashable, Sendable {
    case literal(Double)
    case saved(String)
  }

  /// Text with holes that only a run can fill: `device.name`, `attempt`, `run.id`, or a saved value.
  package struct Template: Codable, Hashable, Sendable {
    package enum Part: Codable, Hashable, Sendable {
      case text(String)
      case value(String)
    }
    package var parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }
  }

  package struct DiscoverAction: Codable, Hashable, Sendable {
    /// `nil` when `for` was omitted: over as soon as `atLeast` were found.
    package var listenFor: Duration?
    package var atLeast = 1
    package var selector: DeviceSelector?
    package var via = Way.both

    package enum Way: String, Codable, Hashable, Sendable { case mdns, hosts, both }

    package init() {}
  }

  package struct LaunchAction: Codable, Hashable, Sendable {
    package enum Join: String, Codable, Hashable, Sendable { case auto, never, only }
    package var appID: String
    package var language: String?
    package var params: JSONValue?
    /// `WEB`, `ANDROID_TV`; documents leave it to the device.
    package var appTypes: [String]?
    package var join = Join.auto

    package init(appID: String) { self.appID = appID }
  }

  package struct VolumeAction: Codable, Hashable, Sendable {
    /// Percent.
    package var level: Amount
    package var ramp: Duration = .zero

    package init(level: Amount) { self.level = level }
  }

  package struct LoadAction: Codable, Hashable, Sendable {
    package enum Until: String, Codable, Hashable, Sendable { case accepted, loaded, playing, paused }
    /// The media's id, `nil` for a bare URL.
    package var mediaID: String?
    /// Complete but for the request id.
    package var request: LoadRequest
    /// The app to load into: `nil` is the app the run launched or joined last, else `defaultAppID`.
    package var appID: String?
    package var defaultAppID: String
    package var until = Until.playing
    /// The document's names of tracks, by wire id.
    package var trackNames: [Int: String] = [:]
    package var places = MediaSpans()

    package init(request: LoadRequest, defaultAppID: String) {
      self.request = request
      self.defaultAppID = defaultAppID
    }
  }

  /// Where a media says what proofs rest on.
  package struct MediaSpans: Codable, Hashable, Sendable {
    package var duration: SourceSpan?
    /// The `at` of each break, by id.
    package var breaks: [String: SourceSpan] = [:]
    /// The `duration` of each clip that has one, by id.
    package var clips: [String: SourceSpan] = [:]

    package init() {}
  }

  package struct SeekAction: Codable, Hashable, Sendable {
    package enum Target: Codable, Hashable, Sendable {
      /// Seconds.
      case to(Amount)
      case toStart, toEnd
      /// Signed seconds from where it is.
      case by(Double)
    }
    package enum Then: String, Codable, Hashable, Sendable { case keep, play, pause }
    package var target: Target
    package var then = Then.keep
    package var tolerance: Duration = .seconds(2)

    package init(target: Target) { self.target = target }
  }

  package enum RateAction: Codable, Hashable, Sendable {
    case to(Amount)
    case by(Double)
  }

  package enum RefreshTarget: String, Codable, Hashable, Sendable { case media, receiver, both }

  package struct ExpectAction: Codable, Hashable, Sendable {
    package var condition: Condition
    /// Zero looks once.
    package var within: Duration
    /// Must then hold this long.
    package var holdFor: Duration?
    package var because: String?

    package init(condition: Condition, within: Duration) {
      self.condition = condition
      self.within = within
    }
  }

  /// `always` and `never`.
  package struct WindowAction: Codable, Hashable, Sendable {
    package var condition: Condition
    package var during: Duration
    /// `never ... for`: broken only after this long in a row.
    package var forAtLeast: Duration?
    package var because: String?

    package init(condition: Condition, during: Duration) {
      self.condition = condition
      self.during = during
    }
  }

  package struct SequenceAction: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
      package var condition: Condition
      package init(_ condition: Condition) { self.condition = condition }
    }
    package var entries: [Entry]
    package var within: Duration
    /// The step whose start the look-back begins at; `nil`: the last action step.
    package var since: String?
    /// No other status may lie between.
    package var forbidsGaps = false
    package var because: String?

    package init(entries: [Entry], within: Duration) {
      self.entries = entries
      self.within = within
    }
  }
}
