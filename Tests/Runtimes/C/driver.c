/* SPDX-License-Identifier: MIT */
/* The driver of the C interface; Tests/Runtimes/run describes the commands. */
#include <dirent.h>
#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tessera.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8 };

static tessera_application *application;
static json_t *transport;
static json_t *lines;
/* The cancellation of the call that an interrupt ends. */
static tessera_cancellation *interruptible;

static const char *text_of(const json_t *object, const char *name) {
  const char *text = json_string_value(json_object_get(object, name));
  return text ? text : "";
}

static int64_t number_of(const json_t *object, const char *name) {
  return json_integer_value(json_object_get(object, name));
}

static void print_line(json_t *document) {
  char *text = json_dumps(document, JSON_COMPACT);
  puts(text);
  fflush(stdout);
  free(text);
  json_decref(document);
}

/* Returns the members of a response, which it frees. */
static json_t *described(tessera_status status, char *response) {
  json_t *document = json_loads(response ? response : "{}", 0, NULL);
  json_t *error = json_object_get(document, "error");
  json_t *declined = json_object_get(document, "declined_scopes");
  json_t *result = json_pack("{s:s}", "status", tessera_status_name(status));
  tessera_string_free(response);
  if (error != NULL) {
    json_object_set_new(result, "code", json_string(text_of(error, "code")));
    json_object_set_new(result, "claims", json_string(text_of(error, "claims")));
  } else {
    json_object_set_new(result, "token", json_string(text_of(document, "access_token")));
    json_object_set_new(result, "source", json_string(text_of(document, "source")));
    json_object_set_new(result, "username", json_string(text_of(json_object_get(document, "account"), "username")));
    json_object_set_new(result, "declined", declined ? json_incref(declined) : json_array());
  }
  json_decref(document);
  return result;
}

static char *request_of(const json_t *command) { return json_dumps(json_object_get(command, "request"), 0); }

static void keep_line(void *user_data, int32_t level, const char *message) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  (void)user_data, (void)level;
  pthread_mutex_lock(&mutex);
  json_array_append_new(lines, json_string(message));
  pthread_mutex_unlock(&mutex);
}

static void refuse(void *user_data, const char *request, tessera_exchange *exchange) {
  char *text = json_dumps(transport, 0);
  (void)user_data, (void)request;
  tessera_exchange_respond(exchange, text);
  free(text);
}

static json_t *create(const json_t *command) {
  tessera_host host = {.size = sizeof host, .log = keep_line};
  json_t *given = json_object_get(command, "transport");
  if (json_object_get(command, "throws") || json_object_get(given, "throws"))
    return json_pack("{s:s}", "skipped", "C has no exceptions");
  char *response, *configuration = json_dumps(json_object_get(command, "configuration"), 0);
  tessera_application_free(application);
  transport = json_incref(given);
  if (transport != NULL) host.transport = refuse;
  tessera_status status = tessera_application_create(configuration, &host, &application, &response);
  free(configuration);
  return described(status, response);
}

static json_t *silent_once(const char *request) {
  char *response;
  tessera_status status = tessera_application_acquire_token_silent(application, request, NULL, &response);
  return described(status, response);
}

static void show(void *user_data, const char *prompt) {
  (void)user_data;
  puts(prompt);
  fflush(stdout);
}

typedef __typeof__(tessera_call_group_acquire_token_silent) start_function;

/* Starts a call of a group and waits for its result. */
static json_t *in_a_group(start_function *start, const char *request) {
  tessera_call_group *calls;
  tessera_event event = {.size = sizeof event};
  char *response;
  int64_t call = 0;
  tessera_status status = tessera_call_group_create(&calls, &response);
  tessera_string_free(response);
  if (status != TESSERA_STATUS_OK) return described(status, NULL);
  status = start(calls, application, request, NULL, &call, &response);
  while (call != 0) {
    tessera_string_free(response);
    status = tessera_call_group_next_event(calls, -1, &event);
    if (status == TESSERA_STATUS_OK) status = event.status;
    response = event.response;
    if (event.kind != TESSERA_EVENT_PROMPT) break;
    show(NULL, response);
  }
  tessera_call_group_free(calls);
  return described(status, response);
}

