package import CastProtocol

/// What plays in an app, its queue, and the channels of its own.
extension CastConnection {
  /// Sends LOAD; returns the media session id as soon as a status of the new media session appeared.
  ///
  /// "Done when" beyond that is the caller's to judge from observations.
  package func load(
    _ request: LoadRequest, in session: AppSession, until deadline: Duration
  ) async throws(ClientError) -> Int {
    let outcome = await perform { $0.load(request, in: session, token: $1, until: deadline) }
    guard case .mediaSession(let id) = try outcome.get() else { throw Self.wrongOutcome }
    return id
  }

  /// Sends a command and returns at its reply (a status that carries its id, or a later one that shows its effect).
  package func command(
    _ request: MediaRequest, in session: AppSession, until deadline: Duration
  ) async throws(ClientError) {
    _ = try await perform { $0.command(request, in: session, token: $1, until: deadline) }.get()
  }

  /// Asks the app for its media status; the answer is an observation marked `polled`.
  /// - Parameter deadline: Show time; `nil`: as long as any reply.
  package func refreshMedia(in session: AppSession, until deadline: Duration? = nil) async throws(ClientError) {
    _ = try await perform { $0.refreshMedia(in: session, until: deadline, token: $1) }.get()
  }

  // MARK: queues and sessions

  /// Sends QUEUE_LOAD; as ``load(_:in:until:)``.
  package func load(
    _ request: QueueLoadRequest, in session: AppSession, until deadline: Duration
  ) async throws(ClientError) -> Int {
    let outcome = await perform { $0.command(.queueLoad(request), in: session, token: $1, until: deadline) }
    guard case .mediaSession(let id) = try outcome.get() else { throw Self.wrongOutcome }
    return id
  }

  /// All items of the app's queue in their order; those whose content the app does not tell have only their id.
  /// - Parameter needsItems: Else the ids are all that is asked for.
  package func queue(
    in session: AppSession, needsItems: Bool, until deadline: Duration
  ) async throws(ClientError) -> [QueueItem] {
    let outcome = await perform {
      $0.fetchQueue(in: session, needsItems: needsItems, token: $1, until: deadline)
    }
    guard case .queue(let items) = try outcome.get() else { throw Self.wrongOutcome }
    return items
  }

  /// What another device needs to go on where this one stands: the app's own words.
  package func storeSession(in session: AppSession, until deadline: Duration) async throws(ClientError) -> JSONValue {
    let outcome = await perform { $0.storeSession(in: session, token: $1, until: deadline) }
    guard case .sessionState(let state) = try outcome.get() else { throw Self.wrongOutcome }
    return state
  }

  /// Goes on where another device stood; returns as ``load(_:in:until:)`` does.
  package func resume(
    _ state: JSONValue, in session: AppSession, until deadline: Duration
  ) async throws(ClientError) -> Int {
    let outcome = await perform { $0.resume(state, in: session, token: $1, until: deadline) }
    guard case .mediaSession(let id) = try outcome.get() else { throw Self.wrongOutcome }
    return id
  }

  // MARK: channels of apps

  /// Sends a message on a namespace of the app, or of the platform where `session` is `nil`; returns when it is out.
  ///
  /// Answers come as observations of scope `message`.
  /// - Throws: `refused_locally` for what is no namespace, `invalid_request` where the app does not offer it.
  package func send(
    _ payload: CastMessage.Payload, on namespace: Namespace, to session: AppSession?, until deadline: Duration
  ) async throws(ClientError) {
    let target = session.map { SendStateMachine.Target.app($0) } ?? .platform
    _ = try await perform { $0.send(payload, on: namespace, to: target, token: $1, until: deadline) }.get()
  }

  /// Sends a message on a namespace of an app that may not run yet: a channel may be named before there is a session, and
  /// attaches to the first app that offers it, whoever starts that.
  /// - Throws: `timeout` where none does until `deadline`.
  package func sendToNextApp(
    _ payload: CastMessage.Payload, on namespace: Namespace, until deadline: Duration
  ) async throws(ClientError) {
    _ = try await perform { $0.send(payload, on: namespace, to: .nextApp, token: $1, until: deadline) }.get()
  }
}
