// SPDX-License-Identifier: MIT
// The end of the command if standard output cannot be written.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The standard output of this process.
enum StandardOutput {
  /// Ends the command if the output is closed, or its reader is.
  ///
  /// The exit status of a helper is then the same, whether it has a token, an error, or would have to ask the user. From
  /// then on, no signal ends it if the reader closes the output.
  static func checkIsOpen() {
    signal(SIGPIPE, SIG_IGN)
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    // In place of closed descriptors, the library opens /dev/null for reading.
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { exitUnwritable(EBADF) }
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    if poll(&output, 1, 0) > 0 { exitUnwritable(EPIPE) }
  }

  /// Ends the command with the reason why the output cannot be written.
  static func exitUnwritable(_ number: Int32) -> Never {
    let reason = String(cString: strerror(number))
    _ = sendText("tessera: The output could not be written: \(reason).\n", to: STDERR_FILENO)
    // EX_IOERR: the output, such as a token, was not written.
    exit(74)
  }
}