static json_t *silent(const json_t *command) {
  char *request = request_of(command);
  json_t *result = json_is_true(json_object_get(command, "asynchronous"))
                       ? in_a_group(tessera_call_group_acquire_token_silent, request)
                       : silent_once(request);
  free(request);
  return result;
}

struct timer {
  tessera_cancellation *cancellation;
  int64_t milliseconds;
};

static void *cancel_later(void *context) {
  const struct timer *timer = context;
  nanosleep(&(struct timespec){timer->milliseconds / 1000, timer->milliseconds % 1000 * 1000000}, NULL);
  tessera_cancellation_cancel(timer->cancellation);
  return NULL;
}

static void *wait_for_interrupts(void *context) {
  sigset_t *signals = context;
  int number;
  while (sigwait(signals, &number) == 0) tessera_cancellation_cancel(__atomic_load_n(&interruptible, __ATOMIC_SEQ_CST));
  return NULL;
}

static json_t *device_code(const json_t *command) {
  char *response, *request = request_of(command);
  pthread_t thread;
  struct timer timer = {tessera_cancellation_create(), number_of(command, "cancel_after_milliseconds")};
  if (json_object_get(command, "throws")) return json_pack("{s:s}", "skipped", "C has no exceptions");
  if (timer.milliseconds > 0) pthread_create(&thread, NULL, cancel_later, &timer);
  __atomic_store_n(&interruptible, timer.cancellation, __ATOMIC_SEQ_CST);
  tessera_status status = tessera_application_acquire_token_by_device_code(
      application, request, show, NULL, timer.cancellation, &response);
  __atomic_store_n(&interruptible, NULL, __ATOMIC_SEQ_CST);
  if (timer.milliseconds > 0) pthread_join(thread, NULL);
  tessera_cancellation_free(timer.cancellation);
  free(request);
  json_t *result = described(status, response);
  if (json_is_true(json_object_get(command, "interrupt")) && status == TESSERA_STATUS_CANCELLED)
    json_object_set_new(result, "interrupted", json_true());
  return result;
}

static json_t *asynchronous_device_code(const json_t *command) {
  char *request = request_of(command);
  json_t *result = in_a_group(tessera_call_group_acquire_token_by_device_code, request);
  free(request);
  return result;
}

struct thread_command {
  const json_t *command;
  json_t *result;
};

static void *run_device_code(void *context) {
  struct thread_command *own = context;
  own->result = device_code(own->command);
  return NULL;
}

static json_t *device_code_on_a_thread(const json_t *command) {
  struct thread_command own = {command, NULL};
  pthread_t thread;
  pthread_create(&thread, NULL, run_device_code, &own);
  pthread_join(thread, NULL);
  return own.result;
}

static json_t *accounts(void) {
  char *response;
  tessera_status status = tessera_application_get_accounts(application, NULL, NULL, &response);
  json_t *document = json_loads(response, 0, NULL), *names = json_array(), *each;
  size_t index;
  json_array_foreach(json_object_get(document, "accounts"), index, each)
    json_array_append(names, json_object_get(each, "username"));
  json_decref(document);
  tessera_string_free(response);
  return json_pack("{s:s, s:o}", "status", tessera_status_name(status), "usernames", names);
}

static json_int_t kilobytes(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) abort();
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

static json_int_t descriptors(void) {
  json_int_t count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder != NULL && readdir(folder) != NULL) count++;
  closedir(folder);
  return count;
}

