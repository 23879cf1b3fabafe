import CastClient
import CastProtocol
import ScenarioLanguage
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("Files of this computer: what is sent, and why they do not play") struct LocalMediaTests {
  typealias Setting = SessionLab.Setting

  /// A server as a table: what came of each address, before a load and after it.
  final class Served: Sendable {
    let contents = Mutex<[LocalMedia.Content]>([])
    private let asked = Mutex<[String: Int]>([:])
    let before: LocalMedia.Fetches
    let after: [String: LocalMedia.Fetches]

    init(
      before: LocalMedia.Fetches = .init(count: 5, refused: 2, refusal: "long ago"), after: [String: LocalMedia.Fetches]
    ) {
      (self.before, self.after) = (before, after)
    }

    var media: LocalMedia {
      LocalMedia(
        address: { content, host throws(StepFailure) in
          self.contents.withLock { $0.append(content) }
          return "http://192.0.2.9:1/m/0/\(content.url.dropFirst("file:".count))"
        },
        fetches: { address, _ in
          let name = String(address.split(separator: "/").last ?? "")
          let isFirst = self.asked.withLock { asked in
            asked[name, default: 0] += 1
            return asked[name] == 1
          }
          return isFirst ? self.before : self.after[name] ?? self.before
        })
    }
  }

  private static func failing(_ served: Served, _ change: @escaping (inout SessionLab.Setting) -> Void = { _ in })
    -> Setting
  {
    Setting {
      $0.localMedia = served.media
      $0.scene.replies = ["LOAD": ["type": "LOAD_FAILED"], "QUEUE_LOAD": ["type": "LOAD_FAILED"]]
      change(&$0)
    }
  }

  private static let again = LocalMedia.Fetches(count: 6, refused: 2, refusal: "long ago")
  private static let refused = LocalMedia.Fetches(count: 5, refused: 3, refusal: "a request for it came from 10.0.0.7")

  @Test("A device that has not asked for the film since this load is told, whatever it asked for before")
  func never() throws {
    for (after, says, hides) in [
      (nil, "the device never fetched http://192.0.2.9:1/m/0/a.mp4", "long ago"),
      (Self.again, "", "never fetched"),
      (
        Self.refused, "the device never fetched http://192.0.2.9:1/m/0/a.mp4; a request for it came from 10.0.0.7",
        "long ago"
      ),
    ] as [(LocalMedia.Fetches?, String, String)] {
      for isQueue in [false, true] {
        let served = Served(after: after.map { ["a.mp4": $0] } ?? [:])
        try SessionLab.connected(Self.failing(served)) { lab in
          let failure = await lab.perform(
            isQueue ? .queueLoad(LoadVerbTests.queue(["file:a.mp4"])) : .load(LoadVerbTests.load("file:a.mp4")))
          let text = failure?.message ?? "none"
          #expect(failure?.errorClass == .loadFailed && text.hasSuffix(says) && !text.contains(hides), "\(text)")
          let cure = failure?.help ?? ""
          #expect(
            cure.contains(after == Self.refused ? "a router or a proxy" : says.isEmpty ? "" : "a firewall"), "\(cure)")
        }
      }
    }
  }

  private static func withSubtitles(_ type: String) -> Plan.LoadAction {
    var action = LoadVerbTests.load("file:a.mp4", tracks: [1])
    var track = MediaInformation.Track()
    (track.trackID, track.type, track.language) = (1, "TEXT", "pl")
    (track.trackContentID, track.trackContentType) = ("file:a.srt", type)
    action.request.media.tracks = [track]
    return action
  }

  @Test("Subtitles that do not come on, and were not asked for, are named")
  func subtitles() throws {
    let served = Served(after: ["a.mp4": Self.again])
    try SessionLab.connected(Setting { $0.localMedia = served.media }) { lab in
      let failure = await lab.perform(.load(Self.withSubtitles("text/vtt")))
      #expect(failure?.errorClass == .timeout, "\(String(describing: failure))")
      #expect(
        failure?.message.hasSuffix("the device never fetched http://192.0.2.9:1/m/0/a.srt") == true,
        "\(String(describing: failure))")
    }
  }

  @Test("The encoding of a file of subtitles is for who serves it, the device is told the type only")
  func encoding() throws {
    for (type, encoding) in [
      ("text/vtt; charset=\"windows-1250\"", "windows-1250"), ("text/vtt ;x=1; Charset = big5", "big5"),
      ("text/vtt", nil),
    ] as [(String, String?)] {
      let served = Served(after: [:])
      try SessionLab.connected(Setting { $0.localMedia = served.media }) { lab in
        _ = await lab.perform(.load(Self.withSubtitles(type)))
        let content = served.contents.withLock { $0.first { $0.url == "file:a.srt" } }
        #expect(content?.encoding == encoding && content?.language == "pl")
        let sent = lab.stage.sent.first { $0["type"]?.string == "LOAD" }?["media"]?["tracks"]?.array?.first
        #expect(sent?["trackContentType"]?.string == "text/vtt", "\(String(describing: sent))")
        #expect(sent?["trackContentId"]?.string == "http://192.0.2.9:1/m/0/a.srt")
      }
    }
  }

  @Test("A device knows the files that it was sent last, however many there were")
  func bounded() {
    var files = ServedFiles()
    for number in 0..<(ServedFiles.most * 3) { files.note("file:\(number)", as: "http://\(number)", after: .init()) }
    let known = (0..<(ServedFiles.most * 3)).count { files.address(of: "file:\($0)") != nil }
    #expect(known <= ServedFiles.most && files.address(of: "file:\(ServedFiles.most * 3 - 1)") != nil)
    #expect(files.before("http://0") == nil)
  }
}
