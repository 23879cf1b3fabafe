package import FleetMessages

/// What comes from the broker, who may say anything.
extension SiteMachine {
  /// Takes a message of the broker, which may be anything.
  package mutating func receive(_ message: BrokerMessage, at time: Duration, unixTime: Double) -> [BrokerCommand] {
    if let homeAssistant, message.topic == homeAssistant.birthTopic {
      if message.payload == Array("online".utf8), !message.isRetained { birth(homeAssistant, at: time) }
      return []
    }
    if let isOwn = homeAssistant?.isOwn(message.topic) {
      if isOwn { find(message) }
      return []
    }
    guard let topic = FleetTopic(message.topic), topic.site == site else {
      return refuse("a message on `\(message.topic)`, which nobody asked for", at: time)
    }
    switch topic {
    case .documentPut(_, let id): return receiveDocument(message, topic, id, at: time, unixTime)
    case .orderPut(_, let id): return receiveOrder(message, topic, id, at: time, unixTime)
    case .screenSet(_, let screen): return receivePlain(message, screen, at: time, unixTime)
    case .screenState, .alert, .documentReport, .ledger:
      find(message)
      return []
    case .availability, .health, .screenEvent, .documentPrevious, .orderReport:
      return refuse("a message on `\(message.topic)`, which nobody asked for", at: time)
    }
  }

  private mutating func find(_ message: BrokerMessage) {
    // What comes live is not the site's own: a broker gives nobody back what he published (MQTT 5.0, 3.8.3.1, no local).
    if !message.isRetained { return mirror.overwritten(message.topic, by: message.payload) }
    if !message.payload.isEmpty { mirror.find(message.topic) }
  }

  private mutating func birth(_ bridge: HomeAssistantBridge, at time: Duration) {
    if let lastBirth, time - lastBirth < Self.birthPause { return }
    lastBirth = time
    birthAt = time + bridge.spread
  }

  private mutating func refuse(_ what: String, at time: Duration) -> [BrokerCommand] {
    guard refusals.note(what, at: time) else { return [] }
    return [.reconnect(after: Self.floodPause)]
  }

  private mutating func receiveDocument(
    _ message: BrokerMessage, _ topic: FleetTopic, _ id: String, at time: Duration, _ unixTime: Double
  ) -> [BrokerCommand] {
    guard message.payload.isEmpty || checks.take(at: time) else {
      return later(topic, "too many came at once", at: time)
    }
    switch documents.receive(message.payload, on: topic, id: id, by: keys, at: unixTime) {
    case .waits, .nothing: return []
    case .known:
      mirror.again(FleetTopic.documentReport(site, id: id).text)
      return []
    case .refused(let why): return refuse("`\(topic.text)` was not taken: \(why)", at: time)
    case .later(let why): return later(topic, why, at: time)
    }
  }

  private mutating func later(_ topic: FleetTopic, _ why: String, at time: Duration) -> [BrokerCommand] {
    asksAt = asksAt ?? time + Self.askingPause
    return refuse("`\(topic.text)` was not taken: \(why)", at: time)
  }

  private mutating func receiveOrder(
    _ message: BrokerMessage, _ topic: FleetTopic, _ id: String, at time: Duration, _ unixTime: Double
  ) -> [BrokerCommand] {
    // Somebody tidies up.
    if message.payload.isEmpty { return [] }
    guard checks.take(at: time) else { return refuse("`\(topic.text)`: too many came at once", at: time) }
    let verdict = orders.receive(message.payload, on: topic, id: id, by: keys, at: unixTime, time)
    let answer = verdict.report.map { [publication(of: $0)] } ?? []
    return answer + (verdict.refusal.map { refuse("`\(topic.text)` was not obeyed: \($0)", at: time) } ?? [])
  }

  func publication(of report: OrderReport) -> BrokerCommand {
    .publish(BrokerMessage(FleetTopic.orderReport(site, id: report.id).text, report.payload))
  }

  private mutating func receivePlain(
    _ message: BrokerMessage, _ level: String, at time: Duration, _ unixTime: Double
  ) -> [BrokerCommand] {
    let name = "`\(message.topic)`"
    guard let homeAssistant else { return refuse("\(name): the site takes no plain orders", at: time) }
    // A retained one would come again with each connection.
    if message.isRetained { return refuse("\(name) was not obeyed: an order must not be retained", at: time) }
    guard message.payload.count <= 4 << 10, let order = homeAssistant.order(message.payload) else {
      return refuse("\(name) was not obeyed: it is no order", at: time)
    }
    guard let screen = states.names.screen(at: level) else {
      return refuse("\(name) was not obeyed: there is no such screen", at: time)
    }
    guard let why = orders.receive(order, for: screen, at: unixTime, time) else { return [] }
    return refuse("\(name) was not obeyed: \(why)", at: time)
  }
}
