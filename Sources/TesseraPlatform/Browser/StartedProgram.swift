// SPDX-License-Identifier: MIT
// A program that was started and left to itself.

import CTesseraSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A program in its first seconds: whether it came about, and how it ended if it did so at once.
final class StartedProgram {
  /// What is known of a program.
  enum State: Equatable {
    /// Nothing yet.
    case starting
    /// It runs, or has done what it should.
    case works
    /// It did not, in words for a developer.
    case failed(String)
  }

  /// What can be polled.
  let descriptor: Int32
  private let name: String

  /// Starts a program with this process's environment, and nothing else of it.
  ///
  /// - Parameter arguments: its arguments, without its name.
  init(_ command: BrowserCommand, url: String) throws(ProgramFailure) {
    name = command.name
    var status: Int32 = -1
    let strings = ([command.path] + command.arguments(url)).map { strdup($0) }
    defer { for string in strings { free(string) } }
    guard !strings.contains(nil) else { throw ProgramFailure(words: "memory ran out") }
    let code = (strings + [nil]).withUnsafeBufferPointer { arguments in
      ctessera_program_start(
        command.path, arguments.baseAddress, ctessera_program_environment(), &status, nil)
    }
    guard code == 0 else {
      throw ProgramFailure(words: "\(name) could not be started: \(words(code))")
    }
    descriptor = status
  }

  deinit {
    ctessera_program_leave(descriptor)
  }

  /// What is known by now; to be asked when the descriptor can be read.
  func state() -> State {
    var problem: Int32 = 0
    let status = ctessera_program_read(descriptor, &problem)
    if problem != 0 { return .failed("\(name) could not be started: \(words(problem))") }
    switch Int(status) {
    case Int(CTESSERA_PROGRAM_WAITS): return .starting
    case 0, Int(CTESSERA_PROGRAM_RUNS): return .works
    default: return .failed("\(name) ended with status \(status)")
    }
  }
}

/// Why a program was not started.
struct ProgramFailure: Error {
  /// Words for a developer.
  let words: String
}

private func words(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
