// SPDX-License-Identifier: MIT
// A started program that runs independently of this process.

import CLibrary
import CTesseraSystem

/// A started program, observed in its first five seconds: whether it started, and whether it failed at once.
final class LaunchedProgram {
  /// The state of a program.
  enum State: Equatable {
    /// The outcome is not known yet.
    case starting
    /// The program is running, or has ended with success.
    case succeeded
    /// The program failed, with a description for developers.
    case failed(String)
  }

  /// The descriptor to poll.
  let descriptor: Int32
  private let name: String

  /// Starts a command with the environment of this process.
  ///
  /// It inherits no descriptors, directory or signal dispositions.
  ///
  /// - Parameter url: The URL to open.
  /// - Throws: The reason if no process could be created.
  init(_ command: BrowserCommand, url: String) throws(LaunchError) {
    name = command.name
    var status: Int32 = -1
    let strings = ([command.path] + command.arguments(url)).map { strdup($0) }
    defer { for string in strings { free(string) } }
    guard !strings.contains(nil) else { throw LaunchError(message: "out of memory") }
    let code = (strings + [nil]).withUnsafeBufferPointer { arguments in
      ctessera_program_start(
        command.path, arguments.baseAddress, ctessera_program_environment(), &status, nil)
    }
    guard code == 0 else {
      throw LaunchError(message: "\(name) could not be started: \(message(code))")
    }
    descriptor = status
  }

  deinit {
    ctessera_program_close(descriptor)
  }

  /// Reads the state.
  ///
  /// Call it when the descriptor is readable.
  func state() -> State {
    var problem: Int32 = 0
    let status = ctessera_program_read(descriptor, &problem)
    if problem != 0 { return .failed("\(name) could not be started: \(message(problem))") }
    switch Int(status) {
    case Int(CTESSERA_PROGRAM_WAITS): return .starting
    case 0, Int(CTESSERA_PROGRAM_RUNS): return .succeeded
    default: return .failed("\(name) exited with status \(status)")
    }
  }
}

/// The reason for which a program could not be started.
struct LaunchError: Error {
  /// A description for developers.
  let message: String
}

private func message(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
