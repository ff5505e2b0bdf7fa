// SPDX-License-Identifier: MIT
// libcurl as it was found on this machine.

import CTesseraSystem
import TesseraEngine

/// The functions of a loaded libcurl; they never change, and any thread may use them.
final class CurlLibrary: @unchecked Sendable {
  #if canImport(Darwin)
    static let names = ["libcurl.4.dylib"]
  #else
    /// The build on OpenSSL, which every distribution has, and Debian's on GnuTLS.
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #endif

  /// What the functions of the shim take as their first argument.
  let functions: OpaquePointer

  /// Loads the first library that there is.
  ///
  /// - Throws: `unsafeEnvironment` before anything is loaded, if libcurl would write to a file that the environment names.
  init(names: [String] = CurlLibrary.names) throws(TesseraError) {
    guard !ctessera_environment_is_unsafe() else { throw .unsafeEnvironment }
    guard ctessera_curl_enter() else {
      throw TesseraError(
        .fixConfiguration, .libraryMissing,
        "This process was forked while another thread was loading libcurl: fork while no call is under way, or exec."
      )
    }
    defer { ctessera_curl_leave() }
    var problems: [String] = []
    for name in names {
      var problem = [CChar](repeating: 0, count: 256)
      if let functions = ctessera_curl_open(name, &problem, problem.count) {
        self.functions = functions
        return
      }
      problems.append(String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    guard !ctessera_gate_is_shut() else { throw .cancelled() }
    guard OpenDescriptors.isOneLeft else { throw .tooManyFilesForNetwork }
    throw TesseraError(
      .fixConfiguration, .libraryMissing,
      "libcurl 7.68 or newer is needed to reach the network: install the package libcurl4 "
        + "(Debian, Ubuntu) or libcurl (others). \(problems.joined(separator: "; "))")
  }

  deinit {
    ctessera_curl_close(functions)
  }

  /// What libcurl says about a result.
  func words(_ code: CURLcode) -> String {
    ctessera_curl_words(functions, code).map(String.init(cString:)) ?? "error \(code.rawValue)"
  }
}

extension TesseraError {
  /// The process has elevated rights, and libcurl would write the keys of TLS to a file that the environment names.
  static let unsafeEnvironment = TesseraError(
    .fixConfiguration, .unsafeEnvironment,
    "The environment variable SSLKEYLOGFILE is set in a program with elevated rights. "
      + "libcurl would write TLS keys to the file that it names, so no request was sent. "
      + "Remove the variable at the start of main(): unsetenv(\"SSLKEYLOGFILE\").")

  /// No descriptor is left for libcurl or a connection; that says nothing about either.
  static let tooManyFilesForNetwork = TesseraError(
    .retryLater, .networkFailed,
    "The network could not be used: too many files are open. Close some, or raise the limit of this program."
  )
}
