// SPDX-License-Identifier: MIT
// The helpers of clouds with their own credentials: tessera helper aws and google.

import ArgumentParser
import Tessera

/// The credentials of a role of AWS.
struct HelperAWS: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "aws",
    abstract: "Print credentials of a role of AWS, or write its token to a file.",
    discussion: """
      "credentials" prints the document of credential_process. "token-file" writes the token to a file for \
      AWS_WEB_IDENTITY_TOKEN_FILE, and prints its path.
      """)

  /// An operation of the helper.
  enum Operation: String, CaseIterable {
    /// The document of `credential_process`.
    case credentials
    /// The path of a file with the token.
    case tokenFile = "token-file"
  }

  @Argument(
    help: "The operation: credentials or token-file.",
    transform: { try StoreOptions.choice($0) as Operation })
  var operation: Operation

  @Argument(help: "The ARN of the role.")
  var role: String

  func run() throws {
    try HelperCommand.run { () throws(TesseraError) in
      let environment = Environment.current
      guard let entry = try HelperListFile.current(environment).read().entry(.aws, named: role)
      else {
        throw TesseraError(
          .fixConfiguration, .invalidConfiguration,
          """
          \(role) is not listed. Run "tessera helper add aws" with this ARN and --endpoint.
          """)
      }
      switch operation {
      case .credentials:
        let credential = try IssuedCredentials(
          entry: entry, environment: environment, minimumLifetime: RoleRequest.minimumLifetime
        ).credential(issue: RoleRequest(entry: entry).credential)
        Output.printLine(JSONText.document(credential.text))
      case .tokenFile:
        let token = try HelperTokens(entry: entry, environment: environment).token(canPrompt: true)
        Output.printLine(try HelperState(entry, environment).writeToken(token.text))
      }
    }
  }
}

/// An executable that provides the subject token of an external account of Google Cloud.
struct HelperGoogle: OperationHelper {
  static let configuration = CommandConfiguration(
    commandName: "google",
    abstract: "Respond to a request of a Google Cloud library in GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE.")

  @Argument(help: "The operation: get.")
  var operation: String

  private static let types = ["id_token", "jwt"].map { "urn:ietf:params:oauth:token-type:\($0)" }

  func validate() throws {
    guard operation == "get" else { throw ValidationError("The operation must be get.") }
  }

  /// Prints the token, or the error, which the libraries read from the same document.
  ///
  /// They read standard error, too, and wait for 30 seconds, so no user is asked.
  func run() throws {
    do throws(TesseraError) {
      Output.printLine(try response(Environment.current))
    } catch {
      Output.printLine(
        JSONText.object([
          "version": .number(1), "success": .bool(false), "code": .string(error.code.rawValue),
          "message": .string(HelperCommand.message(of: error)),
        ]))
    }
  }

  private func response(_ environment: Environment) throws(TesseraError) -> JSONText {
    let type = environment["GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE"] ?? ""
    guard let audience = environment["GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE"],
      HelperGoogle.types.contains(type)
    else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "The audience is missing, or the subject_token_type is not one of id_token and jwt.")
    }
    let list = try HelperListFile.current(environment).read()
    guard let entry = list.entry(.google, named: audience) else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "\(audience) is not listed. Run \"tessera helper add google\" with it if you trust it.")
    }
    let token = try HelperTokens(entry: entry, environment: environment).token(canPrompt: false)
    return .object([
      "version": .number(1), "success": .bool(true), "token_type": .string(type),
      "id_token": .string(token.text), "expiration_time": .number(token.expiresAt.secondsSince1970),
    ])
  }
}
