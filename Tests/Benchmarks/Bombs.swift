/// Documents made to exhaust a reader: each is refused, at the limits of what may be read.
enum Bombs {
  struct Bomb {
    var name: String
    var text: String
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
  ]

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
