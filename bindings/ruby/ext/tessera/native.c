/* SPDX-License-Identifier: MIT */
/**
 * @file native.c
 * The functions of the Tessera library for Ruby.
 *
 * - A function that may block runs without the GVL. An exception for its thread cancels it.
 * - A call that waits for a server is started in a call group of its own, whose descriptor Ruby polls. Unused groups are
 *   kept for later calls.
 * - The library calls the host on threads that Ruby does not know. Such a callback adds a job to a queue, and waits for a
 *   Ruby thread that performs it. Log lines are queued without waiting.
 */
#include <ruby.h>
#include <ruby/thread.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loader.h"

static tessera_functions library;

static VALUE application_class, call_class, job_class;

/* Returns nil, or the text of an error. */
static VALUE load_library(VALUE self, VALUE packaged) {
  char message[TESSERA_MESSAGE_SIZE];
  bool is_loaded = tessera_load(&library, NIL_P(packaged) ? NULL : StringValueCStr(packaged), message);
  return is_loaded ? Qnil : rb_utf8_str_new_cstr(message);
}

/* Returns the status and a copy of the response, which it frees. */
static VALUE result_of(tessera_status status, char *response) {
  VALUE text = rb_utf8_str_new_cstr(response == NULL ? "" : response);
  library.tessera_string_free(response);
  return rb_assoc_new(INT2NUM(status), text);
}

/* --- Jobs of the host --- */

enum { JOB_LOG, JOB_STORE_KEY, JOB_TRANSPORT };

/* A callback that a Ruby thread performs. Its callback and its Ruby object have a reference each. */
typedef struct job {
  struct job *next;
  int references, kind, is_done, is_abandoned;
  unsigned long application;
  char *request, *response;
  size_t size;
} job;

typedef struct line {
  struct line *next;
  int32_t level;
  char message[];
} line;

/* The user data of the callbacks of an application. */
typedef struct host {
  unsigned long application;
  int is_closed, is_notified, count;
  line *lines, **end;
} host;

/* For all jobs and hosts. Code that has the mutex does not wait for the GVL. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queued = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;
static job *jobs, **end_of_jobs = &jobs;
static int is_interrupted;

enum { LINE_LIMIT = 10000 };

/* Of the caller, which has the mutex. */
static void release_job(job *released) {
  if (--released->references > 0) return;
  if (released->request != NULL) explicit_bzero(released->request, strlen(released->request));
  if (released->response != NULL) explicit_bzero(released->response, released->size);
  free(released->request);
  free(released->response);
  free(released);
}

/* Of the caller, which has the mutex. */
static job *add_job(const host *of, int kind, const char *request, int references) {
  job *added = calloc(1, sizeof *added);
  if (added == NULL) return NULL;
  *added = (job){.references = references, .kind = kind, .application = of->application};
  added->request = request == NULL ? NULL : strdup(request);
  *end_of_jobs = added;
  end_of_jobs = &added->next;
  pthread_cond_broadcast(&queued);
  return added;
}

static void write_log(void *user_data, int32_t level, const char *message) {
  host *of = user_data;
  size_t size = strlen(message) + 1;
  line *added = malloc(sizeof *added + size);
  if (added == NULL) return;
  added->next = NULL;
  added->level = level;
  memcpy(added->message, message, size);
  pthread_mutex_lock(&mutex);
  if (of->is_closed || of->count == LINE_LIMIT) {
    free(added);
  } else {
    *of->end = added;
    of->end = &added->next;
    of->count++;
    if (!of->is_notified) of->is_notified = add_job(of, JOB_LOG, NULL, 1) != NULL;
  }
  pthread_mutex_unlock(&mutex);
}

/* Waits for a Ruby thread that performs a job. Returns the job with its response, or NULL if there is none. */
static job *performed(host *of, int kind, const char *request, tessera_exchange *exchange) {
  pthread_mutex_lock(&mutex);
  job *waiting = of->is_closed ? NULL : add_job(of, kind, request, 2);
  while (waiting != NULL && !waiting->is_done) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&finished, &mutex, &until);
    int is_cancelled = of->is_closed;
    if (!is_cancelled && exchange != NULL) {
      pthread_mutex_unlock(&mutex);
      is_cancelled = library.tessera_exchange_is_cancelled(exchange);
      pthread_mutex_lock(&mutex);
    }
    if (is_cancelled && !waiting->is_done) {
      waiting->is_abandoned = 1;
      release_job(waiting);
      waiting = NULL;
    }
  }
  pthread_mutex_unlock(&mutex);
  return waiting;
}

