/* SPDX-License-Identifier: MIT */
/* The responses of the Microsoft identity platform that hosts of the tests send: documents "TransportResponse". */
#ifndef RESPONSES_H
#define RESPONSES_H

#define TENANT "72f988bf-86f1-41af-91ab-2d7cd011db47"
#define AUTHORITY "https://login.microsoftonline.com/" TENANT
/** {"uid": "a", "utid": TENANT} in Base64url. */
#define CLIENT_INFO "eyJ1aWQiOiJhIiwidXRpZCI6IjcyZjk4OGJmLTg2ZjEtNDFhZi05MWFiLTJkN2NkMDExZGI0NyJ9"
#define METADATA                                                                            \
  "{\\\"issuer\\\":\\\"" AUTHORITY "/v2.0\\\","                                             \
  "\\\"authorization_endpoint\\\":\\\"" AUTHORITY "/oauth2/v2.0/authorize\\\","             \
  "\\\"token_endpoint\\\":\\\"" AUTHORITY "/oauth2/v2.0/token\\\","                         \
  "\\\"jwks_uri\\\":\\\"https://login.microsoftonline.com/common/discovery/v2.0/keys\\\"}"
#define TOKEN                                                                                    \
  "{\"status\": 200, \"headers\": [\"Content-Type: application/json\"], \"body\": \"{"           \
  "\\\"token_type\\\":\\\"Bearer\\\",\\\"expires_in\\\":3600,\\\"scope\\\":\\\"User.Read\\\","   \
  "\\\"access_token\\\":\\\"fresh\\\",\\\"refresh_token\\\":\\\"two\\\",\\\"client_info\\\":\\\"" CLIENT_INFO "\\\"}\"}"

#endif
