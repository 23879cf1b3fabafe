import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What `plan` prints, line by line (docs/reference.md "Commands").
@Suite struct PlanListingTests {
  static let show = """
    scenario: Evening show
    id: evening
    roles: { left: Bar left, right: { host: "192.0.2.7:8010" }, wall: { model_like: "Chrome*", kind: device, not: { name_like: "*Kitchen*" } } }
    timeout: 5m
    finally_timeout: 45s
    vars: { n: { type: int, default: 1 }, word: hello }
    schedule:
      - { cron: "30 18 * * mon-fri", timezone: Europe/Paris, jitter: 30s, overlap: queue, missed: run_once, within: 20m, dst: { missing: skip, repeated: twice } }
      - { every: 90m }
      - { at: ["07:00", "18:30:30"], days: "sat,sun", timezone: UTC }
    media:
      film: { url: "https://cdn.example.com/film.mp4", duration: 10m }
      show: { content_id: show-1, type: video/mp4 }
    watch:
      - { name: No error, never: { idle_reason: error } }
      - { never: { player: buffering }, for: 5s, if_fails: continue }
      - { always: { volume: { level: { max: 50% } } } }
    setup:
      - { connect: {}, role: all }
    steps:
      - { launch: default, role: left, retry: { attempts: 9, wait: 500ms, factor: 3, max_wait: 4s } }
      - { load: { media: film, until: loaded }, role: left, if: { player: idle }, tags: [smoke] }
      - { load: show, role: right, skip: "no licence yet" }
      - { set: { n: 2, word: "at ${device.name}" } }
      - { expect: { vars: { n: { min: 2 } } }, role: left }
      - { expect: { player: playing }, within: 20s, for: 5s, role: left, because: it must, if_fails: ignore }
      - { always: { player: playing }, during: 10s, role: left }
      - { never: { player: buffering }, during: 1m, for: 3s, role: left }
      - { expect_sequence: [{ player: loading }, { player: playing, break: none }], within: 12s, role: right }
      - { wait_until: { player: idle }, timeout: 40s, role: left }
      - { expect_together: { roles: [left, right], that: { player: playing }, skew: 300ms }, within: 8s }
      - { transfer: right, role: left }
      - { transfer: { to: Hall, stop_source: false }, role: left }
      - { queue: { items: [film, show] }, role: right }
      - { queue_insert: { items: [film], before: show }, role: right }
      - { send: { namespace: urn:x-cast:com.acme, to: receiver, message: { a: 1 } }, role: wall }
      - { repeat: { times: 3, steps: [{ seek: start, role: left }] } }
      - { save: { p0: position, b: break }, role: left }
      - { log: "${b.id} at ${p0}" }
    on_failure: [{ mark: broken }]
    finally: [{ stop_app: , role: all, if_fails: continue }]
    """

  /// The plan of a document under the name that its id comes from.
  static func plans(_ yaml: String, file: String = "nested.yaml") -> [Plan] {
    Compiling.outcome(yaml, file: file).plans
  }

