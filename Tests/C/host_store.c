/* SPDX-License-Identifier: MIT */
/* A host's own store, in a file with a lock: shared by processes, with failures, damage and other writers.
 *
 * usage: host_store            runs all checks
 *        host_store FILE SUFFIX  adds users with names that end in SUFFIX, as one of several processes */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "responses.h"

#define USERS 10

/** A store in files of a directory: each partition has its version in the first 8 bytes. */
struct files {
  const char *directory;
  /** The results of the callbacks, instead of their work; 0 for none. */
  int read_fails, write_fails, lock_fails;
  /** Invalid contents to pass instead of those of the file; INTACT for none. */
  enum { INTACT, NO_BYTES, TOO_LARGE, NO_VERSION } contents;
  /** The number of writes that another process supersedes. */
  int supersessions;
  int reads, writes, locks;
  /** Whether a token request waits until `is_freeing` is set; it sets `is_sending` first. */
  int waits, is_sending, is_freeing, unlocks;
  char last_partition[64];
  /** The descriptor of the lock that this process has. */
  int lock_descriptor;
};

static int opened(const struct files *files, const char *partition, int flags) {
  char path[500];
  snprintf(path, sizeof path, "%s/%s", files->directory, partition);
  return open(path, flags | O_CLOEXEC, 0600);
}

/** Reads the version and the bytes of a file. Returns their number, or -1 if it is empty. */
static ssize_t contents(int descriptor, uint64_t *version, uint8_t *bytes, size_t size) {
  if (pread(descriptor, version, sizeof *version, 0) != sizeof *version) return -1;
  return pread(descriptor, bytes, size, sizeof *version);
}

static int32_t read_partition(void *user_data, const char *partition, int64_t timeout, tessera_contents *target) {
  static uint8_t bytes[1 << 18];
  struct files *files = user_data;
  files->reads++;
  CHECK(timeout > 0);
  if (files->read_fails) return files->read_fails;
  int descriptor = opened(files, partition, O_RDONLY);
  if (descriptor < 0) return 0;
  flock(descriptor, LOCK_SH);
  uint64_t version = 0;
  ssize_t count = contents(descriptor, &version, bytes, sizeof bytes);
  close(descriptor);
  switch (files->contents) {
    case NO_BYTES: tessera_contents_set(target, NULL, 100, version); break;
    case TOO_LARGE: tessera_contents_set(target, bytes, SIZE_MAX / 2, version); break;
    case NO_VERSION: tessera_contents_set(target, bytes, 1, 0); break;
    case INTACT:
      if (count >= 0) tessera_contents_set(target, bytes, (size_t)count, version);
  }
  return 0;
}

static int32_t write_partition(
    void *user_data, const char *partition, const uint8_t *bytes, size_t size, uint64_t expected, int64_t timeout) {
  struct files *files = user_data;
  files->writes++;
  snprintf(files->last_partition, sizeof files->last_partition, "%s", partition);
  CHECK(timeout > 0);
  if (files->write_fails) return files->write_fails;
  if (files->supersessions > 0 && files->supersessions--) return TESSERA_STORE_CONFLICT;
  int descriptor = opened(files, partition, O_RDWR | O_CREAT);
  if (descriptor < 0) return TESSERA_STORE_FAILED;
  flock(descriptor, LOCK_EX);
  uint64_t version = 0;
  if (pread(descriptor, &version, sizeof version, 0) != sizeof version) version = 0;
  int32_t result = TESSERA_STORE_CONFLICT;
  if (version == expected) {
    version++;
    result = pwrite(descriptor, bytes, size, sizeof version) == (ssize_t)size &&
                     ftruncate(descriptor, (off_t)(size + sizeof version)) == 0 &&
                     pwrite(descriptor, &version, sizeof version, 0) == sizeof version
                 ? TESSERA_STORE_COMMITTED
                 : TESSERA_STORE_FAILED;
  }
  close(descriptor);
  return result;
}

