package import CastProtocol
import DeviceControl
package import ScenarioLanguage

/// A step in a few words, for who watches a recording being made.
extension ScenarioRecorder {
  /// The verb that the scenario has for it, and what was seen; `nil` for what is no step.
  package func words(of step: RecordedStep) -> (verb: Verb, text: String)? {
    switch step.act {
    case .launch(let app):
      let name = RecordedText.clean(app.name.isEmpty ? app.id : app.name, limit: 80)
      return (.launch, app.isJoined ? "\(name) runs" : "\(name) was launched")
    case .stopApp: return (.stopApp, "the app was stopped")
    case .load(let load):
      let count = load.queue.map { queues[$0].initial.count } ?? 0
      let more = count > 1 ? ", the first of \(count) items that are known" : ""
      return (count > 1 ? .queue : .load, "\(name(of: load.media)) was loaded\(more)")
    case .failedLoad(let load, let code):
      return (.load, "\(name(of: load.media)) could not be loaded\(code.map { ": \($0)" } ?? "")")
    case .pause: return (.pause, "paused\(Self.place(step))")
    case .play: return (.play, "played on\(Self.place(step))")
    case .stop: return (.stop, "the media was stopped")
    case .seek(let seek):
      return (.seek, seek.isLive ? "sought by \(seek.by.decimals(0))s" : "sought to \(DeviceState.clock(seek.to))")
    case .rate(let rate): return (.rate, "rate \(rate.decimals(2))")
    case .tracks(let ids, let place):
      let tracks = (media[place]?.tracks ?? []).filter { ids.contains($0.trackID) }
      let names = tracks.prefix(5).map { RecordedText.clean($0.language ?? $0.name ?? String($0.trackID), limit: 30) }
      return (.tracks, ids.isEmpty ? "tracks off" : "tracks \(names.joined(separator: ", "))")
    case .textStyle: return (.textStyle, "captions look otherwise")
    case .skipAd: return (.skipAd, "an ad was skipped")
    case .volume(let level): return (.volume, "volume \((level * 100).decimals(0))%")
    case .mute(let isMuted): return (.mute, isMuted ? "muted" : "unmuted")
    case .jump(let jump): return (.queueJump, "to \(name(of: jump.media))")
    case .insert(let ids, _, _): return (.queueInsert, Self.items(ids, "put into the queue"))
    case .remove(let ids, _): return (.queueRemove, Self.items(ids, "taken out of the queue"))
    case .reorder: return (.queueReorder, "the queue has another order")
    case .repeatMode(let mode): return (.queueUpdate, "repeat \(mode.word)")
    case .finished: return (.expect, "played to its end")
    case .advanced(let place): return (.expect, "\(name(of: place)) came next")
    case .failed(let code): return (.expect, "playing ended with an error\(code.map { ": \($0)" } ?? "")")
    case .away, .end: return nil
    }
  }

  private func name(of place: Int) -> String {
    media[place].map(Self.name) ?? "something"
  }

  /// What people may be told of it: its title, else the file of its address, which may hold a token elsewhere.
  package static func name(of media: MediaInformation) -> String {
    if let title = RecordedDefinitions.title(of: media) { return RecordedText.clean(title, limit: 80) }
    let names = [RecordedAddress.file(of: media.contentID), RecordedAddress.host(of: media.contentID)]
    return names.map { RecordedText.clean($0, limit: 80) }.first { !$0.isEmpty } ?? "something"
  }

  private static func place(_ step: RecordedStep) -> String {
    step.position.map { " at \(DeviceState.clock($0))" } ?? ""
  }

  private static func items(_ ids: [Int], _ what: String) -> String {
    ids.count == 1 ? "an item was \(what)" : "\(ids.count) items were \(what)"
  }
}
