/* SPDX-License-Identifier: MIT */
/**
 * @file addon.c The functions of the Tessera library for index.js.
 *
 * Each environment (the main thread and each worker) has a group of calls, whose descriptor the
 * event loop polls, and a queue of items from other threads. Both end in one JavaScript function.
 * The functions without a non-blocking variant run on at most 16 threads of the environment, never
 * on the threads of libuv, so that they do not delay files and name resolution.
 */
#define _GNU_SOURCE
#define NAPI_VERSION 8
#include <node_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uv.h>

#include "loader.h"

#define THREADS 16
/* The memory of an application, for the collector. */
#define APPLICATION_SIZE 65536

static tessera_functions library;

/* The kinds of items for JavaScript. */
enum { ITEM_RESULT, ITEM_PROMPT, ITEM_LOG, ITEM_TRANSPORT, ITEM_ABORT, ITEM_STORE_KEY };

typedef struct application application;
typedef struct job job;

/* An instance of the addon. */
typedef struct environment {
  napi_env env;
  napi_ref dispatch;
  napi_async_context context;
  napi_threadsafe_function queue;
  uv_thread_t thread;
  tessera_call_group *group;
  uv_poll_t *poll;
  int64_t pending;
  int64_t last_job;
  application *applications;
  job *jobs;
  atomic_bool is_closing;
  atomic_int references;
  /* The jobs that wait for a thread, and the number of threads. */
  pthread_mutex_t mutex;
  pthread_cond_t has_ended;
  job *first;
  int threads;
} environment;

/* An application. Items of the queue refer to it, also after it was freed. */
struct application {
  application *next;
  application **link;
  environment *environment;
  tessera_application *handle;
  /* The callbacks in JavaScript, without keeping them alive. */
  napi_ref host;
  int jobs;
  bool is_closed;
  atomic_bool is_freeing;
  atomic_int references;
};

/* A blocking call on a thread. */
struct job {
  job *next;
  job *queued;
  int64_t id;
  int function;
  application *application;
  application *from;
  char *request;
  void *data;
  size_t size;
  tessera_cancellation *cancellation;
  tessera_status status;
  char *response;
};

/* A question of a library thread to JavaScript. */
typedef struct exchange {
  pthread_mutex_t mutex;
  pthread_cond_t has_response;
  atomic_int references;
  int32_t id;
  bool is_complete;
  char *response;
  size_t size;
} exchange;

/* A message of another thread for JavaScript. */
typedef struct item {
  int kind;
  int32_t number;
  application *application;
  job *job;
  exchange *exchange;
  char *text;
} item;

/* A silent request and its response. */
typedef struct cached_call {
  char *request;
  char *response;
} cached_call;

/* MARK: - Memory */

static void erase(char *text, size_t size) {
  if (text != NULL) explicit_bzero(text, size);
  free(text);
}

static void erase_text(char *text) { erase(text, text == NULL ? 0 : strlen(text)); }

static void release_environment(environment *e) {
  if (atomic_fetch_sub(&e->references, 1) != 1) return;
  pthread_mutex_destroy(&e->mutex);
  pthread_cond_destroy(&e->has_ended);
  free(e);
}

static void release_application(application *a) {
  if (a == NULL || atomic_fetch_sub(&a->references, 1) != 1) return;
  release_environment(a->environment);
  free(a);
}

static void release_exchange(exchange *x) {
  if (x == NULL || atomic_fetch_sub(&x->references, 1) != 1) return;
  pthread_mutex_destroy(&x->mutex);
  pthread_cond_destroy(&x->has_response);
  erase(x->response, x->size);
  free(x);
}

static void free_job(job *j) {
  if (j == NULL) return;
  library.tessera_cancellation_free(j->cancellation);
  library.tessera_string_free(j->response);
  release_application(j->application);
  release_application(j->from);
  erase_text(j->request);
  erase(j->data, j->size);
  free(j);
}

