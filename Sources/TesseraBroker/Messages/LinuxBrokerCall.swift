// SPDX-License-Identifier: MIT
// The method calls to the Linux identity broker, with their JSON arguments.

package import TesseraWire

/// A method call to the broker.
package struct LinuxBrokerCall: Sendable, Equatable {
  /// The method.
  package let method: LinuxBroker.Method
  /// The third argument, before serialization.
  package let body: JSONObject

  private init(_ method: LinuxBroker.Method, _ body: JSONObject) {
    self.method = method
    self.body = body
  }

  /// The third argument, as JSON text.
  package var text: String { JSONValue.object(body).serialized }

  /// Requests the version of the broker.
  ///
  /// - Parameter client: The version of this library, sent in the member for the version of Microsoft's library.
  package static func version(client: String) -> LinuxBrokerCall {
    LinuxBrokerCall(.version, ["msalCppVersion": .string(client)])
  }

  /// Requests the accounts that are available to an application.
  package static func accounts(of application: LinuxBrokerApplication) -> LinuxBrokerCall {
    LinuxBrokerCall(
      .accounts,
      ["clientId": .string(application.clientID), "redirectUri": .string(application.redirectURI)])
  }

  /// Requests a token, silently or in the broker's window.
  package static func token(_ request: LinuxBrokerTokenRequest) -> LinuxBrokerCall {
    LinuxBrokerCall(
      request.isInteractive ? .interactive : .silent,
      [
        "authParameters": .object(
          request.parameters(request.isInteractive ? .interactive : .silent))
      ]
    )
  }

  /// Requests the single sign-on cookies for a browser.
  package static func cookie(
    _ request: LinuxBrokerTokenRequest, ssoURL: String
  ) -> LinuxBrokerCall {
    var parameters = request.parameters(.cookie)
    parameters["ssoUrl"] = .string(ssoURL)
    var body = JSONObject()
    body.append("account", .object(request.account?.json ?? [:]))
    body.append("authParameters", .object(parameters))
    body.append("mamEnrollment", .bool(false))
    body.append("ssoUrl", ssoURL)
    return LinuxBrokerCall(.cookie, body)
  }

  /// Removes an account for an application.
  package static func remove(
    _ account: LinuxBrokerAccount, of application: LinuxBrokerApplication
  ) -> LinuxBrokerCall {
    LinuxBrokerCall(
      .removeAccount,
      ["clientId": .string(application.clientID), "account": .object(account.json)])
  }

  /// Signs an HTTP request to a resource with a key of the broker.
  package static func signed(
    _ request: LinuxBrokerSignedRequest, of application: LinuxBrokerApplication
  ) -> LinuxBrokerCall {
    LinuxBrokerCall(
      .signedRequest,
      ["clientId": .string(application.clientID), "popParams": .object(request.json)])
  }

  /// Cancels the interactive call with the same correlation ID.
  package static var cancelInteractive: LinuxBrokerCall { LinuxBrokerCall(.cancelInteractive, [:]) }
}

/// The calling application.
package struct LinuxBrokerApplication: Sendable, Equatable {
  package let clientID: String
  package let redirectURI: String

  /// Creates an application with the redirect URI that is registered for brokers.
  package init(clientID: String, redirectURI: String) {
    self.clientID = clientID
    self.redirectURI = redirectURI
  }
}
