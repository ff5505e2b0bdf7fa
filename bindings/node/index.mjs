// SPDX-License-Identifier: MIT
import tessera from './index.js';

export const {
  Application, TesseraError, SignInRequiredError, RetryLaterError, InvalidRequestError, ConfigurationError,
  StorageError, CancelledError, InternalError, features, describeToken, findCaches, handOverUrl,
} = tessera;