static void free_item(item *i) {
  release_application(i->application);
  release_exchange(i->exchange);
  free_job(i->job);
  erase_text(i->text);
  free(i);
}

/* Returns a copy of a string; NULL, which the library rejects, if it is none or has a NUL. */
static char *copied(napi_env env, napi_value value) {
  size_t size = 0;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &size) != napi_ok) return NULL;
  char *text = malloc(size + 1);
  if (text == NULL) return NULL;
  napi_get_value_string_utf8(env, value, text, size + 1, &size);
  if (strlen(text) == size) return text;
  erase(text, size);
  return NULL;
}

/* Returns a copy of a Uint8Array, or NULL if the value is another one. */
static void *copied_bytes(napi_env env, napi_value value, size_t *size) {
  bool is_buffer = false;
  void *bytes = NULL;
  if (napi_is_buffer(env, value, &is_buffer) != napi_ok || !is_buffer) return NULL;
  napi_get_buffer_info(env, value, &bytes, size);
  void *copy = malloc(*size + 1);
  if (copy != NULL && *size > 0) memcpy(copy, bytes, *size);
  return copy;
}

static napi_value text_value(napi_env env, const char *text) {
  napi_value value = NULL;
  if (text == NULL) napi_get_null(env, &value);
  else napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value);
  return value;
}

/* Returns the status and the response of a call as an array, and frees the response. */
static napi_value outcome(napi_env env, tessera_status status, char *response) {
  napi_value array = NULL, number = NULL;
  napi_create_array_with_length(env, 2, &array);
  napi_create_int32(env, status, &number);
  napi_set_element(env, array, 0, number);
  napi_set_element(env, array, 1, text_value(env, response));
  library.tessera_string_free(response);
  return array;
}

/* Gets the arguments of a function, which index.js passes completely, and returns the instance. */
static environment *arguments(
    napi_env env, napi_callback_info info, size_t count, napi_value *values) {
  void *data = NULL;
  napi_get_cb_info(env, info, &count, values, NULL, &data);
  return data;
}

/* Returns the object of a handle, or NULL. */
static void *object(napi_env env, napi_value value) {
  void *found = NULL;
  return napi_get_value_external(env, value, &found) == napi_ok ? found : NULL;
}

/* Returns the handle of the library; NULL, which its functions reject, if it is closed. */
static tessera_application *handle(application *a) {
  return a == NULL || a->is_closed ? NULL : a->handle;
}

/* MARK: - Items for JavaScript */

/* Calls the function of index.js. */
static void dispatch(
    environment *e, int kind, napi_value target, int32_t number, const char *text,
    napi_value exchange) {
  napi_env env = e->env;
  napi_value function = NULL, receiver = NULL, values[5];
  napi_get_reference_value(env, e->dispatch, &function);
  napi_get_undefined(env, &receiver);
  napi_create_int32(env, kind, &values[0]);
  values[1] = target;
  napi_create_int32(env, number, &values[2]);
  values[3] = text_value(env, text);
  values[4] = exchange == NULL ? receiver : exchange;
  if (napi_call_function(env, receiver, function, 5, values, NULL) == napi_pending_exception) {
    napi_value error = NULL;
    napi_get_and_clear_last_exception(env, &error);
    napi_fatal_exception(env, error);
  }
}

static void finalize_exchange(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  release_exchange(data);
}

static void free_handle(application *a) {
  if (a->handle == NULL) return;
  // The callbacks that wait for JavaScript return, because this thread cannot respond to them.
  atomic_store(&a->is_freeing, true);
  library.tessera_application_free(a->handle);
  a->handle = NULL;
}

/* Removes a job whose call has ended. */
static void remove_job(environment *e, job *done) {
  job **link = &e->jobs;
  while (*link != done) link = &(*link)->next;
  *link = done->next;
  if (e->jobs == NULL) napi_unref_threadsafe_function(e->env, e->queue);
  for (int index = 0; index < 2; index++) {
    application *a = index == 0 ? done->application : done->from;
    if (a != NULL && --a->jobs == 0 && a->is_closed) free_handle(a);
  }
}

