package import CastProtocol

/// What a playlist compiles to: what should be on which screen when.
package struct PlaylistPlan: Encodable, Hashable, Sendable {
  package var language = 1
  /// Stable identity in reports: the document's `id`, else its file's stem.
  package var id: String
  /// The text after `playlist:`.
  package var title: String
  /// The document as named on the command line.
  package var file: String
  package var tags: [String] = []
  package var devices: Plan.DeviceSet
  /// The devices the document knows, by inventory id.
  package var inventory: [String: Plan.DeviceSelector] = [:]
  /// The IANA name; `nil`: the clock of the computer.
  package var timeZone: String?
  /// The id of the receiver app that shows every item.
  package var appID: String
  /// From 0 to 1; `nil`: as it is.
  package var volume: Double?
  /// The first rule whose time matches is on screen.
  package var program: [Rule] = []
  package var interrupts: [Interrupt] = []
  /// Shown when no rule matches or an item fails.
  package var fallback: [Item] = []
  package var quiet: Quiet?
  package var takeover = Takeover()
  /// How often a still image is loaded again before the receiver falls asleep; `nil`: never.
  package var keepAwake: Duration? = .seconds(300)
  package var watchdog = Watchdog()
  package var onError = OnError.fallback
  package var ledger = Ledger()
  /// What happens outside, in the order of the document.
  package var triggers: [Trigger] = []
  /// Whom to tell of what, in the order of the document.
  package var notify: [Notification] = []
  package var power: Power?
  /// The secrets that it needs; never their values.
  package var secrets: [Plan.Secret] = []
  /// The calendars on the web, each address once.
  package var calendarFeeds: [CalendarFeed] = []
  /// Whether all screens begin each item at the same moment.
  package var isSynchronised = false
  /// The place of the key `playlist`.
  package var span: SourceSpan

  /// One thing to show.
  package struct Item: Encodable, Hashable, Sendable {
    /// The media's id; `nil` for a bare URL.
    package var id: String?
    package var media: MediaInformation
    /// How long; `nil`: to its end.
    package var length: Duration?
    /// How often in a row.
    package var times = 1
    /// Its share where the order is shuffled or weighted.
    package var weight = 1
    /// Only on these days; `nil`: on all.
    package var valid: DateRange?
    package var volume: ItemVolume?
    /// Ids of other systems, such as a campaign's, which the ledger carries along.
    package var ids: [String: String] = [:]
    package var span: SourceSpan

    /// What people call it: its id, else its address.
    package var name: String { id ?? media.contentID }

    package init(id: String?, media: MediaInformation, length: Duration?, span: SourceSpan) {
      self.id = id
      self.media = media
      self.length = length
      self.span = span
    }
  }

  /// What an item says about its own volume.
  package enum ItemVolume: Encodable, Hashable, Sendable {
    case keep
    /// From 0 to 1.
    case level(Double)
  }

  /// A time condition and the daypart it came from.
  package struct During: Encodable, Hashable, Sendable {
    /// `nil` for one written in place.
    package var name: String?
    package let condition: TimeCondition
    /// Where it is written; `nil` for `any_time`.
    package let span: SourceSpan?
    /// ``TimeCondition/weeklyIntervals``, worked out once.
    let week: WeeklyIntervals

    /// As its condition, without what follows from it.
    package func encode(to encoder: any Encoder) throws { try condition.encode(to: encoder) }

    init(name: String?, condition: TimeCondition, span: SourceSpan? = nil) {
      self.name = name
      self.span = span
      self.condition = condition
      week = condition.weeklyIntervals
    }

    package static let anyTime = During(name: "any_time", condition: .anyTime)
  }

  /// One entry of `program:`.
  package struct Rule: Encodable, Hashable, Sendable {
    package enum Order: String, Encodable, Hashable, Sendable, CaseIterable { case listed, shuffle, weighted }
    package enum Switch: String, Encodable, Hashable, Sendable, CaseIterable {
      case afterItem = "after_item"
      case immediately
    }
    package var during: During
    package var items: [Item]
    package var order = Order.listed
    /// False: after the last item the next rule that matches goes on, until the window opens again.
    package var repeats = true
    /// What happens at the end of the window.
    package var switches = Switch.afterItem
    package var span: SourceSpan
  }

  /// One entry of `interrupts:`.
  package struct Interrupt: Encodable, Hashable, Sendable {
    package enum Then: String, Encodable, Hashable, Sendable, CaseIterable { case resume, restart, next }
    package var cause: Cause
    package var during: During
    package var items: [Item]
    package var cut = Rule.Switch.afterItem
    /// Dropped when later than this; `nil`: it waits.
    package var maxDelay: Duration?
    package var then = Then.resume
    package var span: SourceSpan

    /// What makes it due.
    package enum Cause: Encodable, Hashable, Sendable {
      /// Times of the clock.
      case times(Recurrence)
      /// Something outside.
      case trigger(TriggerUse)
    }

    /// How an interrupt follows a trigger.
    package struct TriggerUse: Encodable, Hashable, Sendable {
      /// The trigger's name in `triggers`.
      package var name: String
      /// Its items go on, again and again, until the trigger is cleared; otherwise they are shown once.
      package var untilCleared: Bool
      /// It ends after this time in any case; `nil`: it does not.
      package var atMost: Duration?
    }

    /// When the clock makes it due; `nil`: something else does.
    package var recurrence: Recurrence? { if case .times(let recurrence) = cause { recurrence } else { nil } }
    /// The trigger that makes it due.
    package var trigger: TriggerUse? { if case .trigger(let use) = cause { use } else { nil } }
  }

  /// When the screen rests.
  package struct Quiet: Encodable, Hashable, Sendable {
    package enum Screen: String, Encodable, Hashable, Sendable, CaseIterable { case stop, blank, keep }
    package var condition: TimeCondition
    package var screen = Screen.stop
    package var mutes = false
    package var span: SourceSpan
  }

  /// Somebody else casts.
  package struct Takeover: Encodable, Hashable, Sendable {
    package enum Policy: String, Encodable, Hashable, Sendable, CaseIterable { case yield, reclaim, stop }
    package var policy = Policy.yield
    package var resumeAfter: Duration = .seconds(600)
    package var ignoredApps: [String] = []
  }

  /// What to do with a stuck player.
  package struct Watchdog: Encodable, Hashable, Sendable {
    package enum Remedy: String, Encodable, Hashable, Sendable, CaseIterable { case reload, relaunch, reconnect }
    package var stalledAfter: Duration = .seconds(30)
    package var bufferingOver: Duration = .seconds(20)
    /// The first remedy; the others follow in their order.
    package var then = Remedy.reload
    package var retry = RetryPolicy()
  }

  /// What happens to an item that will not load.
  package enum OnError: String, Encodable, Hashable, Sendable, CaseIterable { case skip, retry, fallback }

  /// Proof of play.
  package struct Ledger: Encodable, Hashable, Sendable {
    package enum Rotation: String, Encodable, Hashable, Sendable, CaseIterable { case never, daily, weekly, monthly }
    /// Relative to the document; `nil`: in the state folder.
    package var file: String?
    package var rotation = Rotation.daily
    package var signs = false
  }
}
