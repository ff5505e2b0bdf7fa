// SPDX-License-Identifier: MIT
// Requests to the single sign-on extension and its responses, with the public error type.

public import TesseraEngine
package import TesseraWire

extension SSOExtensionRequest {
  /// Returns the query items of `authorizationOptions` by name.
  ///
  /// All values are strings.
  ///
  /// - Throws: ``TesseraError`` with remedy `fixRequest` and code `missing_parameter` if a required value is missing. The
  ///   message names it.
  public func options() throws(TesseraError) -> [String: String] {
    do throws(WireError) {
      return Dictionary(try parameters().map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    } catch {
      throw TesseraError(.fixRequest, .missingParameter, error.message)
    }
  }
}

extension SSOExtensionResponse {
  /// Parses the header fields of a response (`authenticatedResponse.allHeaderFields`).
  ///
  /// - Throws: ``TesseraError`` with code `sso_extension_failed` if it is not a response of the extension.
  public init(headers: [String: String]) throws(TesseraError) {
    let fields = JSONObject(headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    do throws(WireError) {
      try self.init(fields)
    } catch {
      throw TesseraError(.signIn, .ssoExtensionFailed, error.message)
    }
  }
}

extension SSOExtensionTokenResponse {
  /// The error of an error response; `nil` for a response with tokens.
  public var error: TesseraError? {
    guard isError else { return nil }
    return TesseraError(errorResponse: tokenResponse)
  }
}

extension TesseraError {
  /// Creates the error for an error response with the members of a token endpoint, but without an HTTP status.
  package init(errorResponse json: JSONObject, correlationID: String? = nil) {
    let body = JSONValue.object(json).bytes
    if json["error"]?.string?.nonBlank != nil,
      let refusal = ServerError(HTTPResponse(status: 400, headers: [], body: body))
    {
      self.init(refusal, correlationID: correlationID)
      // The error did not come with an HTTP status.
      causes = []
    } else {
      self.init(
        .signIn, .ssoExtensionFailed,
        "The single sign-on extension returned an error without a reason: sign in with a browser.")
    }
  }
}