/* Passes an item to JavaScript; the thread-safe function has opened the scopes. */
static void deliver(napi_env env, napi_value unused, void *context, void *data) {
  environment *e = context;
  item *i = data;
  (void)unused;
  if (env != NULL && !atomic_load(&e->is_closing)) {
    napi_value target = NULL, exchange = NULL;
    if (i->job != NULL) {
      remove_job(e, i->job);
      napi_create_int64(env, -i->job->id, &target);
      dispatch(e, i->kind, target, i->job->status, i->job->response, NULL);
    } else {
      if (i->application->host != NULL)
        napi_get_reference_value(env, i->application->host, &target);
      if (target == NULL) napi_get_undefined(env, &target);
      if (i->exchange != NULL) {
        atomic_fetch_add(&i->exchange->references, 1);
        if (napi_create_external(env, i->exchange, finalize_exchange, NULL, &exchange) != napi_ok)
          release_exchange(i->exchange);
      }
      dispatch(e, i->kind, target, i->number, i->text, exchange);
    }
  }
  free_item(i);
}

/* Sends an item from any thread. */
static void post(environment *e, item given) {
  item *i = malloc(sizeof given);
  if (i == NULL) return;
  *i = given;
  if (napi_call_threadsafe_function(e->queue, i, napi_tsfn_nonblocking) != napi_ok) free_item(i);
}

static item host_item(application *a, int kind, const char *text) {
  atomic_fetch_add(&a->references, 1);
  return (item){.kind = kind, .application = a, .text = text == NULL ? NULL : strdup(text)};
}

/* MARK: - Callbacks of the host, on the threads of calls */

static void write_log(void *user_data, int32_t level, const char *message) {
  application *a = user_data;
  item i = host_item(a, ITEM_LOG, message);
  i.number = level;
  post(a->environment, i);
}

static atomic_int last_exchange;

/* Asks JavaScript, and waits for the response. Returns NULL on the thread of JavaScript itself. */
static exchange *ask(application *a, int kind, const char *text, const tessera_exchange *request) {
  environment *e = a->environment;
  uv_thread_t own = uv_thread_self();
  exchange *x = uv_thread_equal(&own, &e->thread) ? NULL : calloc(1, sizeof *x);
  if (x == NULL) return NULL;
  pthread_mutex_init(&x->mutex, NULL);
  pthread_cond_init(&x->has_response, NULL);
  atomic_store(&x->references, 2);
  x->id = atomic_fetch_add(&last_exchange, 1);
  item i = host_item(a, kind, text);
  i.exchange = x;
  i.number = x->id;
  post(e, i);
  bool is_aborted = false;
  pthread_mutex_lock(&x->mutex);
  while (!x->is_complete && !is_aborted && !atomic_load(&a->is_freeing) &&
         !atomic_load(&e->is_closing)) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&x->has_response, &x->mutex, &until);
    is_aborted = request != NULL && library.tessera_exchange_is_cancelled(request) != 0;
  }
  bool is_complete = x->is_complete;
  pthread_mutex_unlock(&x->mutex);
  if (is_complete) return x;
  if (request != NULL && !atomic_load(&e->is_closing)) {
    item abort = host_item(a, ITEM_ABORT, NULL);
    abort.number = x->id;
    post(e, abort);
  }
  release_exchange(x);
  return NULL;
}

static int32_t provide_key(void *user_data, uint8_t *key, size_t size) {
  exchange *x = ask(user_data, ITEM_STORE_KEY, NULL, NULL);
  bool has_key = x != NULL && x->response != NULL && x->size == size;
  if (has_key) memcpy(key, x->response, size);
  release_exchange(x);
  return has_key ? 0 : 1;
}

static void send_request(void *user_data, const char *request, tessera_exchange *given) {
  exchange *x = ask(user_data, ITEM_TRANSPORT, request, given);
  if (x != NULL && x->response != NULL) library.tessera_exchange_respond(given, x->response);
  release_exchange(x);
}

