// SPDX-License-Identifier: MIT
// A request as the endpoints see it: its address taken apart, its form read strictly.

import TesseraWire

/// A request as the endpoints see it.
struct IncomingRequest: Sendable {
  /// The method.
  let method: String
  /// The path as it was sent.
  let path: String
  /// The fields behind the question mark.
  let query: FormFields
  /// The header fields.
  let headers: [HTTPHeader]
  /// The body.
  let body: [UInt8]
  /// When it came.
  let now: Instant

  /// Takes a request apart; its address may be absolute or begin with the path.
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

  /// The segments of the path, unescaped.
  var segments: [String] {
    path.split(separator: "/").map { FormFields.unescape($0) }
  }

  /// The fields of a form body.
  func form() throws(Refusal) -> FormFields {
    guard body.count <= LocalProvider.bodyLimit else { throw .tooLarge }
    let type = headers["Content-Type"]?.prefix { $0 != ";" }.description.normalised
    guard type == "application/x-www-form-urlencoded",
      let text = String(validating: body, as: UTF8.self)
    else { throw .notAForm }
    let form = FormFields(decoding: text)
    // RFC 6749 section 3.2: parameters must not be included more than once.
    guard Set(form.fields.map(\.name)).count == form.fields.count else { throw .repeatedField }
    return form
  }

  /// The form for the log: all of it that is not secret, or nothing if there is no form.
  var openFields: [String: String] {
    guard let form = try? form() else { return [:] }
    return form.fields.reduce(into: [:]) { fields, field in
      guard ProviderLogEntry.openFields.contains(field.name) else { return }
      fields[field.name] = String(field.value.prefix(1000))
    }
  }
}

extension FormFields {
  /// A field that has to be there (RFC 6749 section 3.2: a field without a value counts as absent).
  func required(_ name: String) throws(Refusal) -> String {
    guard let value = self[name]?.nonBlank else { throw .missing(name) }
    return value
  }
}
