/// The codes of the language, in the order of their index (docs/language/codes.md "Codes"). A code never changes its
/// meaning; ``CodePages`` has a page for each.
package enum Code: String, Hashable, Sendable, CaseIterable {
  case k101 = "K101", k102 = "K102", k103 = "K103", k104 = "K104", k105 = "K105", k106 = "K106", k107 = "K107"
  case k108 = "K108", k109 = "K109", k110 = "K110"

  case t201 = "T201", t202 = "T202", t203 = "T203", t204 = "T204", t205 = "T205", t206 = "T206", t207 = "T207"
  case t208 = "T208", t209 = "T209", t210 = "T210", t211 = "T211", t212 = "T212", t213 = "T213", t214 = "T214"
  case t215 = "T215", t216 = "T216", t217 = "T217", t218 = "T218", t219 = "T219", t220 = "T220", t221 = "T221"
  case t222 = "T222"

  case y301 = "Y301", y302 = "Y302", y303 = "Y303", y304 = "Y304", y305 = "Y305", y306 = "Y306", y307 = "Y307"
  case y308 = "Y308", y309 = "Y309", y310 = "Y310", y311 = "Y311"

  case n401 = "N401", n402 = "N402", n403 = "N403", n404 = "N404", n405 = "N405", n406 = "N406", n407 = "N407"
  case n408 = "N408", n409 = "N409", n410 = "N410", n411 = "N411", n412 = "N412", n413 = "N413"

  case c501 = "C501", c502 = "C502", c503 = "C503", c504 = "C504", c505 = "C505", c506 = "C506", c507 = "C507"
  case c508 = "C508", c509 = "C509", c510 = "C510", c511 = "C511", c512 = "C512", c513 = "C513", c514 = "C514"
  case c515 = "C515"

  case p601 = "P601", p602 = "P602", p603 = "P603", p604 = "P604", p605 = "P605", p606 = "P606", p607 = "P607"
  case p608 = "P608", p609 = "P609", p610 = "P610", p611 = "P611", p612 = "P612", p613 = "P613", p614 = "P614"
  case p615 = "P615", p616 = "P616", p617 = "P617"

  case r701 = "R701", r702 = "R702", r703 = "R703", r704 = "R704", r706 = "R706", r711 = "R711", r712 = "R712"
  case r713 = "R713", r714 = "R714", r715 = "R715", r716 = "R716", r717 = "R717", r718 = "R718", r719 = "R719"
  case r720 = "R720", r721 = "R721", r722 = "R722", r723 = "R723", r724 = "R724", r725 = "R725", r726 = "R726"
  case r727 = "R727", r728 = "R728"

  case a801 = "A801", a802 = "A802", a803 = "A803", a804 = "A804", a805 = "A805", a806 = "A806", a807 = "A807"
  case a808 = "A808", a809 = "A809", a810 = "A810", a811 = "A811", a812 = "A812", a813 = "A813", a814 = "A814"
  case a815 = "A815", a816 = "A816"

  /// What the first letter of a code stands for.
  package enum Family: Character, Hashable, Sendable, CaseIterable {
    case keys = "K", types = "T", yaml = "Y", names = "N", cast = "C", plan = "P", run = "R", addresses = "A"

    package var title: String {
      switch self {
      case .keys: "keys and steps"
      case .types: "values and their types"
      case .yaml: "YAML"
      case .names: "names"
      case .cast: "Cast"
      case .plan: "the plan"
      case .run: "the run"
      case .addresses: "addresses on the web"
      }
    }
  }

  package var family: Family { rawValue.first.flatMap(Family.init) ?? .keys }
}

extension Code: CustomStringConvertible {
  package var description: String { rawValue }
}

extension Code: Comparable {
  package static func < (a: Code, b: Code) -> Bool { a.rawValue < b.rawValue }
}