/* respond(exchange, text or bytes) */
static napi_value respond(napi_env env, napi_callback_info info) {
  napi_value values[2];
  arguments(env, info, 2, values);
  exchange *x = object(env, values[0]);
  if (x == NULL) return NULL;
  size_t size = 0;
  char *response = copied(env, values[1]);
  if (response != NULL) size = strlen(response);
  else response = copied_bytes(env, values[1], &size);
  pthread_mutex_lock(&x->mutex);
  if (!x->is_complete) {
    x->is_complete = true;
    x->response = response;
    x->size = size;
    response = NULL;
  }
  pthread_cond_signal(&x->has_response);
  pthread_mutex_unlock(&x->mutex);
  erase(response, size);
  return NULL;
}

/* MARK: - Applications */

static void finalize_application(napi_env env, void *data, void *hint) {
  application *a = data;
  int64_t size = 0;
  (void)hint;
  free_handle(a);
  *a->link = a->next;
  if (a->next != NULL) a->next->link = a->link;
  napi_delete_reference(env, a->host);
  a->host = NULL;
  napi_adjust_external_memory(env, -APPLICATION_SIZE, &size);
  release_application(a);
}

/* create(configuration, host, hasLog, hasStoreKey, hasTransport): the handle, or the outcome */
static napi_value create(napi_env env, napi_callback_info info) {
  napi_value values[5], made = NULL;
  bool has[3] = {false};
  environment *e = arguments(env, info, 5, values);
  application *a = calloc(1, sizeof *a);
  char *configuration = copied(env, values[0]), *response = NULL;
  if (a == NULL || configuration == NULL) {
    free(a);
    erase_text(configuration);
    return NULL;
  }
  for (int index = 0; index < 3; index++) napi_get_value_bool(env, values[2 + index], &has[index]);
  tessera_host host = {.size = sizeof host, .user_data = a};
  if (has[0]) host.log = write_log;
  if (has[1]) host.store_key = provide_key;
  if (has[2]) host.transport = send_request;
  a->environment = e;
  atomic_store(&a->references, 1);
  atomic_fetch_add(&e->references, 1);
  tessera_status status =
      library.tessera_application_create(configuration, &host, &a->handle, &response);
  erase_text(configuration);
  if (status != TESSERA_STATUS_OK) {
    release_application(a);
    return outcome(env, status, response);
  }
  library.tessera_string_free(response);
  a->next = e->applications;
  a->link = &e->applications;
  if (a->next != NULL) a->next->link = &a->next;
  e->applications = a;
  int64_t size = 0;
  napi_adjust_external_memory(env, APPLICATION_SIZE, &size);
  napi_create_reference(env, values[1], 0, &a->host);
  if (napi_create_external(env, a, finalize_application, NULL, &made) != napi_ok)
    finalize_application(env, a, NULL);
  return made;
}

/* close(application) */
static napi_value close_application(napi_env env, napi_callback_info info) {
  napi_value values[1];
  arguments(env, info, 1, values);
  application *a = object(env, values[0]);
  if (a == NULL) return NULL;
  a->is_closed = true;
  if (a->jobs == 0) free_handle(a);
  return NULL;
}

/* MARK: - Calls of the group */

/* Passes the events of the group to JavaScript, each in a scope that runs the promises. */
static void poll_group(uv_poll_t *poll, int status, int events) {
  environment *e = poll->data;
  (void)status, (void)events;
  while (!atomic_load(&e->is_closing)) {
    tessera_event event = {.size = sizeof event};
    tessera_status found = library.tessera_call_group_next_event(e->group, 0, &event);
    if (found != TESSERA_STATUS_OK || event.kind == TESSERA_EVENT_NONE) {
      library.tessera_string_free(event.response);
      return;
    }
    bool is_result = event.kind == TESSERA_EVENT_RESULT;
    if (is_result && --e->pending == 0) uv_unref((uv_handle_t *)poll);
    napi_handle_scope handles = NULL;
    napi_callback_scope scope = NULL;
    napi_value call = NULL;
    napi_open_handle_scope(e->env, &handles);
    if (napi_open_callback_scope(e->env, NULL, e->context, &scope) == napi_ok) {
      napi_create_int64(e->env, event.call, &call);
      dispatch(e, is_result ? ITEM_RESULT : ITEM_PROMPT, call, event.status, event.response, NULL);
      napi_close_callback_scope(e->env, scope);
    }
    napi_close_handle_scope(e->env, handles);
    library.tessera_string_free(event.response);
  }
}

