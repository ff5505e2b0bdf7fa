// SPDX-License-Identifier: MIT
// The command lines with which the Azure SDKs run the Azure CLI and the Azure Developer CLI.

/// The arguments of `az account get-access-token` or `azd auth token`.
struct AzureArguments {
  /// The resource, without the slash at its end.
  let resource: String
  /// The tenant; nil for that of the entry.
  let tenant: String?

  /// The resource of `az account get-access-token` without `--resource`.
  private static let standardResource = "https://management.core.windows.net"
  private static let scopeSuffix = "/.default"

  /// Parses the arguments; nil for another command, or for an option that changes the token in an unknown way.
  init?(_ program: AzureProgram, _ arguments: [String]) {
    guard arguments.starts(with: program.command) else { return nil }
    var values: [String: String] = [:]
    var rest = arguments.dropFirst(program.command.count)
    while let argument = rest.popFirst() {
      if program.flags.contains(argument) { continue }
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first, let key = program.options[name],
        let value = parts.count == 2 ? parts.last : rest.popFirst(),
        values.updateValue(value, forKey: key) == nil
      else { return nil }
    }
    guard (values["output"] ?? "json") == "json" else { return nil }
    tenant = values["tenant"]
    if let scope = values["scope"] {
      guard values["resource"] == nil, scope.hasSuffix(AzureArguments.scopeSuffix) else {
        return nil
      }
      resource = String(scope.dropLast(AzureArguments.scopeSuffix.count))
    } else {
      resource = values["resource"] ?? AzureArguments.standardResource
    }
  }
}

/// A program with an output that the helper imitates.
enum AzureProgram: String, CaseIterable {
  /// The Azure CLI.
  case az
  /// The Azure Developer CLI.
  case azd

  /// The subcommand that prints a token.
  fileprivate var command: [String] {
    switch self {
    case .az: ["account", "get-access-token"]
    case .azd: ["auth", "token"]
    }
  }

  /// The options that have a value, with their meaning.
  fileprivate var options: [String: String] {
    switch self {
    case .az:
      [
        "--resource": "resource", "--scope": "scope", "--scopes": "scope", "--tenant": "tenant",
        "-t": "tenant", "--output": "output", "-o": "output",
      ]
    case .azd: ["--scope": "scope", "--tenant-id": "tenant", "--output": "output", "-o": "output"]
    }
  }

  /// The options without a value.
  fileprivate var flags: Set<String> {
    switch self {
    case .az: ["--only-show-errors"]
    case .azd: ["--no-prompt"]
    }
  }

  /// The format of the output.
  var format: TokenFormat {
    switch self {
    case .az: .az
    case .azd: .azd
    }
  }
}
