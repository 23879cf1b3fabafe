import CastProtocol

/// From the text of a status to the merged status: what each status of each device costs.
enum DecodeBenchmark {
  /// A full MEDIA_STATUS of about 2 KB, as a device sends after a LOAD.
  static let message = ##"""
    {"type":"MEDIA_STATUS","status":[{"mediaSessionId":1,"playbackRate":1,"playerState":"PLAYING","currentTime":12.345678,\##
    "supportedMediaCommands":274447,"volume":{"level":1,"muted":false},"activeTrackIds":[2],"media":{\##
    "contentId":"https://cdn.example.com/films/sintel/master.m3u8","streamType":"BUFFERED",\##
    "contentType":"application/x-mpegurl","mediaCategory":"VIDEO","metadata":{"metadataType":1,"title":"Sintel",\##
    "subtitle":"Release candidate 4","studio":"Blender","releaseDate":"2010-09-27","images":[{\##
    "url":"https://cdn.example.com/films/sintel/poster.jpg","width":640,"height":960}]},"duration":888.064,"tracks":[\##
    {"trackId":1,"type":"AUDIO","language":"en","name":"English"},{"trackId":2,"type":"TEXT","subtype":"SUBTITLES",\##
    "language":"nb","name":"Norsk","trackContentId":"https://cdn.example.com/films/sintel/nb.vtt",\##
    "trackContentType":"text/vtt"},{"trackId":3,"type":"TEXT","subtype":"SUBTITLES","language":"fr",\##
    "name":"Fran\u00e7ais","trackContentId":"https://cdn.example.com/films/sintel/fr.vtt",\##
    "trackContentType":"text/vtt"}],"textTrackStyle":{"backgroundColor":"#00000080","foregroundColor":"#FFFFFFFF",\##
    "edgeType":"DROP_SHADOW","fontScale":1.25},"breakClips":[{"id":"car","title":"Car","duration":15,\##
    "contentUrl":"https://ads.example.com/car.mp4","contentType":"video/mp4","whenSkippable":5},{"id":"soap",\##
    "duration":10,"contentUrl":"https://ads.example.com/soap.mp4","contentType":"video/mp4"}],"breaks":[{"id":"pre",\##
    "breakClipIds":["soap"],"position":0,"isWatched":true},{"id":"mid","breakClipIds":["car","soap"],"position":60,\##
    "isWatched":false}]},"currentItemId":1,"items":[{"itemId":1,"media":{\##
    "contentId":"https://cdn.example.com/films/sintel/master.m3u8","streamType":"BUFFERED",\##
    "contentType":"application/x-mpegurl","mediaCategory":"VIDEO","duration":888.064},"autoplay":true,"orderId":0}],\##
    "videoInfo":{"width":1920,"height":1080,"hdrType":"hdr"},"repeatMode":"REPEAT_OFF"}],"requestId":4}
    """##

  /// Seconds for one message, the median of many rounds.
  static func seconds() throws -> Double {
    let status = CastMessage(
      source: EndpointID("app"), destination: .everyone, namespace: .media, payload: .text(message))
    var tracker = StatusTracker()
    tracker.connected()
    var samples: [Double] = []
    for _ in 0..<60 {
      let started = Stopwatch.now
      for round in 0..<500 {
        tracker.receive(IncomingMessage(status), at: .milliseconds(round))
      }
      samples.append((Stopwatch.now - started) / 500)
    }
    precondition(tracker.snapshot.media?.media?.tracks?.count == 3)
    return Benchmarks.median(samples)
  }
}
