// SPDX-License-Identifier: MIT
// Sockets on the loopback interface.

#define _GNU_SOURCE
#include "ctessera_loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#if !defined(__linux__)
// There is no way to have these at once: a program that another thread starts meanwhile inherits the descriptor.
static int prepared(int descriptor) {
  if (descriptor < 0) return -1;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
  return descriptor;
}
#endif

static int make_socket(int family) {
#if defined(__linux__)
  return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
#else
  return prepared(socket(family, SOCK_STREAM, 0));
#endif
}

static int failed(int descriptor) {
  int problem = errno;
  if (descriptor >= 0) close(descriptor);
  errno = problem;
  return -1;
}

// Connections of an earlier sign-in that the kernel still remembers do not keep a port; who listens there does.
static bool listens(int descriptor, const struct sockaddr *address, socklen_t length) {
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  return bind(descriptor, address, length) == 0 && listen(descriptor, 128) == 0;
}

static int listen_ipv4(uint16_t *port) {
  struct sockaddr_in address;
  socklen_t length = sizeof(address);
  memset(&address, 0, sizeof(address));
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(*port);
  int descriptor = make_socket(AF_INET);
  if (descriptor < 0 || !listens(descriptor, (struct sockaddr *)&address, length) ||
      getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) {
    return failed(descriptor);
  }
  *port = ntohs(address.sin_port);
  return descriptor;
}

static int listen_ipv6(uint16_t *port) {
  struct sockaddr_in6 address;
  socklen_t length = sizeof(address);
  memset(&address, 0, sizeof(address));
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  address.sin6_port = htons(*port);
  int descriptor = make_socket(AF_INET6), on = 1;
  if (descriptor < 0 ||
      setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) != 0 ||
      !listens(descriptor, (struct sockaddr *)&address, length) ||
      getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) {
    return failed(descriptor);
  }
  *port = ntohs(address.sin6_port);
  return descriptor;
}

int ctessera_loopback_listen(bool is_ipv6, uint16_t *port) {
  return is_ipv6 ? listen_ipv6(port) : listen_ipv4(port);
}

int ctessera_loopback_accept(int listener) {
#if defined(__linux__)
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
  return prepared(accept(listener, NULL, NULL));
#endif
}

long ctessera_loopback_send(int connection, const void *bytes, size_t count) {
#if defined(__linux__)
  return send(connection, bytes, count, MSG_NOSIGNAL);
#else
  return send(connection, bytes, count, 0);
#endif
}