static int32_t version_of(void *user_data, const char *partition, uint64_t *version) {
  int descriptor = opened(user_data, partition, O_RDONLY);
  *version = 0;
  if (descriptor < 0) return 0;
  flock(descriptor, LOCK_SH);
  if (pread(descriptor, version, sizeof *version, 0) != sizeof *version) *version = 0;
  close(descriptor);
  return 0;
}

static int32_t lock_credential(void *user_data, const char *credential, int64_t timeout) {
  struct files *files = user_data;
  char name[64];
  files->locks++;
  CHECK(timeout > 0 && timeout <= 100 && strlen(credential) <= 16);
  if (files->lock_fails) return files->lock_fails;
  snprintf(name, sizeof name, "lock-%s", credential);
  int descriptor = opened(files, name, O_RDWR | O_CREAT);
  if (descriptor < 0) return TESSERA_LOCK_FAILED;
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor);
    return TESSERA_LOCK_BUSY;
  }
  files->lock_descriptor = descriptor;
  return TESSERA_LOCK_ACQUIRED;
}

static void unlock_credential(void *user_data, const char *credential) {
  struct files *files = user_data;
  CHECK(credential[0] != 0);
  files->unlocks++;
  close(files->lock_descriptor);
}

static int32_t give_key(void *user_data, uint8_t *key, size_t size) {
  (void)user_data;
  memset(key, 7, size);
  return 0;
}

/** Responds with the metadata, or with a token. Counts the token requests in a file of the store. */
static void send_request(void *user_data, const char *request, tessera_exchange *exchange) {
  struct files *files = user_data;
  int is_token = strstr(request, "/token\"") != NULL;
  if (is_token) {
    int descriptor = opened(files, "requests", O_WRONLY | O_CREAT | O_APPEND);
    CHECK(write(descriptor, "x", 1) == 1);
    close(descriptor);
    usleep(50000);
    __atomic_store_n(&files->is_sending, 1, __ATOMIC_RELEASE);
    while (files->waits && !__atomic_load_n(&files->is_freeing, __ATOMIC_ACQUIRE)) usleep(1000);
    /* tessera_application_free() is called meanwhile. */
    if (files->waits) usleep(100000);
  }
  tessera_exchange_respond(exchange, is_token ? TOKEN : "{\"status\": 200, \"body\": \"" METADATA "\"}");
}

static const tessera_host_store all = {
    .size = sizeof all, .read = read_partition, .write = write_partition, .version = version_of,
    .lock = lock_credential, .unlock = unlock_credential};
static const tessera_host_store least = {.size = sizeof least, .read = read_partition, .write = write_partition};

static tessera_application *application(struct files *files, const tessera_host_store *store, const char *options) {
  tessera_host host = {.size = sizeof host, .user_data = files, .store_key = give_key,
                       .transport = send_request, .store = store};
  tessera_application *made = NULL;
  char configuration[1000], *response = NULL;
  snprintf(configuration, sizeof configuration,
           "{\"client_id\": \"client\", \"authority\": \"" AUTHORITY "\", \"store\": {%s}}", options);
  tessera_status status = tessera_application_create(configuration, &host, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return made;
}

/** Adds a user with a refresh token, as another library does. */
static tessera_status add(tessera_application *made, const char *user, const char **code) {
  json_t *account = json_pack(
      "{s:{s:{s:s+, s:s, s:s, s:s, s:s, s:s}}, s:{s:{s:s, s:s, s:s+, s:s, s:s}}}", "Account", user, "home_account_id",
      user, "." TENANT, "environment", "login.microsoftonline.com", "realm", TENANT, "local_account_id", user,
      "username", user, "authority_type", "MSSTS", "RefreshToken", user, "credential_type", "RefreshToken", "secret",
      "refresh-token-one", "home_account_id", user, "." TENANT, "environment", "login.microsoftonline.com",
      "client_id", "client");
  char *cache = json_dumps(account, 0), *response = NULL;
  json_t *request = json_pack("{s:s, s:s}", "before", "", "after", cache);
  char *text = json_dumps(request, 0);
  tessera_status status = tessera_application_write_cache(made, text, NULL, &response);
  json_t *document = check_response("tessera_application_write_cache", status, response);
  static char last[100];
  snprintf(last, sizeof last, "%s", error_code(document));
  if (code != NULL) *code = last;
  json_decref(document), json_decref(account), json_decref(request);
  free(cache), free(text);
  return status;
}

static size_t accounts(tessera_application *made) {
  char *response = NULL;
  tessera_status status = tessera_application_get_accounts(made, "{\"signed_in_only\": false}", NULL, &response);
  json_t *document = check_response("tessera_application_get_accounts", status, response);
  CHECK(status == TESSERA_STATUS_OK);
  size_t count = json_array_size(json_object_get(document, "accounts"));
  json_decref(document);
  return count;
}

static json_t *info(tessera_application *made) {
  char *response = NULL;
  tessera_status status = tessera_application_get_store_info(made, NULL, NULL, &response);
  CHECK(status == TESSERA_STATUS_OK);
  return check_response("tessera_application_get_store_info", status, response);
}

static int is_string(const json_t *document, const char *name, const char *expected) {
  const char *value = json_string_value(json_object_get(document, name));
  if (value != NULL && strcmp(value, expected) == 0) return 1;
  fprintf(stderr, "%s is %s, not %s\n", name, value != NULL ? value : "absent", expected);
  return 0;
}

static const char silent[] = "{\"scopes\": [\"User.Read\"], \"username\": \"a\"}";

static json_t *acquire(tessera_application *made, tessera_status expected) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_silent(made, silent, NULL, &response);
  json_t *document = check_response("tessera_application_acquire_token_silent", status, response);
  CHECK(status == expected);
  return document;
}