static void discard_job(job *waiting) {
  pthread_mutex_lock(&mutex);
  release_job(waiting);
  pthread_mutex_unlock(&mutex);
}

static int32_t provide_key(void *user_data, uint8_t *key, size_t size) {
  job *waiting = performed(user_data, JOB_STORE_KEY, NULL, NULL);
  if (waiting == NULL) return 1;
  int32_t status = waiting->response == NULL || waiting->size != size;
  if (status == 0) memcpy(key, waiting->response, size);
  discard_job(waiting);
  return status;
}

static void send_request(void *user_data, const char *request, tessera_exchange *exchange) {
  job *waiting = performed(user_data, JOB_TRANSPORT, request, exchange);
  if (waiting == NULL) return;
  if (waiting->response != NULL) library.tessera_exchange_respond(exchange, waiting->response);
  discard_job(waiting);
}

static void finish_job(job *done, const char *response, size_t size) {
  pthread_mutex_lock(&mutex);
  if (!done->is_done) {
    done->is_done = 1;
    if (response != NULL && (done->response = malloc(size + 1)) != NULL) {
      memcpy(done->response, response, size);
      done->response[size] = '\0';
      done->size = size;
    }
    pthread_cond_broadcast(&finished);
  }
  pthread_mutex_unlock(&mutex);
}

static void free_job(void *data) {
  finish_job(data, NULL, 0);
  discard_job(data);
}

static const rb_data_type_t job_type = {
    .wrap_struct_name = "Tessera::Native::Job", .function = {.dfree = free_job}, .flags = RUBY_TYPED_FREE_IMMEDIATELY};

static job *job_of(VALUE self) { return rb_check_typeddata(self, &job_type); }

static VALUE job_finish(VALUE self, VALUE response) {
  if (NIL_P(response)) finish_job(job_of(self), NULL, 0);
  else finish_job(job_of(self), StringValuePtr(response), RSTRING_LEN(response));
  return Qnil;
}

static VALUE job_is_abandoned(VALUE self) {
  job *of = job_of(self);
  pthread_mutex_lock(&mutex);
  int is_abandoned = of->is_abandoned;
  pthread_mutex_unlock(&mutex);
  return is_abandoned ? Qtrue : Qfalse;
}

static void *take_job(void *data) {
  pthread_mutex_lock(&mutex);
  while (jobs == NULL && !is_interrupted) pthread_cond_wait(&queued, &mutex);
  is_interrupted = 0;
  job *taken = jobs;
  if (taken != NULL && (jobs = taken->next) == NULL) end_of_jobs = &jobs;
  pthread_mutex_unlock(&mutex);
  *(job **)data = taken;
  return NULL;
}

static void interrupt_jobs(void *data) {
  pthread_mutex_lock(&mutex);
  is_interrupted = 1;
  pthread_cond_broadcast(&queued);
  pthread_mutex_unlock(&mutex);
}

/* Waits for a job: its kind, its application, its request and its object; nil after an interrupt. */
static VALUE next_job(VALUE self) {
  job *taken = NULL;
  VALUE object = TypedData_Wrap_Struct(job_class, &job_type, NULL);
  rb_nogvl(take_job, &taken, interrupt_jobs, NULL, RB_NOGVL_INTR_FAIL);
  if (taken == NULL) {
    rb_thread_check_ints();
    return Qnil;
  }
  RTYPEDDATA_DATA(object) = taken;
  VALUE request = taken->request == NULL ? Qnil : rb_utf8_str_new_cstr(taken->request);
  return rb_ary_new_from_args(4, INT2FIX(taken->kind), ULONG2NUM(taken->application), request, object);
}

static void before_fork(void) { pthread_mutex_lock(&mutex); }
static void after_fork(void) { pthread_mutex_unlock(&mutex); }

/* The jobs are those of threads of the parent process. */
static void in_child(void) {
  jobs = NULL;
  end_of_jobs = &jobs;
  is_interrupted = 0;
  pthread_cond_init(&queued, NULL);
  pthread_cond_init(&finished, NULL);
  pthread_mutex_unlock(&mutex);
}

/* --- Applications --- */

typedef struct application {
  tessera_application *handle;
  host *host;
  /* The calls that use the handle without the GVL; the last one frees it after close. */
  int calls, is_closed;
  /* Whether the host is called on the thread of a call that starts another one. */
  int waits_for_host;
} application;

