// SPDX-License-Identifier: MIT
// The texts that the library shows to users, and their replacement by the host application.

package import TesseraWire

/// A text that the library shows to users, by its code.
///
/// ``ApplicationConfiguration/userMessages`` replaces it.
public enum UserMessage: String, Sendable, Hashable, CaseIterable {
  /// The language of the pages (BCP 47), for screen readers and hyphenation.
  case pageLanguage = "page_language"
  /// The title of the page after a successful sign-in.
  case signedInTitle = "signed_in_title"
  /// The text of the page after a successful sign-in.
  case signedInText = "signed_in_text"
  /// The title of the page after a failed sign-in.
  case signInFailedTitle = "sign_in_failed_title"
  /// The sentence before the error description of the provider.
  case signInFailedReason = "sign_in_failed_reason"
  /// The sentence after the error description of the provider.
  case signInFailedText = "sign_in_failed_text"
  /// The title of the page for a response to another sign-in.
  case otherSignInTitle = "other_sign_in_title"
  /// The text of the page for a response to another sign-in.
  case otherSignInText = "other_sign_in_text"
  /// The title of the page at another address than the redirect URI.
  case pageNotFoundTitle = "page_not_found_title"
  /// The text of the page at another address than the redirect URI.
  case pageNotFoundText = "page_not_found_text"
  /// The title of the page for a request that a browser would not send.
  case invalidRequestTitle = "invalid_request_title"
  /// The text of the page for a request that a browser would not send.
  case invalidRequestText = "invalid_request_text"
  /// The last sentence of the three pages above.
  case returnToSignIn = "return_to_sign_in"
  /// The ``DeviceCodePrompt/message``, with `{verification_uri}` and `{user_code}` for the values.
  case deviceCode = "device_code"
  /// The ``SignInPrompt/problem`` after another URL than the redirect was pasted.
  case wrongURLPasted = "wrong_url_pasted"

  /// The maximum length of a text in Unicode scalars.
  static let maximumLength = 500

  /// The placeholders of ``deviceCode``.
  static let verificationURIPlaceholder = "{verification_uri}"
  static let userCodePlaceholder = "{user_code}"

  /// The text that is shown unless the host application replaces it.
  public var defaultText: String {
    switch self {
    case .pageLanguage: "en"
    case .signedInTitle: "You have signed in"
    case .signedInText: "You can close this page and return to the application."
    case .signInFailedTitle: "Sign-in failed"
    case .signInFailedReason: "The provider reported:"
    case .signInFailedText:
      "You can close this page. The application shows what to do next."
    case .otherSignInTitle: "This response does not belong to the pending sign-in"
    case .otherSignInText:
      """
      An application waits here for a sign-in, but this response belongs to a different one. The application continues \
      to wait.
      """
    case .pageNotFoundTitle: "Page not found"
    case .pageNotFoundText: "An application waits for a sign-in, but at another address."
    case .invalidRequestTitle: "Invalid request"
    case .invalidRequestText: "Browsers do not send requests of this form."
    case .returnToSignIn:
      "Return to the sign-in page, or start the sign-in again in the application."
    case .deviceCode: "To sign in, open {verification_uri} and enter the code {user_code}."
    case .wrongURLPasted: "The pasted URL does not belong to this sign-in."
    }
  }
}

/// The texts for users, with those of the host application in place of the default ones.
package struct UserMessages: Sendable {
  private let replacements: [UserMessage: String]

  /// Creates the texts from those of the host application.
  package init(_ replacements: [UserMessage: String] = [:]) {
    self.replacements = replacements
  }

  /// The text of a message.
  package subscript(message: UserMessage) -> String {
    replacements[message] ?? message.defaultText
  }

  /// Returns the instructions for a device code: the host application's, or else the server's, or else the default ones.
  package func deviceCode(of authorization: DeviceAuthorization) -> String {
    if replacements[.deviceCode] == nil, let message = authorization.message { return message }
    return UserMessages.text(
      self[.deviceCode],
      replacing: [
        UserMessage.verificationURIPlaceholder: authorization.verificationURI,
        UserMessage.userCodePlaceholder: authorization.userCode,
      ])
  }

  /// Returns a text with values in place of its placeholders.
  ///
  /// A placeholder in a value is not replaced.
  private static func text(_ text: String, replacing values: [String: String]) -> String {
    var result = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "{") {
      result += rest[..<start]
      rest = rest[start...]
      let placeholder = values.keys.first { rest.hasPrefix($0) } ?? "{"
      result += values[placeholder] ?? placeholder
      rest = rest.dropFirst(placeholder.count)
    }
    return result + rest
  }

  /// Whether a text can be shown on a page and in a terminal.
  ///
  /// Texts in right-to-left languages need directional marks. They affect only adjacent characters.
  private static func isShowable(_ text: String) -> Bool {
    let marks: Set<Unicode.Scalar> = ["\u{61C}", "\u{200E}", "\u{200F}"]
    let others = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !marks.contains($0) }))
    return text.unicodeScalars.count <= UserMessage.maximumLength && others.nonBlank != nil
      && others == others.plain(atMost: UserMessage.maximumLength)
  }

  /// Returns the problem with the texts of the host application; `nil` if there is none.
  var problem: String? {
    for message in UserMessage.allCases {
      guard let text = replacements[message] else { continue }
      guard UserMessages.isShowable(text) else {
        return """
          \(message.rawValue) must be one line of 1 to \(UserMessage.maximumLength) characters, without control \
          characters and without embeddings, overrides and isolates of bidirectional text.
          """
      }
    }
    if let tag = replacements[.pageLanguage], LanguageTag(tag) == nil {
      return
        "\(UserMessage.pageLanguage.rawValue) must be a language tag (BCP 47), such as en or de-AT."
    }
    guard let text = replacements[.deviceCode] else { return nil }
    for placeholder in [
      UserMessage.verificationURIPlaceholder, UserMessage.userCodePlaceholder,
    ] where !text.contains(placeholder) {
      return "\(UserMessage.deviceCode.rawValue) must contain \(placeholder)."
    }
    return nil
  }
}