static void the_store_is_used(const char *directory) {
  struct files files = {.directory = directory};
  tessera_application *made = application(&files, &all, "\"group\": \"mail\"");
  json_t *missing = info(made);
  CHECK(is_string(missing, "state", "missing") && is_string(missing, "lock_scope", "host"));
  CHECK(add(made, "a", NULL) == TESSERA_STATUS_OK);
  CHECK(strcmp(files.last_partition, "mail") == 0);
  json_t *usable = info(made);
  CHECK(is_string(usable, "state", "usable") && is_string(usable, "protection", "encrypted"));
  CHECK(is_string(usable, "key_source", "caller"));
  CHECK(accounts(made) == 1);
  json_decref(acquire(made, TESSERA_STATUS_OK));
  CHECK(files.locks == 1);
  /* A cached token needs neither a read nor a lock. */
  json_decref(acquire(made, TESSERA_STATUS_OK));
  const int reads = files.reads;
  json_decref(acquire(made, TESSERA_STATUS_OK));
  CHECK(files.reads == reads && files.locks == 1);
  json_decref(missing), json_decref(usable);
  tessera_application_free(made);
  uint8_t bytes[1 << 16];
  int descriptor = opened(&files, "mail", O_RDONLY);
  ssize_t count = read(descriptor, bytes, sizeof bytes);
  close(descriptor);
  CHECK(count > 100 && memmem(bytes, (size_t)count, "refresh-token", 13) == NULL);
}

static void without_versions_each_call_reads(const char *directory) {
  struct files files = {.directory = directory};
  tessera_application *made = application(&files, &least, "\"group\": \"least\", \"kind\": \"host\"");
  CHECK(add(made, "a", NULL) == TESSERA_STATUS_OK);
  json_t *document = info(made);
  CHECK(is_string(document, "lock_scope", "process"));
  json_decref(document);
  json_decref(acquire(made, TESSERA_STATUS_OK));
  const int reads = files.reads;
  json_decref(acquire(made, TESSERA_STATUS_OK));
  CHECK(files.reads > reads);
  tessera_application_free(made);
}

