// SPDX-License-Identifier: MIT
// tessera exec: starts a program with a token.

import ArgumentParser
import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Replaces this process by a program that gets a token.
struct Exec: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start a program with a token.",
    usage: "tessera exec [<options>] -- <program> [<argument> ...]",
    discussion: """
      Examples:
        tessera exec -- sh -c 'wc -c <"/dev/fd/$TESSERA_TOKEN_FD"'
        tessera exec --scope Mail.Read -- ./program
        tessera exec --env ACCESS_TOKEN -- ./program

      The program reads the token from the file descriptor in the variable TESSERA_TOKEN_FD, once and until its end. \
      --env passes the token in a variable instead. All programs that it starts inherit the variable, and other \
      processes of the user can read it.
      """)

  @OptionGroup var application: ApplicationOptions
  @OptionGroup var account: AccountOptions
  @OptionGroup var options: TokenOptions

  @Option(help: "Pass the token in this environment variable instead of a descriptor.")
  var env: String?

  @Argument(parsing: .postTerminator, help: "The program and its arguments, after \"--\".")
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else {
      throw ValidationError("Specify a program after \"--\": tessera exec -- <program>.")
    }
    let isName = env.map { name in
      name.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
        && name.utf8.allSatisfy { $0.isBareKey && $0 != UInt8(ascii: "-") }
    }
    guard isName ?? true else {
      throw ValidationError("--env must be the name of an environment variable.")
    }
  }

  func run() throws {
    try Output.run(application, scopes: options.scope, change: options.apply) { app in
      let result = try options.token(of: app, account)
      try Output.checkScopes(of: result, asJSON: false)
      let token = result.accessToken.reveal()
      if let env {
        unsetenv("TESSERA_TOKEN_FD")
        setenv(env, token, 1)
      } else {
        setenv("TESSERA_TOKEN_FD", "\(try Exec.descriptor(of: token))", 1)
      }
      try Exec.replaceProcess(command)
    }
  }

  /// Returns a descriptor from which the program reads the token.
  private static func descriptor(of token: String) throws(TesseraError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let readEnd = ends.first, let writeEnd = ends.last else {
      throw failure("No pipe could be created: \(String(cString: strerror(errno))).")
    }
    defer { close(writeEnd) }
    // The program reads later, so that the token must fit into the pipe.
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    let bytes = Array(token.utf8)
    guard bytes.withUnsafeBytes({ sendBytes(writeEnd, $0) }) == bytes.count else {
      throw failure("The token is too long for a pipe. Pass it with --env.")
    }
    return lowered(readEnd)
  }

  /// Returns the lowest descriptor that the program can inherit.
  ///
  /// Some shells accept only one digit. Descriptors that are closed when the program starts are replaced.
  private static func lowered(_ descriptor: Int32) -> Int32 {
    guard descriptor > 2 else {
      let higher = fcntl(descriptor, F_DUPFD, 3)
      return higher >= 0 ? higher : descriptor
    }
    for number in 3..<descriptor {
      let flags = fcntl(number, F_GETFD)
      guard flags < 0 || flags & FD_CLOEXEC != 0 else { continue }
      guard dup2(descriptor, number) == number else { break }
      close(descriptor)
      return number
    }
    return descriptor
  }

  /// Starts the program in place of this process.
  ///
  /// The exit status of an error is that of a shell.
  private static func replaceProcess(_ command: [String]) throws {
    var arguments = command.map { strdup($0) }
    arguments.append(nil)
    execvp(command[0], arguments)
    let number = errno
    Output.printError(
      "tessera: \(command[0]) cannot be started: \(String(cString: strerror(number))).",
      style: .failure)
    throw ExitCode(number == ENOENT ? 127 : 126)
  }

  private static func failure(_ message: String) -> TesseraError {
    TesseraError(.retryLater, .tooManyOpenFiles, message)
  }
}