static void free_handle(application *freed) {
  if (freed->host != NULL) {
    pthread_mutex_lock(&mutex);
    freed->host->is_closed = 1;
    pthread_cond_broadcast(&finished);
    pthread_mutex_unlock(&mutex);
  }
  // Waits for callbacks, which end because the host is closed.
  library.tessera_application_free(freed->handle);
  freed->handle = NULL;
  if (freed->host == NULL) return;
  for (line *each = freed->host->lines, *next; each != NULL; each = next) {
    next = each->next;
    free(each);
  }
  free(freed->host);
  freed->host = NULL;
}

static void free_application(void *data) {
  application *freed = data;
  if (freed->handle != NULL) free_handle(freed);
  free(freed);
}

static const rb_data_type_t application_type = {
    .wrap_struct_name = "Tessera::Native::Application",
    .function = {.dfree = free_application},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY};

static application *application_of(VALUE self) {
  application *found = rb_check_typeddata(self, &application_type);
  if (found->is_closed) rb_raise(rb_eIOError, "the application is closed");
  return found;
}

static void end_call(application *of) {
  if (--of->calls == 0 && of->is_closed) free_handle(of);
}

/* create(configuration, number, log, store_key, transport): the status, the response and the application. */
static VALUE create(VALUE self, VALUE text, VALUE number, VALUE log, VALUE store_key, VALUE transport) {
  application *made;
  VALUE object = TypedData_Make_Struct(application_class, application, &application_type, made);
  tessera_host callbacks = {.size = sizeof callbacks};
  if (RTEST(log)) callbacks.log = write_log;
  if (RTEST(store_key)) callbacks.store_key = provide_key;
  if (RTEST(transport)) callbacks.transport = send_request;
  made->waits_for_host = RTEST(store_key) || RTEST(transport);
  if (RTEST(log) || made->waits_for_host) {
    host *of = made->host = calloc(1, sizeof *of);
    if (of == NULL) rb_memerror();
    of->application = NUM2ULONG(number);
    of->end = &of->lines;
    callbacks.user_data = of;
  }
  char *response = NULL;
  tessera_status status =
      library.tessera_application_create(StringValueCStr(text), &callbacks, &made->handle, &response);
  VALUE result = result_of(status, response);
  if (made->handle == NULL) {
    free(made->host);
    made->host = NULL;
  }
  return rb_ary_push(result, made->handle == NULL ? Qnil : object);
}

static VALUE application_close(VALUE self) {
  application *closed = rb_check_typeddata(self, &application_type);
  int was_closed = closed->is_closed;
  closed->is_closed = 1;
  if (!was_closed && closed->calls == 0) free_handle(closed);
  return Qnil;
}

/* Removes the log lines: an array of levels and messages; nil if there are none. */
static VALUE application_lines(VALUE self) {
  application *of = rb_check_typeddata(self, &application_type);
  if (of->host == NULL) return Qnil;
  pthread_mutex_lock(&mutex);
  line *taken = of->host->lines;
  of->host->lines = NULL;
  of->host->end = &of->host->lines;
  of->host->count = of->host->is_notified = 0;
  pthread_mutex_unlock(&mutex);
  if (taken == NULL) return Qnil;
  VALUE lines = rb_ary_new();
  for (line *next; taken != NULL; taken = next) {
    next = taken->next;
    rb_ary_push(lines, rb_assoc_new(INT2NUM(taken->level), rb_utf8_str_new_cstr(taken->message)));
    free(taken);
  }
  return lines;
}

/* --- Blocking calls --- */

typedef struct blocking_call {
  int32_t function;
  int has_run, is_interrupted;
  tessera_arguments arguments;
  tessera_status status;
  char *response;
} blocking_call;

static void *run_call(void *data) {
  blocking_call *call = data;
  call->has_run = 1;
  call->status = tessera_perform(&library, call->function, &call->arguments, &call->response);
  return NULL;
}

static void interrupt_call(void *data) {
  blocking_call *call = data;
  call->is_interrupted = 1;
  library.tessera_cancellation_cancel(call->arguments.cancellation);
}

