// SPDX-License-Identifier: MIT
// Requests to and answers of the single sign-on extension, with the errors that an application sees.

public import TesseraWire

extension SSOExtensionRequest {
  /// The query items of `authorizationOptions` by name, all of them texts.
  ///
  /// - Throws: ``TesseraError`` with remedy `fixRequest` and code `missing_parameter`, where something is missing that the
  ///   extension must have; the message names it.
  public func options() throws(TesseraError) -> [String: String] {
    do throws(WireError) {
      return Dictionary(try texts().map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    } catch {
      throw TesseraError(.fixRequest, .missingParameter, error.message)
    }
  }
}

extension SSOExtensionResponse {
  /// Reads the header fields of an answer (`authenticatedResponse.allHeaderFields`).
  ///
  /// - Throws: ``TesseraError`` with code `sso_extension_failed` for what is no answer of the extension.
  public init(headers: [String: String]) throws(TesseraError) {
    let fields = JSONObject(headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    do throws(WireError) {
      try self.init(fields)
    } catch {
      throw TesseraError(.signIn, .ssoExtensionFailed, error.message)
    }
  }
}

extension SSOExtensionTokenAnswer {
  /// Why there are no tokens, in the server's words; nil for an answer with tokens.
  public var refusal: TesseraError? {
    guard isRefusal else { return nil }
    return TesseraError(refusalIn: tokenResponse)
  }
}

extension TesseraError {
  /// A refusal that came with the members of a token endpoint's, and without its status.
  package init(refusalIn json: JSONObject, correlationID: String? = nil) {
    let body = JSONValue.object(json).bytes
    if json["error"]?.string?.nonBlank != nil,
      let refusal = ServerError(HTTPResponse(status: 400, headers: [], body: body))
    {
      self.init(refusal, correlationID: correlationID)
      // The status is none that a server said.
      causes = []
    } else {
      self.init(.signIn, .ssoExtensionFailed, "The broker refused without a reason.")
    }
  }
}
