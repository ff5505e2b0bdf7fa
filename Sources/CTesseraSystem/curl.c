// SPDX-License-Identifier: MIT
// Wrappers of libcurl that Swift can call. libcurl is loaded at its first use.

#define _GNU_SOURCE
#define CURL_DISABLE_TYPECHECK
#include "ctessera_system.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "exit_guard.h"

#ifndef RTLD_NODELETE
#define RTLD_NODELETE 0
#endif

// Options that the installed header may lack.
enum { OPTION_PROTOCOLS_STR = 10318, OPTION_QUICK_EXIT = 322 };

struct ctessera_curl {
  CURLcode (*global_init)(long flags);
  CURL *(*easy_init)(void);
  CURLcode (*easy_setopt)(CURL *easy, CURLoption option, ...);
  CURLcode (*easy_getinfo)(CURL *easy, CURLINFO info, ...);
  void (*easy_cleanup)(CURL *easy);
  const char *(*easy_strerror)(CURLcode code);
  struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
  void (*slist_free_all)(struct curl_slist *list);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_perform)(CURLM *multi, int *running);
  CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
  CURLMcode (*multi_poll)(
      CURLM *multi, struct curl_waitfd fds[], unsigned int count, int milliseconds, int *ready);
  CURLMcode (*multi_wakeup)(CURLM *multi);
  CURLMcode (*multi_cleanup)(CURLM *multi);
};

// Looks up one function. Its name in the table is that of libcurl without the prefix.
#define FIND(library, table, name) \
  ((*(void **)&(table)->name = dlsym((library), "curl_" #name)) != NULL)

static bool find_functions(void *library, ctessera_curl *curl) {
  return FIND(library, curl, global_init) && FIND(library, curl, easy_init) &&
         FIND(library, curl, easy_setopt) && FIND(library, curl, easy_getinfo) &&
         FIND(library, curl, easy_cleanup) && FIND(library, curl, easy_strerror) &&
         FIND(library, curl, slist_append) && FIND(library, curl, slist_free_all) &&
         FIND(library, curl, multi_init) && FIND(library, curl, multi_add_handle) &&
         FIND(library, curl, multi_remove_handle) && FIND(library, curl, multi_perform) &&
         FIND(library, curl, multi_info_read) && FIND(library, curl, multi_poll) &&
         FIND(library, curl, multi_wakeup) && FIND(library, curl, multi_cleanup);
}

// The ID of the process that is loading libcurl, or 0. Before 7.84, libcurl must not be initialized concurrently.
static atomic_long loading_process;

bool ctessera_curl_lock_loading(void) {
  long own = (long)getpid();
  long seen = 0;
  while (!atomic_compare_exchange_strong(&loading_process, &seen, own)) {
    if (seen != own) return false;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    seen = 0;
  }
  return true;
}

void ctessera_curl_unlock_loading(void) {
  atomic_store(&loading_process, 0);
}

// Makes OpenSSL's exit handler close the exit guard first. Call it before curl_global_init(), which registers the handler.
static void register_exit_guard(void *library) {
  static bool is_guarded;
  if (is_guarded) return;
  int (*at_its_exit)(void (*handler)(void));
  *(void **)&at_its_exit = dlsym(library, "OPENSSL_atexit");
  is_guarded = at_its_exit != NULL && at_its_exit(ctessera_exit_guard_close) != 0;
}

static ctessera_curl *load_inside_guard(const char *name, char *problem, size_t problem_size) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) {
    const char *reason = dlerror();
    snprintf(problem, problem_size, "%s", reason != NULL ? reason : name);
    return NULL;
  }
  ctessera_curl *curl = calloc(1, sizeof(*curl));
  if (curl == NULL) {
    snprintf(problem, problem_size, "%s: out of memory", name);
  } else if (!find_functions(library, curl)) {
    snprintf(problem, problem_size, "%s: older than 7.68", name);
  } else {
    register_exit_guard(library);
    if (curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) return curl;
    snprintf(problem, problem_size, "%s: curl_global_init failed", name);
  }
  free(curl);
  dlclose(library);
  return NULL;
}

// Keeps this library loaded, even if a plugin host unloads it: its exit handlers and threads may still run.
static void pin_library(void) {
  Dl_info own;
  // OpenSSL pins libraries that register a handler with it, except in builds that pin OpenSSL itself, such as Debian's.
  if (dladdr((const void *)(uintptr_t)ctessera_exit_guard_close, &own) != 0 && own.dli_fname != NULL) {
    dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  }
}

ctessera_curl *ctessera_curl_load(const char *name, char *problem, size_t problem_size) {
  static bool is_guarded;
  pin_library();
  // Exit handlers that are registered before the libraries are loaded run before the destructors of these libraries.
  if (!is_guarded) is_guarded = atexit(ctessera_exit_guard_close) == 0;
  if (!is_guarded || !ctessera_exit_guard_enter()) {
    snprintf(problem, problem_size, "%s: the process is exiting", name);
    return NULL;
  }
  ctessera_curl *curl = load_inside_guard(name, problem, problem_size);
  ctessera_exit_guard_leave();
  return curl;
}

void ctessera_curl_unload(ctessera_curl *curl) {
  free(curl);
}

#ifndef SOCK_CLOEXEC
#define SOCK_CLOEXEC 0
#endif

// Opens the socket of a connection. Child processes do not inherit it. Descriptors 0 to 2 are not used, even if the
// host closed them: otherwise the host's standard output would be sent to the server.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context, (void)purpose;
  int opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (opened < 0) return CURL_SOCKET_BAD;
  const int descriptor = fcntl(opened, F_DUPFD_CLOEXEC, 3);
  close(opened);
  return descriptor < 0 ? CURL_SOCKET_BAD : descriptor;
}

