/// What is asked of a web server.
package struct WebRequest: Sendable {
  package enum Method: String, Hashable, Sendable {
    case get = "GET", head = "HEAD", options = "OPTIONS", post = "POST", put = "PUT"
  }

  package var method: Method
  package var url: WebURL
  package var headers: WebHeaders
  package var body: [UInt8]
  /// How many bytes of the answer's body are kept.
  package var bodyLimit = 1 << 20
  /// Whether a longer body is cut at the limit; otherwise it is an error.
  package var cutsBody = false
  /// Where the body is cut: how long it may take after the head of the answer; `nil`: as long as the whole.
  package var bodyTime: Duration?

  package init(_ method: Method = .get, _ url: WebURL, headers: WebHeaders = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What a web server answers; redirects are answers, too.
package struct WebResponse: Sendable {
  package var status: Int
  package var headers: WebHeaders
  package var body: [UInt8]
  /// Whether the body is longer than what was kept.
  package var isCut: Bool
  /// The address that answered.
  package var address: String
  /// What the server proved by; `nil` without TLS.
  package var certificate: WebCertificate?

  package init(
    status: Int, headers: WebHeaders = [], body: [UInt8] = [], isCut: Bool = false, address: String = "",
    certificate: WebCertificate? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isCut = isCut
    self.address = address
    self.certificate = certificate
  }
}

/// Header fields in their order; names count in any case.
package struct WebHeaders: Hashable, Sendable, ExpressibleByArrayLiteral {
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var fields: [Field]

  package init(_ fields: [Field]) { self.fields = fields }
  package init(arrayLiteral fields: Field...) { self.fields = fields }

  /// The values of a name, joined by commas; `nil` where it does not occur.
  package subscript(name: String) -> String? {
    let name = name.lowercased()
    let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  package mutating func add(_ name: String, _ value: String) { fields.append(Field(name, value)) }
}

/// The certificate a server showed, judged as browsers do, by the roots of this computer.
package struct WebCertificate: Hashable, Sendable {
  /// Unix times in seconds between which it and all above it in its chain are valid.
  package var validFrom: Double
  package var validTo: Double
  /// The names it is for.
  package var names: [String]
  /// Why it is not trusted now, in OpenSSL's words; `nil`: it is.
  package var problem: String?

  package init(validFrom: Double, validTo: Double, names: [String], problem: String? = nil) {
    self.validFrom = validFrom
    self.validTo = validTo
    self.names = names
    self.problem = problem
  }
}
