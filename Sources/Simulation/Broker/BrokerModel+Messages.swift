import FleetMessages

/// Subscriptions, and the ways of messages.
extension BrokerModel {
  mutating func subscribe(
    _ id: ConnectionID, _ text: String, _ options: BrokerCommand.Subscription, _ now: Duration
  ) -> [Effect] {
    guard connections[id] != nil else { return [] }
    guard let filter = TopicFilter(text) else { return end(id, .misused, now) }
    let subscription = Subscription(filter: filter, includesOwn: options.includesOwn)
    // The same filter again takes the place of the first, and what is retained comes again (3.8.4).
    if let place = connections[id]?.subscriptions.firstIndex(where: { $0.filter == filter }) {
      if !habits.keepsFirstOptions { connections[id]?.subscriptions[place] = subscription }
    } else {
      connections[id]?.subscriptions.append(subscription)
      if filter.group != nil { groups[filter, default: []].append(id) }
    }
    guard filter.group == nil || habits.givesRetainedToGroups else { return [] }
    var effects: [Effect] = []
    for (_, kept) in retained.sorted(by: { $0.key < $1.key }) where filter.matches(kept.topic) {
      effects += deliver(Delivery(message: kept.message, end: kept.end), to: id, now)
    }
    return effects
  }

  mutating func unsubscribe(_ id: ConnectionID, _ filter: TopicFilter) {
    connections[id]?.subscriptions.removeAll { $0.filter == filter }
    if filter.group != nil { leave(filter, id) }
  }

  mutating func leave(_ shared: TopicFilter, _ id: ConnectionID) {
    groups[shared]?.removeAll { $0 == id }
    if groups[shared]?.isEmpty == true { groups[shared] = nil }
  }

  mutating func publish(_ id: ConnectionID, _ message: BrokerMessage, _ token: Int?, _ now: Duration) -> [Effect] {
    guard let connection = connections[id] else { return [] }
    guard TopicFilter.Topic(message.topic) != nil else { return end(id, .misused, now) }
    var effects = spread(message, from: connection.clientID, now)
    if let token { effects.append(.acknowledged(id, token)) }
    return effects
  }

  /// Gives a message to all who asked for it, and keeps it where it is to be retained.
  mutating func spread(_ message: BrokerMessage, from clientID: String?, _ now: Duration) -> [Effect] {
    // Nobody but the broker itself speaks below `$`.
    guard let topic = TopicFilter.Topic(message.topic), !message.topic.hasPrefix("$") else { return [] }
    let end = message.expiry.map { .seconds(now.components.seconds) + $0 }
    if message.isRetained { keep(Kept(topic: topic, message: message, end: end), now) }
    // To those who are there already it is news (3.3.1.3, retain as published is 0).
    var news = message
    news.isRetained = false
    var effects: [Effect] = []
    for id in order {
      guard let connection = connections[id] else { continue }
      for subscription in connection.subscriptions where subscription.filter.group == nil {
        guard subscription.includesOwn || connection.clientID != clientID, subscription.filter.matches(topic) else {
          continue
        }
        effects += deliver(Delivery(message: news, end: end), to: id, now)
        if !habits.repeatsOverlaps { break }
      }
    }
    for shared in groups.keys.filter({ $0.matches(topic) }).sorted(by: { $0.text < $1.text }) {
      effects += share(Delivery(message: news, end: end, shared: shared), in: shared, now)
    }
    return effects
  }

  private mutating func keep(_ kept: Kept, _ now: Duration) {
    if kept.message.payload.isEmpty {
      retained[kept.topic.text] = nil
      return
    }
    if retained[kept.topic.text] == nil, retained.count >= habits.mostRetained {
      retained = retained.filter { $0.value.message(at: now) != nil }
      if retained.count >= habits.mostRetained { return }
    }
    retained[kept.topic.text] = kept
  }

  /// Gives it to one of the group, in turn.
  mutating func share(_ delivery: Delivery, in shared: TopicFilter, _ now: Duration) -> [Effect] {
    guard var members = groups[shared], let next = members.first else { return [] }
    members.append(members.removeFirst())
    groups[shared] = members
    return deliver(delivery, to: next, now)
  }

  private mutating func deliver(_ delivery: Delivery, to id: ConnectionID, _ now: Duration) -> [Effect] {
    guard let connection = connections[id] else { return [] }
    guard delivery.message.quality == .atLeastOnce else {
      return Self.fresh(delivery.message, until: delivery.end, at: now).map { [.deliver(id, $0, number: nil)] } ?? []
    }
    guard connection.inFlight.count >= habits.mostInFlight else { return send(delivery, to: id, now) }
    if connection.queue.count < habits.mostQueued { connections[id]?.queue.append(delivery) }
    return []
  }

  private mutating func send(_ delivery: Delivery, to id: ConnectionID, _ now: Duration) -> [Effect] {
    guard let message = Self.fresh(delivery.message, until: delivery.end, at: now),
      let number = connections[id].map({ $0.lastNumber + 1 })
    else { return [] }
    connections[id]?.lastNumber = number
    connections[id]?.inFlight[number] = delivery
    return [.deliver(id, message, number: number)]
  }

  mutating func sendQueued(_ id: ConnectionID, _ now: Duration) -> [Effect] {
    var effects: [Effect] = []
    while let connection = connections[id], connection.inFlight.count < habits.mostInFlight, !connection.queue.isEmpty {
      guard let delivery = connections[id]?.queue.removeFirst() else { break }
      effects += send(delivery, to: id, now)
    }
    return effects
  }
}