/* Creates the group at the first call. */
static tessera_status open_group(environment *e, char **response) {
  if (e->group != NULL) return TESSERA_STATUS_OK;
  uv_loop_t *loop = NULL;
  tessera_call_group *group = NULL;
  uv_poll_t *poll = malloc(sizeof *poll);
  tessera_status status = library.tessera_call_group_create(&group, response);
  if (status == TESSERA_STATUS_OK && poll != NULL &&
      napi_get_uv_event_loop(e->env, &loop) == napi_ok &&
      uv_poll_init(loop, poll, library.tessera_call_group_descriptor(group)) == 0) {
    library.tessera_string_free(*response);
    *response = NULL;
    poll->data = e;
    e->poll = poll;
    e->group = group;
    uv_poll_start(poll, UV_READABLE, poll_group);
    uv_unref((uv_handle_t *)poll);
    return TESSERA_STATUS_OK;
  }
  free(poll);
  library.tessera_call_group_free(group);
  return status == TESSERA_STATUS_OK ? TESSERA_STATUS_REPORT_BUG : status;
}

/* Starts a call. Returns its ID, or the outcome; undefined if the response is the cached one. */
static napi_value start_call(
    environment *e, application *a, int32_t function, const char *request, const char *cached) {
  tessera_arguments given = {.application = handle(a), .request = request};
  napi_value id = NULL;
  int64_t call = 0;
  char *response = NULL;
  tessera_status status = open_group(e, &response);
  if (status != TESSERA_STATUS_OK) return outcome(e->env, status, response);
  status = tessera_start(&library, function, &given, e->group, &call, &response);
  bool is_cached = status == TESSERA_STATUS_OK && call == 0 && cached != NULL && response != NULL &&
                   strcmp(response, cached) == 0;
  if (!is_cached && (status != TESSERA_STATUS_OK || call == 0))
    return outcome(e->env, status, response);
  library.tessera_string_free(response);
  if (is_cached) return NULL;
  if (e->pending++ == 0) uv_ref((uv_handle_t *)e->poll);
  napi_create_int64(e->env, call, &id);
  return id;
}

/* start(application, function, request): the ID of the call, or the outcome */
static napi_value start(napi_env env, napi_callback_info info) {
  napi_value values[3];
  environment *e = arguments(env, info, 3, values);
  int32_t function = 0;
  napi_get_value_int32(env, values[1], &function);
  char *request = copied(env, values[2]);
  napi_value started = start_call(e, object(env, values[0]), function, request, NULL);
  erase_text(request);
  return started;
}

static void finalize_cached_call(napi_env env, void *data, void *hint) {
  cached_call *c = data;
  (void)env, (void)hint;
  erase_text(c->request);
  erase_text(c->response);
  free(c);
}

/* cacheResult(request, response): a cached call; undefined if memory ran out */
static napi_value cache_result(napi_env env, napi_callback_info info) {
  napi_value values[2], made = NULL;
  arguments(env, info, 2, values);
  cached_call *c = malloc(sizeof *c);
  if (c == NULL) return NULL;
  *c = (cached_call){copied(env, values[0]), copied(env, values[1])};
  if (c->request == NULL || c->response == NULL ||
      napi_create_external(env, c, finalize_cached_call, NULL, &made) != napi_ok)
    finalize_cached_call(env, c, NULL);
  return made;
}