void *ctessera_curl_easy_create(const ctessera_curl *curl) {
  CURL *easy = curl->easy_init();
  if (easy != NULL) curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  return easy;
}

void ctessera_curl_easy_free(const ctessera_curl *curl, void *easy) {
  if (!ctessera_exit_guard_enter()) return;
  curl->easy_cleanup(easy);
  ctessera_exit_guard_leave();
}

const char *ctessera_curl_error_text(const ctessera_curl *curl, CURLcode code) {
  return curl->easy_strerror(code);
}

bool ctessera_curl_set_number(
    const ctessera_curl *curl, void *easy, CURLoption option, long value) {
  return curl->easy_setopt(easy, option, value) == CURLE_OK;
}

bool ctessera_curl_set_size(
    const ctessera_curl *curl, void *easy, CURLoption option, long long value) {
  return curl->easy_setopt(easy, option, (curl_off_t)value) == CURLE_OK;
}

bool ctessera_curl_set_text(
    const ctessera_curl *curl, void *easy, CURLoption option, const char *value) {
  return curl->easy_setopt(easy, option, value) == CURLE_OK;
}

bool ctessera_curl_set_pointer(
    const ctessera_curl *curl, void *easy, CURLoption option, const void *value) {
  return curl->easy_setopt(easy, option, value) == CURLE_OK;
}

bool ctessera_curl_set_receiver(
    const ctessera_curl *curl, void *easy, CURLoption option, ctessera_curl_receiver value) {
  return curl->easy_setopt(easy, option, value) == CURLE_OK;
}

bool ctessera_curl_allow_http_only(const ctessera_curl *curl, void *easy) {
  if (curl->easy_setopt(easy, (CURLoption)OPTION_PROTOCOLS_STR, "http,https") == CURLE_OK) {
    return true;
  }
  long web = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  return curl->easy_setopt(easy, CURLOPT_PROTOCOLS, web) == CURLE_OK;
}

const char *ctessera_curl_issuer(const ctessera_curl *curl, void *easy) {
  struct curl_certinfo *found = NULL;
  if (curl->easy_getinfo(easy, CURLINFO_CERTINFO, &found) != CURLE_OK || found == NULL) return NULL;
  if (found->num_of_certs <= 0) return NULL;
  struct curl_slist *line = found->certinfo[found->num_of_certs - 1];
  for (; line != NULL; line = line->next) {
    if (strncmp(line->data, "Issuer:", 7) == 0) return line->data + 7;
  }
  return NULL;
}

bool ctessera_curl_set_quick_exit(const ctessera_curl *curl, void *easy) {
  return curl->easy_setopt(easy, (CURLoption)OPTION_QUICK_EXIT, 1L) == CURLE_OK;
}

long ctessera_curl_get_number(const ctessera_curl *curl, void *easy, CURLINFO info) {
  long value = 0;
  return curl->easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

long long ctessera_curl_get_time(const ctessera_curl *curl, void *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl->easy_getinfo(easy, info, &value) == CURLE_OK ? (long long)value : 0;
}

bool ctessera_curl_list_append(
    const ctessera_curl *curl, struct curl_slist **list, const char *line) {
  struct curl_slist *longer = curl->slist_append(*list, line);
  if (longer == NULL) return false;
  *list = longer;
  return true;
}

void ctessera_curl_list_free(const ctessera_curl *curl, struct curl_slist *list) {
  curl->slist_free_all(list);
}

void *ctessera_curl_multi_create(const ctessera_curl *curl) {
  return curl->multi_init();
}

bool ctessera_curl_multi_add(const ctessera_curl *curl, void *multi, void *easy) {
  return curl->multi_add_handle(multi, easy) == CURLM_OK;
}

void ctessera_curl_multi_free(const ctessera_curl *curl, void *multi, void *easy) {
  if (!ctessera_exit_guard_enter()) return;
  curl->multi_remove_handle(multi, easy);
  curl->multi_cleanup(multi);
  ctessera_exit_guard_leave();
}

bool ctessera_curl_multi_perform(const ctessera_curl *curl, void *multi) {
  if (!ctessera_exit_guard_enter()) return false;
  int running = 0;
  const bool succeeded = curl->multi_perform(multi, &running) == CURLM_OK;
  ctessera_exit_guard_leave();
  return succeeded;
}

bool ctessera_curl_multi_finished(const ctessera_curl *curl, void *multi, CURLcode *result) {
  int left = 0;
  for (CURLMsg *message; (message = curl->multi_info_read(multi, &left)) != NULL;) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return true;
    }
  }
  return false;
}

int ctessera_curl_multi_wait(const ctessera_curl *curl, void *multi, int milliseconds) {
  int ready = 0;
  return curl->multi_poll(multi, NULL, 0, milliseconds, &ready) == CURLM_OK ? ready : -1;
}

void ctessera_curl_multi_wake(const ctessera_curl *curl, void *multi) {
  curl->multi_wakeup(multi);
}