  @Test(
    "A listing has devices, variables, deadlines, schedules, monitors, and every step with what its name does not say")
  func checksShow() throws {
    let plan = try #require(Self.plans(Self.show).first)
    #expect(
      PlanListing(plan).text == """
        evening · Evening show
          role left = Bar left
          role right = host 192.0.2.7:8010
          role wall = model like Chrome*, kind device, not name like *Kitchen*
          variable n = 1
          variable word = hello
          deadline 5m, finally 45s
        schedule
          cron 30 18 * * mon-fri Europe/Paris, jitter 30s, overlap: queue, missed: run once within 20m, a missing time is skipped, a repeated time runs twice
          every 1h30m
          at 07:00, 18:30:30 on sat, sun UTC
        watch
          No error: never idle_reason error
          never player: never player buffering for 5s
          always volume: always volume.level max 50%
        setup
          setup1  connect  at most 5s  on all
        steps
          s1   launch default                 at most 2m41s (9 tries of 15s)  on left
               try at 0s, 500ms, 2s, 6s, 10s, 14s, …
          s2   load film                      at most 30s  on left
               if player idle
               https://cdn.example.com/film.mp4
          s3   load show                      at most 30s  on right
               skipped: no licence yet
               show-1
          s4   set n, word                    at most 30s
               n = 2, word = at ${device.name}
          s5   expect vars                    at most 10s  on left
               vars.n min 2 within 10s
          s6   expect player                  at most 25s  if it fails: ignore  on left
               player playing within 20s, then for 5s
          s7   always player                  at most 10s  on left
               always player playing during 10s
          s8   never player                   at most 1m  on left
               never player buffering for 3s during 1m
          s9   expect_sequence player, break  at most 12s  on right
               player loading → player playing, break none within 12s
          s10  wait_until player              at most 40s  on left
               player idle
          s11  expect_together player         at most 8s
               left, right: player playing within 8s, at most 300ms apart
          s12  transfer right                 at most 1m15s  on left
               the source stops
          s13  transfer Hall                  at most 1m15s  on left
               to Hall, the source plays on
          s14  queue film, show               at most 30s  on right
               2 items from 1
          s15  queue_insert film              at most 30s  on right
               before show
          s16  send urn:x-cast:com.acme       at most 5s  on wall
               urn:x-cast:com.acme to the receiver
          s17  repeat 3 times                 at most 1m30s
            s17.1  seek start  at most 30s  on left
          s18  save p0, b                     at most 5s  on left
               save p0 = position
               save b = break
          s19  log ${b.id} at ${p0}           at most 30s
        on_failure
          failure1  mark broken  at most 30s
        finally
          finally1  stop_app  at most 30s  if it fails: continue  on all
        20 steps, at most 5m of 5m

        """)
  }

  static let nested = """
    scenario: Nested
    devices: { match: { tag: lobby }, at_least: 1, at_most: 3, run: one_by_one }
    inventory:
      bar: { name: Bar TV, id: 8e2d1c0a, tags: [lobby], expect: [video, rate], auth: require, tls: legacy }
      hall: { like: bar, id: 11112222, tags: [lobby] }
      roof: { host: "192.0.2.9", tags: [roof] }
    retry: { attempts: 2, errors: [expectation, transient] }
    session: { join: must_exist, leave: keep }
    takeover: ignore
    matrix: { lang: [en, "no"], speed: [1, 1.5], exclude: [{ lang: "no", speed: 1.5 }] }
    blocks:
      hello: { params: { what: , times: { type: int, default: 2 } }, steps: [{ log: "${what}" }, { repeat: { times: "${times}", steps: [play] } }] }
    steps:
      - use: { block: hello, with: { what: "${matrix.lang}" } }
      - rate: "${matrix.speed}"
      - { save: { t: tracks } }
      - { for_each: { item: [a, b], steps: [{ log: "${index} ${item}" }, { group: { steps: [pause], finally: [stop] } }] } }
      - { for_each: { item: "${t}", steps: [{ log: "${item.id}" }] } }
      - choose:
          - { if: { player: idle, rate: 1 }, steps: [play, pause] }
          - { if: { any: [{ player: playing }, { not: { app: none } }] }, steps: [stop] }
          - otherwise: [{ repeat: { until: { player: idle }, at_most: 4, steps: [{ seek: { by: +30s, then: play } }] } }]
      - { parallel: { branches: [{ name: talk, steps: [{ log: hi }] }, { steps: [{ wait: 3s }] }], fail_fast: false } }
      - { expect: { player: idle } }
    """

  @Test("Steps within steps are indented below what they are for; a row of the matrix stands behind the title")
  func checksNested() throws {
    let plans = Self.plans(Self.nested)
    #expect(
      plans.map { PlanListing($0).lines.first } == [
        "nested · Nested [lang=en, speed=1]", "nested · Nested [lang=en, speed=1.5]",
        "nested · Nested [lang=no, speed=1]",
      ])
    #expect(
      PlanListing(try #require(plans.last)).text == """
        nested · Nested [lang=no, speed=1]
          devices tag lobby, at least 1, at most 3 (one_by_one)
          deadline 10m, finally 30s
        steps
          s1  use hello                at most 1m30s
            s1.1  log no          at most 30s
            s1.2  repeat 2 times  at most 1m
              s1.2.1  play  at most 30s
          s2  rate 1                   at most 30s
          s3  save t                   at most 5s
              save t = tracks
          s4  for_each a, b            at most 3m
            s4.1  log 1 a  at most 30s
            s4.2  group    at most 1m
              s4.2.1  pause  at most 30s
              finally
                s4.2.finally1  stop  at most 30s
            s4.3  log 2 b  at most 30s
            s4.4  group    at most 1m
              s4.4.1  pause  at most 30s
              finally
                s4.4.finally1  stop  at most 30s
          s5  for_each ${t}            at most 10m
            s5.1  log ${item.id}  at most 30s
          s6  choose                   at most 2m
            if player idle, rate 1
              s6.1.1  play   at most 30s
              s6.1.2  pause  at most 30s
            if any of (player playing; not (app none))
              s6.2.1  stop  at most 30s
            otherwise
              s6.3.1  repeat until player  at most 2m
                      until player idle, at most 4 times
                s6.3.1.1  seek +30s  at most 30s
          s7  parallel talk, branch 2  at most 30s
            branch talk
              s7.1.1  log hi  at most 30s
            branch branch 2
              s7.2.1  wait 3s  at most 3s
          s8  expect player            at most 10s
              player idle within 10s
        8 steps, at most 10m of 10m

        """)
  }

  @Test("Nothing in a title or a name begins a line of its own or acts on a terminal")
  func hostile() throws {
    let plan = try #require(
      Self.plans("scenario: \"a\\nb\\e[31m\"\ndevice: \"T\\rV\"\nsteps: [{ play: {}, name: \"x\\ny\\u202e\" }]\n").first
    )
    let text = PlanListing(plan).text
    #expect(text.hasPrefix("nested · a\\u{A}b\\u{1B}[31m\n  device T\\u{D}V\n"), "\(text)")
    #expect(text.contains("s1  x\\u{A}y\\u{202E}  at most 30s"), "\(text)")
  }

  @Test("Long names end the columns; a text of the run is shown as it is written")
  func columns() throws {
    let long = String(repeating: "n", count: 60)
    let plan = try #require(
      Self.plans("scenario: S\ndevice: TV\nsteps: [{ play: {}, name: \(long) }, pause, { log: \"try ${attempt}\" }]\n")
        .first)
    let lines = PlanListing(plan).lines
    #expect(lines.contains("  s1  \(long)  at most 30s"))
    #expect(lines.contains("  s2  pause" + String(repeating: " ", count: 45) + "at most 30s"))
    #expect(lines.contains("  s3  log try ${attempt}" + String(repeating: " ", count: 32) + "at most 30s"))
    #expect(lines.last == "3 steps, at most 1m30s of 10m")
  }

  static let devices: [(yaml: String, text: String)] = [
    ("TV", "device TV"), ("{ name: TV, model: Ultra }", "device name TV, model Ultra"),
    ("{ id: abc }", "device id abc"), ("{ host: \"[2001:db8::1]:8010\" }", "device host [2001:db8::1]:8010"),
    ("{ host: 192.0.2.1 }", "device host 192.0.2.1:8009"), ("{ kind: group }", "device kind group"),
    ("{ kind: any, name: TV }", "device TV"),
    ("{ name_like: \"B*\", not: { model: X, kind: group } }", "device name like B*, not model X, kind group"),
    ("{ name: TV, not: { model: X } }", "device name TV, not model X"), ("{ not: { name: TV } }", "device not TV"),
    ("roof", "device host 192.0.2.9:8009"), ("bar", "device id 8e2d1c0a"),
  ]

  @Test("A device is told by all parts of its selector", arguments: devices)
  func device(yaml: String, text: String) throws {
    let inventory = "inventory: { bar: { name: Bar TV, id: 8e2d1c0a }, roof: { host: 192.0.2.9 } }"
    let plan = try #require(Self.plans("scenario: S\ndevice: \(yaml)\n\(inventory)\nsteps: [play]\n").first)
    #expect(PlanListing(plan).lines[1] == "  " + text)
  }
}