/* repeat(application, cached call): the same as start, or undefined if the response is the same */
static napi_value repeat(napi_env env, napi_callback_info info) {
  napi_value values[2];
  environment *e = arguments(env, info, 2, values);
  cached_call *c = object(env, values[1]);
  return start_call(
      e, object(env, values[0]), START_ACQUIRE_TOKEN_SILENT, c->request, c->response);
}

/* MARK: - Blocking calls on threads */

static void perform(job *j) {
  tessera_arguments given = {
      .application = j->application == NULL ? NULL : j->application->handle,
      .from = j->from == NULL ? NULL : j->from->handle,
      .request = j->request,
      .data = j->data,
      .size = j->size,
      .cancellation = j->cancellation,
  };
  j->status = tessera_perform(&library, j->function, &given, &j->response);
}

/* Performs jobs until none waits. */
static void *work(void *data) {
  environment *e = data;
  pthread_mutex_lock(&e->mutex);
  while (e->first != NULL) {
    job *j = e->first;
    e->first = j->queued;
    pthread_mutex_unlock(&e->mutex);
    perform(j);
    post(e, (item){.kind = ITEM_RESULT, .job = j});
    pthread_mutex_lock(&e->mutex);
  }
  e->threads--;
  pthread_cond_signal(&e->has_ended);
  pthread_mutex_unlock(&e->mutex);
  release_environment(e);
  return NULL;
}

/* Adds a job to the queue. Returns whether a thread performs it. */
static bool enqueue(environment *e, job *j) {
  sigset_t all, previous;
  pthread_t thread;
  pthread_mutex_lock(&e->mutex);
  job **last = &e->first;
  while (*last != NULL) last = &(*last)->queued;
  *last = j;
  if (e->threads < THREADS) {
    // Ctrl-C is for the thread of JavaScript.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    if (pthread_create(&thread, NULL, work, e) == 0) {
      pthread_detach(thread);
      e->threads++;
      atomic_fetch_add(&e->references, 1);
    }
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
  }
  bool has_thread = e->threads > 0;
  if (!has_thread) *last = NULL;
  pthread_mutex_unlock(&e->mutex);
  return has_thread;
}

static application *used(napi_env env, napi_value value) {
  application *a = object(env, value);
  if (a == NULL || a->is_closed) return NULL;
  a->jobs++;
  atomic_fetch_add(&a->references, 1);
  return a;
}

/* perform(application, function, request, data, from): the ID of the call, or null */
static napi_value perform_call(napi_env env, napi_callback_info info) {
  napi_value values[5], id = NULL;
  environment *e = arguments(env, info, 5, values);
  job *j = calloc(1, sizeof *j);
  if (j == NULL) return text_value(env, NULL);
  napi_get_value_int32(env, values[1], &j->function);
  j->application = used(env, values[0]);
  j->from = used(env, values[4]);
  j->request = copied(env, values[2]);
  j->data = copied_bytes(env, values[3], &j->size);
  j->cancellation = library.tessera_cancellation_create();
  j->id = ++e->last_job;
  if (e->jobs == NULL) napi_ref_threadsafe_function(env, e->queue);
  j->next = e->jobs;
  e->jobs = j;
  if (!enqueue(e, j)) {
    remove_job(e, j);
    free_job(j);
    return text_value(env, NULL);
  }
  napi_create_int64(env, -j->id, &id);
  return id;
}

/* cancel(id) */
static napi_value cancel(napi_env env, napi_callback_info info) {
  napi_value values[1];
  environment *e = arguments(env, info, 1, values);
  int64_t id = 0;
  napi_get_value_int64(env, values[0], &id);
  if (id > 0) library.tessera_call_group_cancel(e->group, id);
  for (job *j = e->jobs; j != NULL; j = j->next)
    if (j->id == -id) library.tessera_cancellation_cancel(j->cancellation);
  return NULL;
}

/* MARK: - The library */

