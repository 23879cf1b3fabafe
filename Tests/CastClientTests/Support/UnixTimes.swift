import Foundation

/// Unix time of a moment in UTC.
func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0) -> Int {
  var parts = tm()
  (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
  (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
  return timegm(&parts)
}

/// Unix time by the computer's clock, by which TLS certificates are made.
func utcNow() -> Int { Int(Date().timeIntervalSince1970) }
