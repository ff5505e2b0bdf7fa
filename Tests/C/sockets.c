/* SPDX-License-Identifier: MIT */
/*
 * The socket of a connection is closed by exec(), and is not a standard descriptor, even if the host closed them. A
 * local server accepts the connection of a call, and checks the descriptors of the process.
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

static int listener;
static struct sockaddr_in address;

/** Returns the client descriptor of a connection, which is in this process too; -1 for none. */
static int client_of(const struct sockaddr_in *peer) {
  for (int descriptor = 0; descriptor < 1024; descriptor++) {
    struct sockaddr_in own;
    socklen_t size = sizeof own;
    if (getsockname(descriptor, (struct sockaddr *)&own, &size) != 0 || own.sin_family != AF_INET) continue;
    if (own.sin_port == peer->sin_port) return descriptor;
  }
  return -1;
}

static void *serve(void *unused) {
  (void)unused;
  struct sockaddr_in peer;
  socklen_t size = sizeof peer;
  memset(&peer, 0, sizeof peer);
  int connection = accept(listener, (struct sockaddr *)&peer, &size);
  CHECK(connection >= 0);
  int client = client_of(&peer);
  CHECK(client > 2);
  CHECK((fcntl(client, F_GETFD) & FD_CLOEXEC) != 0);
  close(connection);
  return NULL;
}

int main(void) {
  socklen_t size = sizeof address;
  pthread_t thread;
  char configuration[200], *response = NULL;
  tessera_application *application = NULL;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 8) == 0);
  CHECK(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
  CHECK(pthread_create(&thread, NULL, serve, NULL) == 0);
  snprintf(configuration, sizeof configuration,
           "{\"client_id\":\"app\",\"authority\":\"http://127.0.0.1:%d\",\"store\":{\"kind\":\"memory\"},\"network\":{\"proxy\":\"\"},"
           "\"redirect_uri\":\"http://localhost\"}",
           ntohs(address.sin_port));
  tessera_status status = tessera_application_create(configuration, NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);

  close(0);
  status = tessera_application_begin_sign_in(application, "{\"scopes\":[\"read\"]}", NULL, &response);
  check_status("tessera_application_begin_sign_in", TESSERA_STATUS_RETRY_LATER, status, response);
  close(listener);
  pthread_join(thread, NULL);
  tessera_application_free(application);
  return failures != 0;
}
