// SPDX-License-Identifier: MIT
// Sockets on the loopback interface, and Unix sockets in a directory of the user.

#define _GNU_SOURCE
#include "ctessera_loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctessera_descriptors.h"

#if !defined(__linux__)
// These flags cannot be set atomically: a process that another thread starts in the meantime inherits the descriptor.
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
  ctessera_fill_standard_descriptors();
#if defined(__linux__)
  return ctessera_above_standard(
      socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
#else
  return prepared(socket(family, SOCK_STREAM, 0));
#endif
}

// The backlog, as long as the system allows. If it is full, connections are dropped, and clients retry only after
// seconds. With a long backlog, many connections before the browser's delay it only by the time to accept them.
static const int backlog = SOMAXCONN;

static int failed(int descriptor) {
  int problem = errno;
  if (descriptor >= 0) close(descriptor);
  errno = problem;
  return -1;
}

// Binds and listens. Connections of an earlier sign-in in TIME_WAIT do not block the port, but another listener does.
static bool listens(int descriptor, const struct sockaddr *address, socklen_t length) {
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  return bind(descriptor, address, length) == 0 && listen(descriptor, backlog) == 0;
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
  ctessera_fill_standard_descriptors();
#if defined(__linux__)
  return ctessera_above_standard(
      accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
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

// Fills in the address of a socket. sun_path is short: for a long path, Linux accepts /proc/self/fd of the open
// directory.
static bool fill_address(struct sockaddr_un *address, const char *path, int folder, const char *name) {
  memset(address, 0, sizeof(*address));
  address->sun_family = AF_UNIX;
  size_t capacity = sizeof(address->sun_path);
  int count = snprintf(address->sun_path, capacity, "%s/%s", path, name);
  if (count > 0 && (size_t)count < capacity) return true;
  count = snprintf(address->sun_path, capacity, "/proc/self/fd/%d/%s", folder, name);
  if (count > 0 && (size_t)count < capacity) return true;
  errno = ENAMETOOLONG;
  return false;
}

int ctessera_rendezvous_listen(const char *path, int folder, const char *name) {
  struct sockaddr_un address;
  if (!fill_address(&address, path, folder, name)) return -1;
  int descriptor = make_socket(AF_UNIX);
  if (descriptor < 0) return -1;
  // The mode of the socket file. On systems that ignore it, the mode of the directory excludes other users.
  fchmod(descriptor, S_IRUSR | S_IWUSR);
  if (bind(descriptor, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(descriptor, backlog) != 0) {
    return failed(descriptor);
  }
  return descriptor;
}

int ctessera_rendezvous_connect(const char *path, int folder, const char *name) {
  struct sockaddr_un address;
  if (!fill_address(&address, path, folder, name)) return -1;
  int descriptor = make_socket(AF_UNIX);
  if (descriptor < 0) return -1;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof(address)) != 0) return failed(descriptor);
  return descriptor;
}

bool ctessera_rendezvous_is_same_user(int connection) {
#if defined(__linux__)
  struct ucred peer;
  socklen_t size = sizeof(peer);
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
#else
  uid_t user;
  gid_t group;
  return getpeereid(connection, &user, &group) == 0 && user == geteuid();
#endif
}
