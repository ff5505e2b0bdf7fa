// SPDX-License-Identifier: MIT
// A parsed request for the endpoints.

import TesseraWire

/// A parsed request for the endpoints.
struct IncomingRequest: Sendable {
  /// The maximum size of a body, in bytes.
  static let bodyLimit = 256 * 1024

  /// The method.
  let method: String
  /// The path, still escaped.
  let path: String
  /// The fields of the query.
  let query: FormFields
  /// The header fields.
  let headers: [HTTPHeader]
  /// The body.
  let body: [UInt8]
  /// The time at which the request was received.
  let now: Instant

  /// Parses a request.
  ///
  /// Its target may be an absolute URL or start with the path.
  init(_ request: HTTPRequest, at now: Instant) {
    var target = request.url[...]
    if let scheme = target.firstRange(of: "://") {
      let rest = target[scheme.upperBound...]
      target = rest.firstIndex { "/?#".contains($0) }.map { rest[$0...] } ?? "/"
    }
    target = target.prefix { $0 != "#" }
    path = String(target.prefix { $0 != "?" })
    query = FormFields(decoding: target.dropFirst(path.count + 1))
    method = request.method
    headers = request.headers
    body = request.body
    self.now = now
  }

  /// The unescaped segments of the path.
  var segments: [String] {
    path.split(separator: "/").map { FormFields.unescape($0) }
  }

  /// Parses the form in the body.
  ///
  /// - Throws: `invalid_request` if the body is not a form, is too large or repeats a field.
  func form() throws(ErrorResponse) -> FormFields {
    guard body.count <= IncomingRequest.bodyLimit else { throw .tooLarge }
    let type = headers["Content-Type"]?.prefix { $0 != ";" }.description.normalised
    guard type == "application/x-www-form-urlencoded",
      let text = String(validating: body, as: UTF8.self)
    else { throw .notAForm }
    let form = FormFields(decoding: text)
    // RFC 6749 section 3.2: parameters must not be included more than once.
    guard Set(form.fields.map(\.name)).count == form.fields.count else { throw .repeatedField }
    return form
  }

  /// The fields of the form that are not secret, for the log; empty if there is no form.
  var loggedFields: [String: String] {
    guard let form = try? form() else { return [:] }
    return form.fields.reduce(into: [:]) { fields, field in
      guard ProviderLogEntry.loggedFields.contains(field.name) else { return }
      fields[field.name] = String(field.value.prefix(1000))
    }
  }
}

extension FormFields {
  /// Returns a required field (RFC 6749 section 3.2: a field without a value counts as absent).
  func required(_ name: String) throws(ErrorResponse) -> String {
    guard let value = self[name]?.nonBlank else { throw .missing(name) }
    return value
  }
}