/* Makes a call without the GVL. An exception for the thread is raised when the call has ended. */
static VALUE make_call(blocking_call call, application *of, application *from) {
  for (;;) {
    call.has_run = call.is_interrupted = 0;
    call.arguments.cancellation = library.tessera_cancellation_create();
    call.response = NULL;
    if (of != NULL) of->calls++, call.arguments.application = of->handle;
    if (from != NULL) from->calls++, call.arguments.from = from->handle;
    rb_nogvl(run_call, &call, interrupt_call, &call, RB_NOGVL_INTR_FAIL);
    if (of != NULL) end_call(of);
    if (from != NULL) end_call(from);
    library.tessera_cancellation_free(call.arguments.cancellation);
    if (call.has_run && !(call.is_interrupted && call.status == TESSERA_STATUS_CANCELLED))
      return result_of(call.status, call.response);
    library.tessera_string_free(call.response);
    // Raises the exception. Without one, a signal handler has run, and the call is made again.
    rb_thread_check_ints();
    if (of != NULL && of->is_closed) rb_raise(rb_eIOError, "the application is closed");
    if (from != NULL && from->is_closed) rb_raise(rb_eIOError, "the application is closed");
  }
}

/* The data and the other application may be nil. */
static VALUE application_call(VALUE self, VALUE function, VALUE request, VALUE data, VALUE from) {
  blocking_call call = {.function = NUM2INT(function), .arguments.request = StringValueCStr(request)};
  if (!NIL_P(data)) {
    data = rb_str_new_frozen(StringValue(data));
    call.arguments.data = RSTRING_PTR(data);
    call.arguments.size = RSTRING_LEN(data);
  }
  VALUE result = make_call(call, application_of(self), NIL_P(from) ? NULL : application_of(from));
  RB_GC_GUARD(self);
  RB_GC_GUARD(request);
  RB_GC_GUARD(data);
  RB_GC_GUARD(from);
  return result;
}

static VALUE call_library(VALUE self, VALUE function, VALUE request) {
  blocking_call call = {.function = NUM2INT(function), .arguments.request = StringValueCStr(request)};
  VALUE result = make_call(call, NULL, NULL);
  RB_GC_GUARD(request);
  return result;
}

/* --- Non-blocking calls --- */

enum { UNUSED_LIMIT = 16 };
static tessera_call_group *unused[UNUSED_LIMIT];
static int unused_count;
static pid_t unused_process;

/* A child process cannot use the groups of its parent. */
static void check_process(void) {
  pid_t process = getpid();
  if (process == unused_process) return;
  while (unused_count > 0) library.tessera_call_group_free(unused[--unused_count]);
  unused_process = process;
}

static void put_back(tessera_call_group *group) {
  check_process();
  if (unused_count < UNUSED_LIMIT) unused[unused_count++] = group;
  else library.tessera_call_group_free(group);
}

/* A call of a group that has no other calls. */
typedef struct call {
  tessera_call_group *group;
  pid_t process;
} call;

static int remove_event(tessera_call_group *group, tessera_event *event) {
  *event = (tessera_event){.size = sizeof *event};
  tessera_status status = library.tessera_call_group_next_event(group, 0, event);
  if (status == TESSERA_STATUS_OK) return event->kind;
  event->status = status;
  return TESSERA_EVENT_RESULT;
}

/* Cancels a call that has not ended. */
static void end_of_call(call *ended) {
  if (ended->group == NULL) return;
  tessera_call_group *group = ended->group;
  ended->group = NULL;
  if (ended->process != getpid()) {
    library.tessera_call_group_free(group);
    return;
  }
  // The event of the cancelled call is added at once.
  library.tessera_call_group_cancel(group, 0);
  tessera_event event;
  int kind;
  while ((kind = remove_event(group, &event)) == TESSERA_EVENT_PROMPT)
    library.tessera_string_free(event.response);
  library.tessera_string_free(event.response);
  put_back(group);
}

static void free_call(void *data) {
  end_of_call(data);
  free(data);
}

static const rb_data_type_t call_type = {
    .wrap_struct_name = "Tessera::Native::Call", .function = {.dfree = free_call}, .flags = RUBY_TYPED_FREE_IMMEDIATELY};

static call *call_of(VALUE self) { return rb_check_typeddata(self, &call_type); }

typedef struct starting {
  int32_t function;
  tessera_call_group *group;
  tessera_arguments arguments;
  int has_run;
  tessera_status status;
  int64_t call;
  char *response;
} starting;

static void *start(void *data) {
  starting *of = data;
  of->has_run = 1;
  of->status = tessera_start(&library, of->function, &of->arguments, of->group, &of->call, &of->response);
  return NULL;
}