/* call(function, text): the outcome of a function that does not block */
static napi_value call(napi_env env, napi_callback_info info) {
  napi_value values[2];
  arguments(env, info, 2, values);
  int32_t function = 0;
  napi_get_value_int32(env, values[0], &function);
  char *text = copied(env, values[1]), *response = NULL;
  tessera_arguments given = {.request = text};
  tessera_status status = tessera_perform(&library, function, &given, &response);
  erase_text(text);
  return outcome(env, status, response);
}

/* load(path beside the package, dispatch): the text of an error, or null */
static napi_value load(napi_env env, napi_callback_info info) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static bool is_loaded = false;
  napi_value values[2];
  environment *e = arguments(env, info, 2, values);
  char *packaged = copied(env, values[0]), message[TESSERA_MESSAGE_SIZE];
  pthread_mutex_lock(&mutex);
  if (!is_loaded) is_loaded = tessera_load(&library, packaged, message);
  bool has_succeeded = is_loaded;
  pthread_mutex_unlock(&mutex);
  free(packaged);
  if (has_succeeded) napi_create_reference(env, values[1], 1, &e->dispatch);
  return text_value(env, has_succeeded ? NULL : message);
}

/* MARK: - Environments */

static void finish_cleanup(uv_handle_t *poll) {
  napi_remove_async_cleanup_hook(poll->data);
  free(poll);
}

/* Ends all calls, and then frees the applications, before the queue is destroyed. */
static void clean_up(napi_async_cleanup_hook_handle hook, void *data) {
  environment *e = data;
  atomic_store(&e->is_closing, true);
  pthread_mutex_lock(&e->mutex);
  for (job *j = e->jobs; j != NULL; j = j->next)
    library.tessera_cancellation_cancel(j->cancellation);
  while (e->threads > 0) pthread_cond_wait(&e->has_ended, &e->mutex);
  pthread_mutex_unlock(&e->mutex);
  if (e->poll != NULL) {
    uv_poll_stop(e->poll);
    e->poll->data = hook;
    uv_close((uv_handle_t *)e->poll, finish_cleanup);
    library.tessera_call_group_free(e->group);
  } else {
    napi_remove_async_cleanup_hook(hook);
  }
  for (application *a = e->applications; a != NULL; a = a->next) free_handle(a);
}

static void finalize_environment(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  release_environment(data);
}

NAPI_MODULE_INIT() {
  static const struct {
    const char *name;
    napi_callback function;
  } functions[] = {
      {"load", load}, {"create", create}, {"close", close_application}, {"start", start},
      {"cacheResult", cache_result}, {"repeat", repeat}, {"perform", perform_call}, {"cancel", cancel},
      {"respond", respond}, {"call", call},
  };
  environment *e = calloc(1, sizeof *e);
  napi_value name = NULL, value = NULL;
  if (e == NULL) return NULL;
  e->env = env;
  e->thread = uv_thread_self();
  pthread_mutex_init(&e->mutex, NULL);
  pthread_cond_init(&e->has_ended, NULL);
  // The instance and the queue.
  atomic_store(&e->references, 2);
  napi_create_string_utf8(env, "tessera", NAPI_AUTO_LENGTH, &name);
  napi_async_init(env, NULL, name, &e->context);
  napi_set_instance_data(env, e, finalize_environment, NULL);
  napi_create_threadsafe_function(
      env, NULL, NULL, name, 0, 1, e, finalize_environment, e, deliver, &e->queue);
  napi_unref_threadsafe_function(env, e->queue);
  // After the hook of the queue, because hooks run in the opposite order.
  napi_add_async_cleanup_hook(env, clean_up, e, NULL);
  for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
    napi_create_function(
        env, functions[index].name, NAPI_AUTO_LENGTH, functions[index].function, e, &value);
    napi_set_named_property(env, exports, functions[index].name, value);
  }
#define NUMBER(name) \
  napi_create_int32(env, name, &value); \
  napi_set_named_property(env, exports, #name, value);
  TESSERA_NUMBERS(NUMBER)
  return exports;
}
