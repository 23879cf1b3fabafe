/// Documents made to exhaust a reader, at the limits of what may be read.
enum Bombs {
  struct Bomb: Sendable {
    let name: String
    /// Made when it is asked for: a process that holds much has children that seem to.
    let text: @Sendable () -> String
    /// What it includes as `library.yaml`.
    let library: @Sendable () -> String
    /// Nothing is wrong with it; all others are refused.
    let isSound: Bool

    init(
      name: String, text: @autoclosure @escaping @Sendable () -> String,
      library: @autoclosure @escaping @Sendable () -> String = "", isSound: Bool = false
    ) {
      self.name = name
      self.text = text
      self.library = library
      self.isSound = isSound
    }
  }

  private static let head = "scenario: S\ndevice: TV\n"
  private static let megabyte = 1 << 20

  static let all: [Bomb] = [
    Bomb(name: "aliases", text: aliases()),
    Bomb(name: "one long line", text: head + "description: \"" + repeated("x", megabyte - 100) + "\"\nsteps: 5\n"),
    Bomb(
      name: "one long unknown key",
      text: head + repeated("k", 1_000) + ": 1\nsteps: [" + repeated("play, ", 170_000) + "]\n"),
    Bomb(name: "depth", text: repeated("[", megabyte - 1)),
    Bomb(name: "nodes", text: head + "tags: [" + repeated("x,", 190_000) + "]\nsteps: 5\n"),
    Bomb(name: "too many nodes", text: head + "tags: [" + repeated("x,", 400_000) + "]\n"),
    Bomb(name: "unknown keys", text: head + (0..<60_000).map { "k\($0): 1\n" }.joined() + "steps: [play]\n"),
    Bomb(name: "unknown steps", text: head + "steps:\n" + (0..<80_000).map { "- s\($0)\n" }.joined()),
    Bomb(name: "wrong steps", text: head + "steps:\n" + (0..<40_000).map { "- seek: \($0)\n" }.joined()),
    Bomb(name: "variables that double", text: doubling()),
    Bomb(name: "undefined variables", text: head + "steps:\n" + (0..<40_000).map { "- log: ${v\($0)}\n" }.joined()),
    Bomb(name: "a million steps", text: unrolling()),
    Bomb(name: "duplicate keys", text: head + repeated("a: 1\n", 90_000)),
    Bomb(name: "a variable in one text", text: head + "steps: [{ log: \"" + repeated("${x}", 200_000) + "\" }]\n"),
    Bomb(
      name: "a large text put in often",
      text: head + "vars: { x: " + repeated("y", 60_000) + " }\nsteps: [" + repeated("{ log: \"${x}\" }, ", 50_000)
        + "play]\n"),
    Bomb(
      name: "a large definition copied",
      text: head + "media:\n  a: { url: https://cdn.example.com/a.mp4, custom: { a: [" + repeated("1, ", 20_000)
        + "1] } }\n"
        + (0..<15_000).map { "  a\($0): { like: a }\n" }.joined() + "steps: [{ load: a0 }]\n"),
    Bomb(
      name: "blocks in a circle",
      text: head + "blocks:\n" + (0..<8_000).map { "  b\($0): { steps: [use: b\(($0 + 1) % 8_000)] }\n" }.joined()
        + "steps: [use: b0]\n"),
    Bomb(
      name: "definitions in a circle",
      text: head + "media:\n" + (0..<15_000).map { "  m\($0): { like: m\(($0 + 1) % 15_000) }\n" }.joined()
        + "steps: [load: m0]\n"),
    Bomb(
      name: "bad media",
      text: head + "media:\n" + (0..<35_000).map { "  m\($0): { url: ftp://x }\n" }.joined()
        + "steps: [play]\n"),
    Bomb(
      name: "wrong fields",
      text: head + "steps:\n" + (0..<30_000).map { "- expect: { f\($0): 1 }\n" }.joined()),
    Bomb(
      name: "a matrix too large",
      text: head + "matrix: { a: [" + repeated("1, ", 999) + "1] }\nsteps: [{ log: \"${matrix.a}\" }, "
        + repeated("play, ", 10_000) + "play]\n"),
    Bomb(
      name: "loops in a matrix",
      text: head + "matrix: { a: [" + repeated("1, ", 899) + "1] }\nsteps: [{ for_each: { item: ["
        + repeated("1, ", 499)
        + "1], steps: [{ log: \"${matrix.a}\" }, { for_each: { item: [" + repeated("1, ", 99)
        + "1], steps: [play] } }] } }]\n"),
    Bomb(name: "anchors", text: head + "tags: [" + (0..<80_000).map { "&a\($0) s, " }.joined() + "s]\nsteps: [5]\n"),
    Bomb(name: "quotes", text: head + "steps: [" + repeated("\"a\", ", 150_000)),
    Bomb(
      name: "50 000 variables of the environment",
      text: head + "vars: {" + list(50_000) { "a\($0): {env: P}" } + "}\nsteps: [play]\n"),
    Bomb(
      name: "anchors within anchors",
      text: head + "vars:\n  _x: " + (0..<50).map { "&a\($0) [" }.joined() + "1" + repeated("]", 50) + "\n  _y: ["
        + list(900) { "*a\($0 % 50)" } + "]\nsteps: [play]\n"),
    Bomb(
      name: "95 000 keys", text: head + "vars: { _x: {" + list(95_000) { "\($0): 1" } + "} }\nsteps: [play]\n",
      isSound: true),
    Bomb(
      name: "20 000 axes, and keys of exclude",
      text: head + "matrix: {" + list(20_000) { "a\($0): [x]" } + ", exclude: [{"
        + list(60_000) { "a\($0 % 20_000): x" }
        + "}] }\nsteps: [play]\n"),
    Bomb(
      name: "60 000 windows, and 5 000 dayparts without them",
      text: playlist + "dayparts: { big: { hours: [" + list(60_000) { _ in "00:00-00:01" } + "] }, "
        + list(5_000) { "d\($0): { not: big }" } + " }\n"),
    Bomb(
      name: "20 000 names under only",
      text: head + "include: [{ file: library.yaml, only: [" + list(20_000) { "v\($0)" } + "] }]\nsteps: [play]\n",
      library: "library: L\nvars: {" + list(90_000) { "v\($0): 1" } + "}\n", isSound: true),
    Bomb(
      name: "a million characters in one text", text: head + "steps: [{ log: \"" + repeated("x", 1_000_000) + "\" }]\n",
      isSound: true),
    Bomb(name: "100 000 steps", text: head + "steps:\n" + repeated("- play\n", 100_000), isSound: true),
    Bomb(
      name: "29 000 patterns",
      text: head + "steps: [{ expect: {" + list(29_000) { "custom.a\($0): {matches: \"a.*\"}" } + "} }]\n",
      isSound: true),
    Bomb(name: "10 000 errors", text: head + "steps:\n" + (0..<10_000).map { "- seek: x\($0)\n" }.joined()),
    Bomb(
      name: "schedules in the hour that is missing",
      text: head + "schedule: [" + list(15_000) { _ in "{ cron: \"*/7 1-4 * * *\", timezone: Europe/Paris }" }
        + "]\nsteps: [play]\n", isSound: true),
  ]

  private static let playlist =
    "playlist: A\ntimezone: UTC\ndevices: [TV]\nprogram: [{ play: [https://e.com/a.jpg] }]\n"

  private static func list(_ count: Int, _ entry: (Int) -> String) -> String {
    (0..<count).map(entry).joined(separator: ",")
  }

  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private static func aliases() -> String {
    var text = head + "x0: &x0 [" + repeated("x, ", 9) + "x]\n"
    for level in 1...9 { text += "x\(level): &x\(level) [" + repeated("*x\(level - 1), ", 9) + "*x\(level - 1)]\n" }
    return text
  }

  private static func doubling() -> String {
    var text = head + "vars:\n  x0: 0123456789\n"
    for level in 1...40 { text += "  x\(level): ${x\(level - 1)}${x\(level - 1)}\n" }
    return text + "steps: [{ log: \"${x40}\" }]\n"
  }

  private static func unrolling() -> String {
    let list = "[" + repeated("1, ", 99) + "1]"
    return head
      + "steps:\n- for_each:\n    item: \(list)\n    steps:\n    - for_each:\n        item: \(list)\n        steps:\n"
      + "        - for_each: { item: \(list), steps: [play] }\n"
  }
}
