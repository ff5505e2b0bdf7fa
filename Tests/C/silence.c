/* SPDX-License-Identifier: MIT */
/* An unresponsive server, and applications that send requests to it. */
#define _POSIX_C_SOURCE 200809L
#include "silence.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "check.h"

tessera_application *application_at(int port) {
  return application_of(port, NULL, 3);
}

tessera_application *application_of(int port, const tessera_host *host, int log_level) {
  char configuration[300], *response = NULL;
  snprintf(configuration, sizeof configuration,
           "{\"client_id\": \"6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10\", \"store\": {\"kind\": \"memory\"},"
           " \"log_level\": %d, \"authority\": \"http://127.0.0.1:%d/contoso.com\"}",
           log_level, port);
  tessera_application *application = NULL;
  tessera_status status = tessera_application_create(configuration, host, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return application;
}

int silent_server(int *port) {
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  int server = socket(AF_INET, SOCK_STREAM, 0);
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(bind(server, (struct sockaddr *)&address, length) == 0 && listen(server, 128) == 0);
  CHECK(getsockname(server, (struct sockaddr *)&address, &length) == 0);
  *port = ntohs(address.sin_port);
  return server;
}
