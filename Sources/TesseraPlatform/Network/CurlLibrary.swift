// SPDX-License-Identifier: MIT
// libcurl, loaded at run time.

import CTesseraSystem
import TesseraEngine

/// The functions of a loaded libcurl.
///
/// They are immutable and thread-safe.
final class CurlLibrary: @unchecked Sendable {
  #if canImport(Darwin)
    static let names = ["libcurl.4.dylib"]
  #else
    /// The file names of the OpenSSL build, which every distribution has, and of Debian's GnuTLS build.
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #endif

  /// The function table for the C functions of CTesseraSystem.
  let functions: OpaquePointer

  /// Loads the first available library.
  ///
  /// - Throws: `unsafeEnvironment` before anything is loaded, if libcurl would write to a file that the environment names;
  ///   `libraryMissing`; `networkFailed` if no descriptor is left.
  init(names: [String] = CurlLibrary.names) throws(TesseraError) {
    guard !ctessera_environment_is_unsafe() else { throw .unsafeEnvironment }
    guard ctessera_curl_lock_loading() else {
      throw TesseraError(
        .fixConfiguration, .libraryMissing,
        "This process was forked while another thread was loading libcurl. Fork while no call is in progress, or call exec."
      )
    }
    defer { ctessera_curl_unlock_loading() }
    var problems: [String] = []
    for name in names {
      var problem = [CChar](repeating: 0, count: 256)
      if let functions = ctessera_curl_load(name, &problem, problem.count) {
        self.functions = functions
        return
      }
      problems.append(String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    guard !ctessera_exit_guard_is_closed() else { throw .cancelled() }
    guard DescriptorGuard.canOpenFile else { throw .tooManyFilesForNetwork }
    throw TesseraError(
      .fixConfiguration, .libraryMissing,
      "libcurl 7.68 or newer is required: install the package libcurl4 "
        + "(Debian, Ubuntu) or libcurl (others). \(problems.joined(separator: "; "))")
  }

  deinit {
    ctessera_curl_unload(functions)
  }

  /// Returns libcurl's description of a result code.
  func errorText(_ code: CURLcode) -> String {
    ctessera_curl_error_text(functions, code).map(String.init(cString:)) ?? "error \(code.rawValue)"
  }
}

extension TesseraError {
  /// The error for a process with elevated rights in which libcurl would write TLS keys to a file that the environment names.
  static let unsafeEnvironment = TesseraError(
    .fixConfiguration, .unsafeEnvironment,
    "The environment variable SSLKEYLOGFILE is set in a process with elevated rights. "
      + "libcurl would write TLS secrets to that file, so no request was sent. "
      + "Remove the variable at the start of main(): unsetenv(\"SSLKEYLOGFILE\").")

  /// The error if no descriptor is left for loading libcurl or for a connection.
  static let tooManyFilesForNetwork = TesseraError(
    .retryLater, .networkFailed,
    "No connection could be opened: the process has too many open files. Close files, or raise the limit (ulimit -n)."
  )
}