static void failures_are_reported(const char *directory) {
  struct files files = {.directory = directory, .supersessions = 3};
  const char *code = "";
  tessera_application *made = application(&files, &all, "\"group\": \"failing\"");
  CHECK(add(made, "a", NULL) == TESSERA_STATUS_OK);
  CHECK(files.supersessions == 0);
  files.write_fails = TESSERA_STORE_FAILED;
  CHECK(add(made, "b", &code) == TESSERA_STATUS_FIX_STORAGE && strcmp(code, "store_unavailable") == 0);
  /* A refreshed token is returned, and stored by a later call. */
  json_t *token = acquire(made, TESSERA_STATUS_OK);
  CHECK(json_array_size(json_object_get(token, "warnings")) > 0);
  json_decref(token);
  files.write_fails = 0;
  json_decref(acquire(made, TESSERA_STATUS_OK));
  files.read_fails = 5;
  json_t *document = info(made);
  CHECK(is_string(document, "state", "unavailable"));
  const char *message = json_string_value(json_object_get(json_object_get(document, "problem"), "message"));
  CHECK(message != NULL && strstr(message, "callback read") != NULL && strstr(message, "returned 5") != NULL);
  json_decref(document);
  files.read_fails = 0;
  CHECK(accounts(made) == 1);
  tessera_application_free(made);
}

static void invalid_contents_are_no_damage(const char *directory) {
  struct files files = {.directory = directory};
  const char *code = "";
  /* Without the version callback, each call reads. */
  tessera_application *made = application(&files, &least, "\"group\": \"invalid\"");
  CHECK(add(made, "a", NULL) == TESSERA_STATUS_OK);
  const int writes = files.writes;
  for (files.contents = NO_BYTES; files.contents <= NO_VERSION; files.contents++) {
    /* They are not taken for damage, so that a sign-in does not replace the partition. */
    CHECK(add(made, "b", &code) == TESSERA_STATUS_FIX_STORAGE && strcmp(code, "store_unavailable") == 0);
  }
  files.contents = INTACT;
  /* The partition was not replaced, nor was a copy made. */
  CHECK(files.writes == writes && accounts(made) >= 1);
  tessera_application_free(made);
}

static void freeing_waits_for_a_refresh(const char *directory) {
  struct files files = {.directory = directory, .waits = 1};
  tessera_application *made = application(&files, &all, "\"group\": \"freed\"");
  CHECK(add(made, "a", NULL) == TESSERA_STATUS_OK);
  tessera_call_group *calls = NULL;
  char *response = NULL;
  CHECK(tessera_call_group_create(&calls, &response) == TESSERA_STATUS_OK);
  tessera_string_free(response);
  int64_t call = 0;
  CHECK(tessera_call_group_acquire_token_silent(calls, made, silent, NULL, &call, &response) == TESSERA_STATUS_OK);
  tessera_string_free(response);
  while (!__atomic_load_n(&files.is_sending, __ATOMIC_ACQUIRE)) usleep(1000);
  const int writes = files.writes;
  __atomic_store_n(&files.is_freeing, 1, __ATOMIC_RELEASE);
  tessera_application_free(made);
  /* The new refresh token is stored, and the lock is released. */
  CHECK(files.writes > writes && files.unlocks == 1);
  tessera_event event = {.size = sizeof event};
  CHECK(tessera_call_group_next_event(calls, 10000, &event) == TESSERA_STATUS_OK);
  CHECK(event.status == TESSERA_STATUS_OK && strstr(event.response, "not_persisted") == NULL);
  tessera_string_free(event.response);
  tessera_call_group_free(calls);
}

static void damage_is_reported(const char *directory) {
  struct files files = {.directory = directory};
  const char *code = "";
  uint64_t version = 9;
  int descriptor = opened(&files, "damaged", O_WRONLY | O_CREAT);
  CHECK(write(descriptor, &version, sizeof version) == sizeof version && write(descriptor, "garbage", 7) == 7);
  close(descriptor);
  tessera_application *made = application(&files, &all, "\"group\": \"damaged\"");
  json_t *document = info(made);
  CHECK(is_string(document, "state", "damaged"));
  json_decref(document);
  char *response = NULL;
  tessera_status status = tessera_application_get_accounts(made, NULL, NULL, &response);
  document = check_response("tessera_application_get_accounts", status, response);
  CHECK(status == TESSERA_STATUS_SIGN_IN && strcmp(error_code(document), "cache_damaged") == 0);
  json_decref(document);
  CHECK(add(made, "a", &code) == TESSERA_STATUS_OK || strcmp(code, "cache_damaged") == 0);
  tessera_application_free(made);
}

