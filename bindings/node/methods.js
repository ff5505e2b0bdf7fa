// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and include/tessera.h by scripts/check-documents --write.
'use strict';

// By method: the form of its parameters, the name of its function's number, the request and the result.
module.exports = {
  getAccounts: ['call', 'CALL_GET_ACCOUNTS', 'AccountsRequest', 'AccountList'],
  getAccount: ['call', 'CALL_GET_ACCOUNT', 'AccountsRequest', 'AccountResult'],
  getCurrentAccount: ['call', 'CALL_GET_CURRENT_ACCOUNT', 'StoreRequest', 'CurrentAccount'],
  removeAccount: ['call', 'CALL_REMOVE_ACCOUNT', 'RemoveAccountRequest', 'RemovedAccount'],
  signOut: ['call', 'CALL_SIGN_OUT', 'SignOutRequest', 'SignOutReport'],
  explain: ['call', 'CALL_EXPLAIN', 'ExplainRequest', 'Explanation'],
  beginSignIn: ['start', 'START_BEGIN_SIGN_IN', 'SignInRequest', 'SignInSession'],
  completeSignIn: ['start', 'START_COMPLETE_SIGN_IN', 'RedirectResponse', 'TokenResult'],
  getStoreInfo: ['call', 'CALL_GET_STORE_INFO', 'StoreRequest', 'StoreInfo'],
  rotateStoreKey: ['call', 'CALL_ROTATE_STORE_KEY', 'RotateKeyRequest', 'RotatedKey'],
  readCache: ['call', 'CALL_READ_CACHE', 'StoreRequest', 'CacheText'],
  writeCache: ['call', 'CALL_WRITE_CACHE', 'CacheWriteRequest', 'CacheChanges'],
  copySignIns: ['from', 'CALL_COPY_SIGN_INS', 'CopyRequest', 'CopyReport'],
  migrate: ['data', 'CALL_MIGRATE', 'MigrationRequest', 'MigrationReport'],
  exportSignIns: ['data', 'CALL_EXPORT_SIGN_INS', 'ExportRequest', 'ExportedSignIns'],
  getBrokerVersion: ['call', 'CALL_GET_BROKER_VERSION', 'BrokerRequest', 'BrokerVersion'],
  getBrokerAccounts: ['call', 'CALL_GET_BROKER_ACCOUNTS', 'BrokerRequest', 'BrokerAccountList'],
  getBrokerSsoCookie: ['call', 'CALL_GET_BROKER_SSO_COOKIE', 'BrokerCookieRequest', 'BrokerCookies'],
  getBrokerSignedHttpRequest: ['call', 'CALL_GET_BROKER_SIGNED_HTTP_REQUEST', 'BrokerSigningRequest', 'BrokerSignature'],
};
