package import CastProtocol
package import DeviceControl
package import RunReporting
package import ScenarioLanguage

/// Runs plans on their devices and tells sinks what happened.
package struct Runner: Sendable {
  /// How a run ended.
  package struct Outcome: Hashable, Sendable {
    package typealias Result = RunVerdict
    package var result: RunVerdict
    /// docs/reference.md "Exit codes", before what the executable may add (8, 70).
    package var exitCode: Int32

    package init(result: RunVerdict, exitCode: Int32) {
      self.result = result
      self.exitCode = exitCode
    }
  }

  /// Why a run is being stopped from outside.
  package enum Interruption: Sendable {
    case interrupt
    case terminate
    /// The journal cannot be written: what is done from here on would be known to nobody.
    case unrecorded

    /// How the process ends by it.
    package var exit: RunExit {
      switch self {
      case .interrupt: .interrupted
      case .terminate: .terminated
      case .unrecorded: .reportNotWritten
      }
    }
    /// The number of ``exit``.
    package var rawValue: Int32 { exit.rawValue }
  }

  /// Runs `plan`; returns when `finally` is done and `run.finished` was recorded.
  ///
  /// `interruptions` yields when the user wants out: the first ends the running step and runs `finally`, a second skips it.
  package static func run(
    _ plan: Plan, on access: DeviceAccess, times: TimeSources, configuration: RunConfiguration,
    interruptions: AsyncStream<Interruption>, reportingTo sink: any EventSink
  ) async -> Outcome {
    await run(
      RunnableDocument(plan), on: access, times: times, configuration: configuration, interruptions: interruptions,
      reportingTo: sink)
  }

  /// Runs the rows of a document as one run.
  package static func run(
    _ document: RunnableDocument, on access: DeviceAccess, times: TimeSources, configuration: RunConfiguration,
    interruptions: AsyncStream<Interruption>, reportingTo sink: any EventSink
  ) async -> Outcome {
    let run = RunSchedule(document, on: access, times: times, configuration: configuration, sink: sink)
    let (cancellations, cancelled) = AsyncStream<Interruption>.makeStream()
    let listeners = [interruptions, cancellations].map { stream in
      times.show.spawn {
        for await interruption in stream { await run.interrupt(interruption) }
      }
    }
    // Cancelling the caller's task asks the run to stop as a signal does; finally still runs.
    let outcome = await withTaskCancellationHandler {
      await run.perform()
    } onCancel: {
      cancelled.yield(.terminate)
    }
    cancelled.finish()
    for listener in listeners {
      listener.cancel()
      await listener.value
    }
    return outcome
  }
}