static json_t *repeat(const json_t *command) {
  int64_t count = number_of(command, "count") + 1000;
  json_int_t before = 0;
  json_t *result = NULL;
  for (int64_t index = 0; index < count; index++) {
    if (index == 1000) before = kilobytes();
    json_decref(result);
    result = silent(command);
  }
  json_object_set_new(result, "kilobytes", json_integer(kilobytes() - before));
  return result;
}

static json_t *drop(const json_t *command) {
  json_int_t files = descriptors(), before = kilobytes();
  json_t *result = NULL;
  for (int64_t index = 0; index < number_of(command, "count"); index++) {
    json_decref(result);
    json_decref(create(command));
    result = silent(command);
  }
  tessera_application_free(application);
  application = NULL;
  json_object_set_new(result, "descriptors", json_integer(descriptors() - files));
  json_object_set_new(result, "kilobytes", json_integer(kilobytes() - before));
  return result;
}

struct worker {
  const json_t *command;
  json_t *result;
  int differs;
};

static void *work(void *context) {
  struct worker *worker = context;
  for (int64_t index = 0; index < number_of(worker->command, "count"); index++) {
    json_t *result = silent(worker->command);
    if (worker->result && !json_equal(worker->result, result)) worker->differs = 1;
    json_decref(worker->result);
    worker->result = result;
  }
  return NULL;
}

static json_t *threads(const json_t *command) {
  struct worker workers[THREADS] = {{0}};
  pthread_t handles[THREADS];
  int tokens = 1;
  for (int index = 0; index < THREADS; index++) {
    workers[index].command = command;
    pthread_create(&handles[index], NULL, work, &workers[index]);
  }
  for (int index = 0; index < THREADS; index++) {
    pthread_join(handles[index], NULL);
    if (workers[index].differs || !json_equal(workers[index].result, workers[0].result)) tokens++;
    if (index > 0) json_decref(workers[index].result);
  }
  json_object_set_new(workers[0].result, "tokens", json_integer(tokens));
  return workers[0].result;
}

static json_t *in_a_child(const json_t *command) {
  int ends[2], status;
  if (pipe(ends) != 0) abort();
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    print_line(silent(command));
    _exit(0);
  }
  close(ends[1]);
  FILE *file = fdopen(ends[0], "r");
  json_t *result = json_loadf(file, 0, NULL);
  fclose(file);
  waitpid(child, &status, 0);
  return result ? result : json_pack("{s:s}", "status", "crashed");
}

static json_t *perform(const json_t *command) {
  const char *name = text_of(command, "do");
  if (strcmp(name, "create") == 0) return create(command);
  if (strcmp(name, "silent") == 0) return silent(command);
  if (strcmp(name, "device_code") == 0) return device_code(command);
  if (strcmp(name, "device_code_on_a_thread") == 0) return device_code_on_a_thread(command);
  if (strcmp(name, "asynchronous_device_code") == 0) return asynchronous_device_code(command);
  if (strcmp(name, "accounts") == 0) return accounts();
  if (strcmp(name, "log") == 0) return json_pack("{s:s, s:O}", "status", "ok", "lines", lines);
  if (strcmp(name, "repeat") == 0) return repeat(command);
  if (strcmp(name, "threads") == 0) return threads(command);
  if (strcmp(name, "drop") == 0) return drop(command);
  if (strcmp(name, "fork") == 0) return in_a_child(command);
  if (strcmp(name, "collect") == 0) return json_pack("{s:s}", "skipped", "C has no garbage collector");
  return json_pack("{s:s}", "skipped", "the driver does not know this command");
}

int main(void) {
  static sigset_t signals;
  pthread_t thread;
  char *line = NULL;
  size_t capacity = 0;
  lines = json_array();
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  pthread_create(&thread, NULL, wait_for_interrupts, &signals);
  while (getline(&line, &capacity, stdin) > 0) {
    json_t *command = json_loads(line, 0, NULL);
    print_line(perform(command));
    json_decref(command);
  }
  tessera_application_free(application);
  free(line);
  return 0;
}
