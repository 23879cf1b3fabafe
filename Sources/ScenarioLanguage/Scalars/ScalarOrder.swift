import CastProtocol

/// Which kinds of scalars have an order, and where a value stands in it: what `min` and `max` compare.
enum ScalarOrder {
  static func isOrdered(_ type: FieldType) -> Bool {
    switch type {
    case .int, .number, .percent, .duration, .signedDuration, .position, .factor, .time, .date, .timestamp: true
    default: false
    }
  }

  /// `nil` for a text that is not of the type, and for types without an order.
  static func position(of text: String, _ type: FieldType) -> Double? {
    switch type {
    case .int, .number: ScalarText.decimal(text)
    case .percent: ScalarText.decimal(text.dropLast())
    case .duration: (try? DurationScalar.read(text))?.seconds
    case .signedDuration: (try? DurationScalar.read(text, signed: true))?.seconds
    case .position:
      switch try? PositionScalar.read(text) {
      case .start: 0
      case .at(let time): time.seconds
      case .end: .infinity
      case nil: nil
      }
    case .factor: try? NumberScalar.factor(text)
    case .time: (try? TimeScalar.time(text)).map(Double.init)
    case .date:
      (try? TimeScalar.date(text)).flatMap { day in
        day.year.map { Double(CivilDate(year: $0, month: day.month, day: day.day).dayNumber) }
      }
    case .timestamp: UnixTime.seconds(of: text)
    default: nil
    }
  }
}
