// SPDX-License-Identifier: MIT
// Parsing of the request from the library, and reports to it.

#include "request.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_MILLISECONDS = 10000 };

// Reads a complete request, up to its empty line. Returns false on failure, or if no data arrives for ten seconds.
static bool receive(int descriptor, char *text, size_t size) {
  size_t count = 0;
  while (count + 1 < size) {
    struct pollfd input = {descriptor, POLLIN, 0};
    int ready = poll(&input, 1, TIMEOUT_MILLISECONDS);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    ssize_t piece = read(descriptor, text + count, size - 1 - count);
    if (piece < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (piece <= 0) return false;
    count += (size_t)piece;
    text[count] = 0;
    if (strlen(text) != count) return false;
    if (strstr(text, "\n\n") != NULL) return true;
  }
  return false;
}

// Returns the value of a line with a keyword, or NULL if the keyword differs.
static const char *value(const char *line, const char *keyword) {
  size_t length = strlen(keyword);
  return strncmp(line, keyword, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

// Stores the value of a line in the member for its keyword. Returns false for an unknown keyword.
static bool store_value(const char *line, request *found, const char **session) {
  const struct {
    const char *keyword;
    const char **place;
  } members[] = {
      {"page", &found->page}, {"redirect", &found->redirect}, {"session", session},
      {"trust", &found->trust}, {"proxy", &found->proxy}, {"direct", &found->direct},
  };
  for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
    const char *text = value(line, members[i].keyword);
    if (text == NULL) continue;
    *members[i].place = text;
    return true;
  }
  return false;
}

bool request_read(int descriptor, request *found) {
  static char text[REQUEST_LIMIT];
  memset(found, 0, sizeof(*found));
  if (!receive(descriptor, text, sizeof(text))) return false;
  const char *session = NULL;
  char *rest = text;
  char *first = strsep(&rest, "\n");
  if (strcmp(first, REQUEST_VERSION) != 0) return false;
  while (rest != NULL && *rest != '\n') {
    if (!store_value(strsep(&rest, "\n"), found, &session)) return false;
  }
  if (session == NULL || found->page == NULL || found->redirect == NULL) return false;
  found->is_shared = strcmp(session, "shared") == 0;
  return found->is_shared || strcmp(session, "ephemeral") == 0;
}

static bool write_all(const char *text, size_t count) {
  while (count > 0) {
    ssize_t written = write(STDOUT_FILENO, text, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      struct pollfd output = {STDOUT_FILENO, POLLOUT, 0};
      if (poll(&output, 1, TIMEOUT_MILLISECONDS) > 0) continue;
    }
    if (written <= 0) return false;
    text += written;
    count -= (size_t)written;
  }
  return true;
}

bool request_send(const char *keyword, const char *value) {
  static char line[LINE_LIMIT];
  size_t count = 0;
  for (; *keyword != 0; keyword++) line[count++] = *keyword;
  if (value != NULL) line[count++] = ' ';
  for (; value != NULL && *value != 0 && count < sizeof(line) - 1; value++) {
    bool is_control = (unsigned char)*value < 0x20 || *value == 0x7F;
    line[count++] = is_control ? ' ' : *value;
  }
  // A truncated URL would be a different URL. Only the keyword of a URL, "answer", starts with an a.
  if (value != NULL && *value != 0 && line[0] == 'a') return request_send("failed", "the response is too long");
  line[count++] = '\n';
  return write_all(line, count);
}
