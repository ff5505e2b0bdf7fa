// SPDX-License-Identifier: MIT
// Programs named az and azd that answer requests for tokens, and run the real ones otherwise.

import ArgumentParser
import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The programs that take the place of the Azure CLI.
enum AzureShim {
  /// The variable with the process ID of a shim, which is also that of the program that it starts.
  private static let levelVariable = "TESSERA_AZ_SHIM"

  /// Prints a token of a listed resource, or runs the real program of a shim.
  ///
  /// Azure SDKs wait for ten seconds, so no user is asked.
  static func run(_ program: AzureProgram, _ arguments: [String], shim: String?) throws {
    let environment = Environment.current
    let arguments = Array(arguments.first == "--" ? arguments.dropFirst() : arguments[...])
    try HelperCommand.run { () throws(TesseraError) in
      let request = AzureArguments(program, arguments)
      if request == nil, let shim { try runReal(program, arguments, shim, environment) }
      let list = try HelperListFile.current(environment).read()
      let entry = request.flatMap { list.entry(resource: $0.resource, tenant: $0.tenant) }
      guard let entry else {
        if let shim { try runReal(program, arguments, shim, environment) }
        throw unavailable(
          request.map(AzureShim.unlistedMessage)
            ?? "This command of \(program.rawValue) is not supported.")
      }
      let token: HelperToken
      do throws(TesseraError) {
        token = try HelperTokens(entry: entry, environment: environment).token(canPrompt: false)
      } catch  where error.remedy == .signIn {
        throw unavailable(error.message)
      }
      Output.printLine(try program.format.text(of: FormattedToken(token.result)))
    }
  }

  private static func unlistedMessage(_ request: AzureArguments) -> String {
    let tenant = request.tenant.map { " for the tenant \($0)" } ?? ""
    return """
      \(request.resource) is not listed\(tenant). If you trust it, run "tessera helper add azure \(Settings.quoted(request.resource))".
      """
  }

  /// Returns an error after which a chain of credentials tries the next one.
  ///
  /// The Azure SDKs recognize it by the command in the message.
  private static func unavailable(_ message: String) -> TesseraError {
    TesseraError(
      .signIn, .interactionRequired,
      "\(message) Alternatively, run \"az login\" or \"azd auth login\".")
  }

  /// Replaces this process by the real program, which is the first one in PATH outside the directory of the shim.
  ///
  /// Returns if there is none.
  private static func runReal(
    _ program: AzureProgram, _ arguments: [String], _ shim: String, _ environment: Environment
  ) throws(TesseraError) {
    // The real program inherits the variable and may run a shim again, in another process.
    guard environment[levelVariable] != "\(getpid())" else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        """
        \(shim) was started by another directory of "tessera helper az-shim". Keep one of them in PATH.
        """)
    }
    let own = FileID(shim)
    for folder in (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    where folder.hasPrefix("/") && FileID(folder) != own {
      let path = "\(folder)/\(program.rawValue)"
      guard isProgram(path), FileID(path) != FileID("\(shim)/\(program.rawValue)") else {
        continue
      }
      setenv(levelVariable, "\(getpid())", 1)
      var words = ([path] + arguments).map { strdup($0) } + [nil]
      execv(path, &words)
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "\(path) cannot be run: \(String(cString: strerror(errno))).")
    }
  }

  /// Whether a path is a file that can be run, as a shell requires it.
  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }

  /// Writes a program to a directory.
  static func write(_ program: AzureProgram, in directory: String) throws(TesseraError) {
    guard let command = realpath(ExecutablePath.path, nil) else { throw unwritable(directory) }
    defer { free(command) }
    guard mkdir(directory, 0o755) == 0 || errno == EEXIST, let folder = realpath(directory, nil)
    else { throw unwritable(directory) }
    defer { free(folder) }
    let words = [
      String(cString: command), "helper", program.rawValue, "--shim", String(cString: folder),
    ]
    let text = "#!/bin/sh\nexec \(words.map(quoted).joined(separator: " ")) -- \"$@\"\n"
    let path = "\(String(cString: folder))/\(program.rawValue)"
    try checkReplaceable(path, program)
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o755)
    guard descriptor >= 0 else { throw unwritable(path) }
    let isWritten = sendText(text, to: descriptor)
    guard close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else {
      let error = unwritable(path)
      unlink(temporary)
      throw error
    }
  }

  /// Checks that there is no program other than a shim.
  private static func checkReplaceable(
    _ path: String, _ program: AzureProgram
  ) throws(TesseraError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    defer { close(descriptor) }
    let bytes = descriptor >= 0 ? DescriptorInput.bytes(of: descriptor, maximum: 1 << 14) : nil
    let text = String(decoding: bytes ?? [], as: UTF8.self)
    guard text.contains(" 'helper' '\(program.rawValue)' '--shim' ") else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\(path) exists and was not written by this command. Choose an empty directory.")
    }
  }

  /// Returns a word in quotation marks of a shell.
  private static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }

  private static func unwritable(_ path: String) -> TesseraError {
    TesseraError(
      .fixConfiguration, .invalidConfiguration,
      "\(path) cannot be written: \(String(cString: strerror(errno))).")
  }
}

/// The identity of a file, independent of its path.
private struct FileID: Equatable {
  private let device: dev_t
  private let number: ino_t

  /// Returns the identity of the file at a path; nil if it does not exist.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
  }
}