static void invalid_stores_are_rejected(const char *directory) {
  static const struct {
    tessera_host_store store;
    const char *options, *code;
  } cases[] = {
      {{.size = 1, .read = read_partition, .write = write_partition}, "", "invalid_member"},
      {{.size = sizeof all, .write = write_partition}, "", "missing_parameter"},
      {{.size = sizeof all, .read = read_partition}, "", "missing_parameter"},
      {{.size = sizeof all, .read = read_partition, .write = write_partition, .lock = lock_credential}, "",
       "missing_parameter"},
      {{.size = sizeof all, .read = read_partition, .write = write_partition}, "\"kind\": \"sqlite\"",
       "invalid_configuration"},
      {{.size = sizeof all, .read = read_partition, .write = write_partition}, "\"directory\": \"/tmp\"",
       "invalid_configuration"},
      {{.size = 0}, "\"kind\": \"host\"", "invalid_configuration"},
  };
  struct files files = {.directory = directory};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tessera_host host = {.size = sizeof host, .user_data = &files,
                         .store = cases[i].store.size != 0 ? &cases[i].store : NULL};
    tessera_application *made = NULL;
    char configuration[200], *response = NULL;
    snprintf(configuration, sizeof configuration, "{\"client_id\": \"c\", \"store\": {%s}}", cases[i].options);
    tessera_status status = tessera_application_create(configuration, &host, &made, &response);
    json_t *document = check_response("tessera_application_create", status, response);
    if (strcmp(error_code(document), cases[i].code) != 0) fprintf(stderr, "case %zu: %s\n", i, error_code(document));
    CHECK(status != TESSERA_STATUS_OK && made == NULL && strcmp(error_code(document), cases[i].code) == 0);
    json_decref(document);
  }
  tessera_contents_set(NULL, NULL, 0, 1);
}

/** Adds users, as one of several processes, and gets the token that one of them refreshes. */
static int one_process(const char *directory, const char *suffix) {
  struct files files = {.directory = directory};
  tessera_application *made = application(&files, &all, "\"group\": \"shared\"");
  for (int i = 0; i < USERS; i++) {
    char user[40];
    snprintf(user, sizeof user, "user%d%s", i, suffix);
    CHECK(add(made, user, NULL) == TESSERA_STATUS_OK);
  }
  json_decref(acquire(made, TESSERA_STATUS_OK));
  tessera_application_free(made);
  return failures != 0;
}

static void processes_share_the_store(const char *directory) {
  struct files files = {.directory = directory};
  tessera_application *made = application(&files, &all, "\"group\": \"shared\"");
  CHECK(add(made, "a", NULL) == TESSERA_STATUS_OK);
  struct stat before = {0}, after = {0};
  char path[500];
  snprintf(path, sizeof path, "%s/requests", directory);
  stat(path, &before);
  pid_t children[2];
  static const char *const suffixes[] = {"x", "y"};
  for (int i = 0; i < 2; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      execl("/proc/self/exe", "host_store", directory, suffixes[i], (char *)NULL);
      _exit(127);
    }
  }
  for (int i = 0; i < 2; i++) {
    int status = 0;
    CHECK(waitpid(children[i], &status, 0) == children[i] && status == 0);
  }
  CHECK(accounts(made) == 1 + 2 * USERS);
  /* One of the processes refreshed the token, the other one got it from the store. */
  CHECK(stat(path, &after) == 0 && after.st_size == before.st_size + 1);
  tessera_application_free(made);
}

int main(int argc, char **argv) {
  if (argc == 3) return one_process(argv[1], argv[2]);
  char directory[] = "/tmp/tessera-host-store-XXXXXX", command[100];
  if (mkdtemp(directory) == NULL) return 1;
  the_store_is_used(directory);
  without_versions_each_call_reads(directory);
  failures_are_reported(directory);
  invalid_contents_are_no_damage(directory);
  freeing_waits_for_a_refresh(directory);
  damage_is_reported(directory);
  invalid_stores_are_rejected(directory);
  processes_share_the_store(directory);
  snprintf(command, sizeof command, "rm -r %s", directory);
  CHECK(system(command) == 0);
  return failures != 0;
}
