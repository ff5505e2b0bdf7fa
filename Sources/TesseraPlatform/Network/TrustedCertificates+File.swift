// SPDX-License-Identifier: MIT
// Checks the file of trusted certificates before libcurl reads it.

import CLibrary
import TesseraEngine

extension TrustedCertificates {
  /// Throws `certificateUntrusted` if the file exists but is not a regular file.
  ///
  /// libcurl opens it without O_NONBLOCK: a FIFO would block the call beyond its deadline. libcurl reports a missing
  /// file itself.
  func checkFile() throws(TesseraError) {
    guard let file else { return }
    let descriptor = openFile(file, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & mode_t(S_IFMT) != mode_t(S_IFREG)
    else { return }
    throw TesseraError(
      .fixConfiguration, .certificateUntrusted,
      "The file with the trusted certificates is not a regular file: \(file). Correct network.ca_file, CURL_CA_BUNDLE or "
        + "SSL_CERT_FILE.")
  }
}