/*
 * Starts a call. Returns the call; or its status and response if it has ended, or `known` if the response is equal to it.
 *
 * A start function does not block. Without the GVL, a cached token would wait for all other threads of the program.
 */
static VALUE application_start(VALUE self, VALUE function, VALUE request, VALUE known) {
  starting begun = {.function = NUM2INT(function), .arguments.request = StringValueCStr(request)};
  while (!begun.has_run) {
    application *of = application_of(self);
    begun.arguments.application = of->handle;
    check_process();
    if (unused_count > 0) {
      begun.group = unused[--unused_count];
    } else {
      char *response = NULL;
      tessera_status status = library.tessera_call_group_create(&begun.group, &response);
      if (status != TESSERA_STATUS_OK) return result_of(status, response);
      library.tessera_string_free(response);
    }
    of->calls++;
    if (of->waits_for_host) rb_nogvl(start, &begun, NULL, NULL, RB_NOGVL_INTR_FAIL);
    else start(&begun);
    end_call(of);
    if (begun.has_run) break;
    // The thread has an exception or a signal.
    put_back(begun.group);
    rb_thread_check_ints();
  }
  RB_GC_GUARD(request);
  RB_GC_GUARD(self);
  if (begun.call != 0) {
    library.tessera_string_free(begun.response);
    call *made;
    VALUE object = TypedData_Make_Struct(call_class, call, &call_type, made);
    *made = (call){begun.group, getpid()};
    return object;
  }
  put_back(begun.group);
  if (begun.status == TESSERA_STATUS_OK && RB_TYPE_P(known, T_STRING) && begun.response != NULL &&
      strlen(begun.response) == (size_t)RSTRING_LEN(known) &&
      memcmp(begun.response, RSTRING_PTR(known), RSTRING_LEN(known)) == 0) {
    library.tessera_string_free(begun.response);
    return known;
  }
  return result_of(begun.status, begun.response);
}

static VALUE call_descriptor(VALUE self) {
  return INT2NUM(library.tessera_call_group_descriptor(call_of(self)->group));
}

/* Removes an event: whether it is a prompt, the status and the response; nil if there is none. */
static VALUE call_next(VALUE self) {
  call *of = call_of(self);
  if (of->group == NULL) rb_raise(rb_eIOError, "the call has ended");
  tessera_event event;
  int kind = remove_event(of->group, &event);
  if (kind == TESSERA_EVENT_NONE) {
    library.tessera_string_free(event.response);
    return Qnil;
  }
  return rb_ary_unshift(result_of(event.status, event.response), kind == TESSERA_EVENT_PROMPT ? Qtrue : Qfalse);
}

static VALUE call_close(VALUE self) {
  end_of_call(call_of(self));
  return Qnil;
}

/* --- Definitions --- */

void Init_native(void) {
  VALUE module = rb_define_module_under(rb_define_module("Tessera"), "Native");
#define CONSTANT(name) rb_define_const(module, #name, INT2FIX(name));
  TESSERA_NUMBERS(CONSTANT)
  rb_define_const(module, "ABI_VERSION", INT2FIX(TESSERA_ABI_VERSION));
  CONSTANT(JOB_LOG)
  CONSTANT(JOB_STORE_KEY)
  CONSTANT(JOB_TRANSPORT)
  rb_define_singleton_method(module, "load", load_library, 1);
  rb_define_singleton_method(module, "create", create, 5);
  rb_define_singleton_method(module, "call", call_library, 2);
  rb_define_singleton_method(module, "next_job", next_job, 0);

  application_class = rb_define_class_under(module, "Application", rb_cObject);
  rb_undef_alloc_func(application_class);
  rb_define_method(application_class, "call", application_call, 4);
  rb_define_method(application_class, "start", application_start, 3);
  rb_define_method(application_class, "lines", application_lines, 0);
  rb_define_method(application_class, "close", application_close, 0);

  call_class = rb_define_class_under(module, "Call", rb_cObject);
  rb_undef_alloc_func(call_class);
  rb_define_method(call_class, "descriptor", call_descriptor, 0);
  rb_define_method(call_class, "next", call_next, 0);
  rb_define_method(call_class, "close", call_close, 0);

  job_class = rb_define_class_under(module, "Job", rb_cObject);
  rb_undef_alloc_func(job_class);
  rb_define_method(job_class, "finish", job_finish, 1);
  rb_define_method(job_class, "abandoned?", job_is_abandoned, 0);

  unused_process = getpid();
  pthread_atfork(before_fork, after_fork, in_child);
}
