// SPDX-License-Identifier: MIT
// What is asked of the broker: one value for each method, with its JSON text.

/// A call to the broker.
package struct LinuxBrokerCall: Sendable, Equatable {
  /// The method.
  package let method: LinuxBroker.Method
  /// The third argument, before it is text.
  package let body: JSONObject

  private init(_ method: LinuxBroker.Method, _ body: JSONObject) {
    self.method = method
    self.body = body
  }

  /// The third argument.
  package var text: String { JSONValue.object(body).serialized }

  /// Which version the broker has.
  ///
  /// - Parameter client: the version of who asks, in the place where Microsoft's library puts its own.
  package static func version(client: String) -> LinuxBrokerCall {
    LinuxBrokerCall(.version, ["msalCppVersion": .string(client)])
  }

  /// Which accounts the broker has for an application.
  package static func accounts(of application: LinuxBrokerApplication) -> LinuxBrokerCall {
    LinuxBrokerCall(
      .accounts,
      ["clientId": .string(application.clientID), "redirectUri": .string(application.redirectURI)])
  }

  /// A token without the person, or in the broker's window.
  package static func token(_ request: LinuxBrokerTokenRequest) -> LinuxBrokerCall {
    LinuxBrokerCall(
      request.isInteractive ? .interactive : .silent,
      [
        "authParameters": .object(
          request.parameters(request.isInteractive ? .interactive : .silent))
      ]
    )
  }

  /// The cookie that signs a browser in.
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

  /// Forgets an account for an application.
  package static func remove(
    _ account: LinuxBrokerAccount, of application: LinuxBrokerApplication
  ) -> LinuxBrokerCall {
    LinuxBrokerCall(
      .removeAccount,
      ["clientId": .string(application.clientID), "account": .object(account.json)])
  }

  /// Signs a request to a resource with a key of the broker's.
  package static func signed(
    _ request: LinuxBrokerSignedRequest, of application: LinuxBrokerApplication
  ) -> LinuxBrokerCall {
    LinuxBrokerCall(
      .signedRequest,
      ["clientId": .string(application.clientID), "popParams": .object(request.json)])
  }

  /// Stops the interactive call that has the same correlation id.
  package static var cancelInteractive: LinuxBrokerCall { LinuxBrokerCall(.cancelInteractive, [:]) }
}

/// Who asks.
package struct LinuxBrokerApplication: Sendable, Equatable {
  package let clientID: String
  package let redirectURI: String

  /// An application, with the redirect URI that is registered for brokers.
  package init(clientID: String, redirectURI: String) {
    self.clientID = clientID
    self.redirectURI = redirectURI
  }
}
