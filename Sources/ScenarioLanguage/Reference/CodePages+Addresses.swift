extension CodePages {
  /// What servers answer, which only `check --probe` asks them.
  static let addresses: [CodePage] = [
    CodePage(
      .a801, "nothing answers at the address",
      why: "No connection comes about, or no answer within ten seconds: a receiver would show nothing.",
      cure: "Open the address from another device of the network; look at its spelling and at the server.",
      from: .probe, wrong: load("https://cdn.example.com:8443/film.mp4"),
      right: load("https://cdn.example.com/film.mp4")),
    CodePage(
      .a802, "the server refuses",
      why: "The server answers, but with an error in place of what is there.",
      cure: "Look at the address and at what the server has there. A receiver sends no password and no cookie.",
      from: .probe, wrong: load("https://cdn.example.com/flim.mp4"), right: load("https://cdn.example.com/film.mp4")),
    CodePage(
      .a803, "a name that devices do not know",
      why:
        "Many devices ask a public resolver, whatever the network says: a name that only this network knows has no "
        + "address for them.",
      cure: "Use the address itself, or a name that is public.", from: .probe,
      wrong: load("http://nas.local/film.mp4"), right: load("http://192.0.2.20/film.mp4")),
    CodePage(
      .a804, "certificate that is not trusted",
      why: "The certificate is signed by nobody whom browsers trust, is for another name, or its chain is not whole.",
      cure: "Renew it, complete its chain, or use a name that it has.", from: .probe,
      wrong: load("https://192.0.2.20/film.mp4"), right: load("https://cdn.example.com/film.mp4")),
    CodePage(
      .a805, "certificate that ends too early",
      why:
        "It has ended, ends within the coming days, or ends before an item of a playlist is shown on the dates of its "
        + "`valid` or of its rule.",
      cure: "See that it is renewed in time, or end the item's `valid` earlier.", from: .probe,
      wrong: load("https://old.example.com/film.mp4"), right: load("https://cdn.example.com/film.mp4")),
    CodePage(
      .a806, "another kind of file",
      why:
        "What the server sends is a web page, or of another type than its header or the document says; receivers "
        + "choose their player by the type.",
      cure: "Mend the address, the `type` of the media, or the types that the server knows.", from: .probe,
      wrong: load("https://cdn.example.com/film", type: "video/mp4"),
      right: load("https://cdn.example.com/film", type: "application/x-mpegurl")),
    CodePage(
      .a807, "no ranges",
      why: "The server sends the whole file where a part is asked for: seeking is slow or does not work.",
      cure: "Let the server answer 206 to `Range:`; nearly all do so for plain files.", from: .probe,
      wrong: load("https://app.example.com/film.mp4"), right: load("https://cdn.example.com/film.mp4")),
    CodePage(
      .a808, "pages may not read it",
      why:
        "Text tracks, manifests and segments are read by a script of the receiver's page; without the header the "
        + "browser keeps them from it, and nothing on the screen says so. Some are asked for only after a question "
        + "(OPTIONS), which has to be answered, too.",
      cure:
        "Let the server send `Access-Control-Allow-Origin: *`, and to OPTIONS `Access-Control-Allow-Headers: Range, "
        + "Accept-Encoding, Content-Type`.", from: .probe,
      wrong: load("https://app.example.com/film.m3u8"), right: load("https://cdn.example.com/film.m3u8")),
    CodePage(
      .a809, "a way from https: to http:",
      why: "The server redirects to an address without encryption, which a page that came by https refuses.",
      cure: "Use the address at which the way ends, with https.", from: .probe,
      wrong: load("https://go.example.com/film.mp4"), right: load("https://cdn.example.com/film.mp4")),
    CodePage(
      .a810, "manifest that leads nowhere",
      why: "It is no HLS and no DASH manifest, what it leads to is not there, or it is longer than 2 MiB.",
      cure: "Make the stream again, or mend the addresses in its manifest.", from: .probe,
      wrong: load("https://cdn.example.com/empty.m3u8"), right: load("https://cdn.example.com/film.m3u8")),
    CodePage(
      .a811, "codec that a device does not play",
      why: "Some models have no decoder for this codec, or not for its profile, level or size.",
      cure: "Offer another rendition besides, such as H.264 of level 4.1; `--model` says which device it is for.",
      from: .probe, wrong: load("https://cdn.example.com/film-hevc.mp4"),
      right: load("https://cdn.example.com/film-h264.mp4")),
    CodePage(
      .a812, "page that is not shown in a frame",
      why:
        "Receivers that cast pages show them in a frame, and the page's server forbids that. Where it sends "
        + "`frame-ancestors`, `X-Frame-Options` counts for nothing.",
      cure: "Allow the receiver's page in `frame-ancestors`, or leave out both.", from: .probe,
      wrong: load("https://app.example.com/board", type: "text/html"),
      right: load("https://app.example.com/board/embed", type: "text/html")),
    CodePage(
      .a813, "still larger than what is shown",
      why: "Receivers show stills at 1280×720 at most, scaled by the device.",
      cure: "Scale it down: it loads faster, and looks as you mean it.", from: .probe,
      wrong: load("https://cdn.example.com/menu-4k.jpg"), right: load("https://cdn.example.com/menu-720p.jpg")),
    CodePage(
      .a814, "still of many bytes",
      why: "A still of more than 10 MiB takes long to load, and may be more than a device's memory holds.",
      cure: "Save it with more compression.", from: .probe,
      wrong: load("https://cdn.example.com/menu.png"), right: load("https://cdn.example.com/menu.jpg")),
    CodePage(
      .a815, "not looked at",
      why: "The time for all addresses was up, there were more than are fetched at once, or a secret is part of it.",
      cure: "Give it more time with `--timeout 10m`, or check fewer documents at once.", from: .probe,
      wrong: load("https://slow.example.com/film.mp4"), right: load("https://cdn.example.com/film.mp4")),
    CodePage(
      .a816, "a name that means another server elsewhere",
      why:
        "This computer and the resolver of `--resolver` have different addresses for the name, one inside of this "
        + "network and one outside: devices that ask that resolver go to another server.",
      cure: "Use the address itself, or give all the same answer.", from: .probe,
      wrong: load("https://media.example.com/film.mp4"), right: load("https://192.0.2.20/film.mp4")),
  ]

  private static func load(_ url: String, type: String? = nil) -> String {
    """
    scenario: Hello
    device: Living Room TV
    media:
      film: { url: \(url)\(type.map { ", type: \($0)" } ?? "") }
    steps:
      - load: film
      - expect: { player: playing }
    """
  }
}
