// SPDX-License-Identifier: MIT
// Starting a program: the host neither sees it nor has to wait for it.

#define _GNU_SOURCE
#include "ctessera_loopback.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctessera_descriptors.h"

#if defined(__linux__)
#include <sys/syscall.h>
#endif

enum {
  /** How often, and after which pauses, somebody looks whether a program that is left to itself has failed. */
  LOOKS = 100,
  MILLISECONDS_BETWEEN_LOOKS = 50,
  /** How long a program has to end by itself when nobody talks to it any more. */
  MILLISECONDS_OF_GRACE = 500,
  /** The lowest descriptor that is none of those with a place of their own. */
  FIRST_FREE = 5,
};

/** What is to be started. */
typedef struct {
  const char *path;
  char *const *arguments;
  char *const *environment;
  /** Where it is told to whoever has started it. */
  int report;
  /** What becomes its standard input and output, or -1 for a program that is left to itself. */
  int channel;
} program;

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

static void close_between(unsigned first, unsigned last) {
  if (first > last) return;
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, first, last, 0U) == 0) return;
#endif
  for (unsigned descriptor = first; descriptor <= last && descriptor < 65536; descriptor++) close((int)descriptor);
}

// Of a host that has no descriptor left there must be room for those that follow.
static void close_others(const program *started) {
  unsigned low = (unsigned)started->report, high = low;
  if (started->channel >= 0 && (unsigned)started->channel < low) low = (unsigned)started->channel;
  if (started->channel >= 0 && (unsigned)started->channel > high) high = (unsigned)started->channel;
  if (low > 0) close_between(0, low - 1);
  close_between(low + 1, high - 1);
  close_between(high + 1, ~0U);
}

// Nothing stays open but standard input and output, which lead nowhere, and what belongs to the program. The report ends
// with exec().
static int shut(program *started) {
  close_others(started);
  // First out of the way: either may have the other's place.
  int report = fcntl(started->report, F_DUPFD, FIRST_FREE);
  int channel = started->channel < 0 ? -1 : fcntl(started->channel, F_DUPFD, FIRST_FREE);
  if (report < 0 || (started->channel >= 0 && channel < 0)) return -1;
  if (dup2(report, 3) < 0) return -1;
  started->report = 3;
  if (channel >= 0) {
    if (dup2(channel, 4) < 0) return -1;
    started->channel = 4;
    fcntl(4, F_SETFD, FD_CLOEXEC);
  }
  fcntl(3, F_SETFD, FD_CLOEXEC);
  close_between(channel >= 0 ? 5 : 4, ~0U);
  int null = open("/dev/null", O_RDWR);
  if (null < 0) return -1;
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (dup2(null, descriptor) < 0) return -1;
  }
  if (null > 2) close(null);
  return 0;
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

static void become(const program *started) {
  if (started->channel >= 0) {
    // A group of its own, so that whatever it starts ends with it.
    setpgid(0, 0);
    fcntl(started->channel, F_SETFL, 0);
    dup2(started->channel, STDIN_FILENO);
    dup2(started->channel, STDOUT_FILENO);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(started->path, started->arguments, started->environment);
  tell(started->report, errno, 0);
  _exit(127);
}

static bool tell_end(int report, pid_t process) {
  int status = 0;
  if (waitpid(process, &status, WNOHANG) != process) return false;
  tell(report, 0, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return true;
}

// Whether nobody listens to the reports any more; waits for that, or for the end of the process where the kernel tells.
static bool is_alone(int report, int end, int milliseconds) {
  struct pollfd both[2] = {{report, 0, 0}, {end, POLLIN, 0}};
  return poll(both, 2, milliseconds) > 0 && both[0].revents != 0;
}

// Waits for the program for a while, as long as somebody wants to know.
static void watch(int report, pid_t process) {
  for (int look = 0; look < LOOKS; look++) {
    if (tell_end(report, process) || is_alone(report, -1, MILLISECONDS_BETWEEN_LOOKS)) return;
  }
}

// Waits for the program, and ends it when nobody talks to it any more: then it reads the end of its input, and has a
// moment to go by itself.
static void keep(int report, pid_t process) {
#if defined(__linux__) && defined(SYS_pidfd_open)
  int end = (int)syscall(SYS_pidfd_open, process, 0U);
#else
  int end = -1;
#endif
  int milliseconds = end < 0 ? MILLISECONDS_BETWEEN_LOOKS : -1;
  while (!is_alone(report, end, milliseconds)) {
    if (tell_end(report, process)) return;
  }
  for (int waited = 0; waited < MILLISECONDS_OF_GRACE; waited += MILLISECONDS_BETWEEN_LOOKS) {
    if (waitpid(process, NULL, WNOHANG) == process) return;
    poll(NULL, 0, MILLISECONDS_BETWEEN_LOOKS);
  }
  // It has not been waited for, so that the number is still its own.
  kill(-process, SIGKILL);
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

static void run_watcher(program started) {
  setsid();
  reset_signals();
  if (shut(&started) != 0) {
    tell(started.report, errno, 0);
    _exit(1);
  }
  // A program that stays must not keep the host's directory in use.
  int moved = chdir("/");
  (void)moved;
  pid_t process = copy(SIGCHLD);
  if (process == 0) become(&started);
  if (started.channel >= 0) close(started.channel);
  if (process < 0) {
    tell(started.report, errno, 0);
  } else if (started.channel >= 0) {
    keep(started.report, process);
  } else {
    watch(started.report, process);
  }
  _exit(0);
}

// And this in the host again.

// Two ends of a line; whoever shuts one of them down is noticed at the other, even while a copy of it is open in a
// child of the host.
static int make_line(int ends[2]) {
  ctessera_fill_standard_descriptors();
#if defined(__linux__)
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0 ? 0 : errno;
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  return 0;
#endif
}

static int start(program started) {
  // No handler of the host may run in a copy of it.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  // The first copy only makes the second one, which is then nobody's child.
  pid_t first = copy(0);
  if (first == 0) {
    pid_t second = copy(0);
    if (second == 0) run_watcher(started);
    if (second < 0) tell(started.report, errno, 0);
    _exit(0);
  }
  int problem = first < 0 ? errno : 0;
  if (first > 0) {
    while (waitpid(first, NULL, __WALL) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  return problem;
}

int ctessera_program_start(
    const char *path, char *const *arguments, char *const *environment, int *status, int *channel) {
  int reports[2], lines[2] = {-1, -1};
  int problem = make_line(reports);
  if (problem != 0) return problem;
  if (channel != NULL) problem = make_line(lines);
  if (problem == 0) problem = start((program){path, arguments, environment, reports[1], lines[1]});
  close(reports[1]);
  if (lines[1] >= 0) close(lines[1]);
  if (problem == 0) {
    *status = reports[0];
    if (channel != NULL) *channel = lines[0];
  } else {
    close(reports[0]);
    if (lines[0] >= 0) close(lines[0]);
  }
  return problem;
}

void ctessera_program_leave(int descriptor) {
  shutdown(descriptor, SHUT_RDWR);
  close(descriptor);
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
