// SPDX-License-Identifier: MIT
// Starting a program for good: the host neither sees it nor has to wait for it.

#define _GNU_SOURCE
#include "ctessera_loopback.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

extern char **environ;

enum { LOOKS = 100, MILLISECONDS_BETWEEN_LOOKS = 50 };

/** What goes through the pipe: an errno value of the start, or the status of the end. */
typedef struct {
  int problem;
  int status;
} report;

// A copy of this process. With 0 for the signal the parent hears nothing of it: no signal when it ends, and only who
// asks for such children finds it by wait(), see clone(2). Handlers of pthread_atfork() do not run: they may wait for
// locks of threads that the copy does not have.
static pid_t copy(int signal_of_end) {
#if defined(__linux__) && !defined(__s390__)
  return (pid_t)syscall(SYS_clone, (unsigned long)signal_of_end, NULL, NULL, NULL, 0UL);
#else
  (void)signal_of_end;
  return fork();
#endif
}

#if !defined(__WALL)
#define __WALL 0
#endif

// What follows runs in copies of this process, in which only what a handler of signals may call is safe.

static void tell(int pipe, int problem, int status) {
  report told = {problem, status};
  ssize_t written = write(pipe, &told, sizeof(told));
  (void)written;
}

static void close_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#endif
  for (int descriptor = first; descriptor < 65536; descriptor++) close(descriptor);
}

// Nothing stays open but standard input and output, which lead nowhere, and the pipe, which ends with exec().
static int shut(int pipe) {
  if (pipe != 3) {
    if (dup2(pipe, 3) < 0) return -1;
    pipe = 3;
  }
  fcntl(pipe, F_SETFD, FD_CLOEXEC);
  close_from(4);
  int null = open("/dev/null", O_RDWR);
  if (null < 0) return -1;
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (dup2(null, descriptor) < 0) return -1;
  }
  if (null > 3) close(null);
  return pipe;
}

// A host may ignore SIGPIPE or SIGCHLD, and a program that it did not write expects none of that. The signals stay
// blocked until the program runs.
static void reset_signals(void) {
  struct sigaction usual;
  memset(&usual, 0, sizeof(usual));
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) {
    if (number != SIGKILL && number != SIGSTOP) sigaction(number, &usual, NULL);
  }
}

static void become(
    int pipe, const char *path, char *const *arguments, char *const *environment) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(path, arguments, environment);
  tell(pipe, errno, 0);
  _exit(127);
}

// Waits for the program for a while, as long as somebody wants to know.
static void watch(int pipe, pid_t program) {
  for (int look = 0; look < LOOKS; look++) {
    int status = 0;
    if (waitpid(program, &status, WNOHANG) == program) {
      return tell(pipe, 0, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    struct pollfd reader = {pipe, 0, 0};
    if (poll(&reader, 1, MILLISECONDS_BETWEEN_LOOKS) > 0) return;
  }
}

static void run_watcher(
    int pipe, const char *path, char *const *arguments, char *const *environment) {
  setsid();
  reset_signals();
  pipe = shut(pipe);
  if (pipe < 0) _exit(1);
  // A program that stays must not keep the host's directory in use.
  int moved = chdir("/");
  (void)moved;
  pid_t program = copy(SIGCHLD);
  if (program == 0) become(pipe, path, arguments, environment);
  if (program < 0) {
    tell(pipe, errno, 0);
  } else {
    watch(pipe, program);
  }
  _exit(0);
}

// And this in the host again.

static int make_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : errno;
#else
  if (pipe(ends) != 0) return errno;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  return 0;
#endif
}

int ctessera_program_start(
    const char *path, char *const *arguments, char *const *environment, int *status) {
  int ends[2];
  int problem = make_pipe(ends);
  if (problem != 0) return problem;
  // No handler of the host may run in a copy of it.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  // The first copy only makes the second one, which is then nobody's child.
  pid_t first = copy(0);
  if (first == 0) {
    if (copy(0) == 0) run_watcher(ends[1], path, arguments, environment);
    _exit(0);
  }
  if (first < 0) problem = errno;
  if (first > 0) {
    while (waitpid(first, NULL, __WALL) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  close(ends[1]);
  if (problem == 0) {
    *status = ends[0];
  } else {
    close(ends[0]);
  }
  return problem;
}

int ctessera_program_read(int status, int *problem) {
  report told = {0, 0};
  *problem = 0;
  ssize_t count = read(status, &told, sizeof(told));
  if (count < 0) return errno == EAGAIN || errno == EINTR ? CTESSERA_PROGRAM_WAITS : CTESSERA_PROGRAM_RUNS;
  if (count != sizeof(told)) return CTESSERA_PROGRAM_RUNS;
  *problem = told.problem;
  return told.status;
}

char *const *ctessera_program_environment(void) {
  return environ;
}
