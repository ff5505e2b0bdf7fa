// SPDX-License-Identifier: MIT
// Starts programs without SIGCHLD or zombie processes in the host.

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
  /** The number of checks whether a program without a channel has failed, and the interval between them. */
  CHECK_COUNT = 100,
  CHECK_INTERVAL_MILLISECONDS = 50,
  /** The time that a program with a channel has to exit after its channel is closed. */
  GRACE_MILLISECONDS = 500,
  /** The lowest descriptor without a fixed purpose. */
  FIRST_FREE_DESCRIPTOR = 5,
};

/** The program to start. */
typedef struct {
  const char *path;
  char *const *arguments;
  char *const *environment;
  /** The descriptor to which the watcher writes reports. */
  int report;
  /** The descriptor that becomes the standard input and output, or -1 without a channel. */
  int channel;
} program;

/** A report: an errno value of a failed start, or the exit status. */
typedef struct {
  int problem;
  int status;
} report;

// Creates a copy of this process. With signal 0, the parent receives no signal when the copy ends, and only wait() with
// __WALL or __WCLONE finds it (clone(2)). No pthread_atfork() handler runs: it could wait for a lock of a thread that
// the copy does not have.
static pid_t clone_process(int signal_of_end) {
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

// The functions below run in copies of this process. They may call only async-signal-safe functions.

static void write_report(int pipe, int problem, int status) {
  report message = {problem, status};
  ssize_t written = write(pipe, &message, sizeof(message));
  (void)written;
}

static void close_between(unsigned first, unsigned last) {
  if (first > last) return;
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, first, last, 0U) == 0) return;
#endif
  for (unsigned descriptor = first; descriptor <= last && descriptor < 65536; descriptor++) close((int)descriptor);
}

// Closes all inherited descriptors except those of the program. This frees descriptors if the host has reached its
// limit.
static void close_others(const program *started) {
  unsigned low = (unsigned)started->report, high = low;
  if (started->channel >= 0 && (unsigned)started->channel < low) low = (unsigned)started->channel;
  if (started->channel >= 0 && (unsigned)started->channel > high) high = (unsigned)started->channel;
  if (low > 0) close_between(0, low - 1);
  close_between(low + 1, high - 1);
  close_between(high + 1, ~0U);
}

// Connects the standard descriptors to /dev/null, and closes all others except those of the program. exec() closes the
// report descriptor.
static int redirect_descriptors(program *started) {
  close_others(started);
  // Move both away first, because each may occupy the final position of the other.
  int report = fcntl(started->report, F_DUPFD, FIRST_FREE_DESCRIPTOR);
  int channel = started->channel < 0 ? -1 : fcntl(started->channel, F_DUPFD, FIRST_FREE_DESCRIPTOR);
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

// Restores the default disposition of all signals. The host may ignore SIGPIPE or SIGCHLD, which other programs do not
// expect. The signals remain blocked until the program runs.
static void reset_signals(void) {
  struct sigaction usual;
  memset(&usual, 0, sizeof(usual));
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) {
    if (number != SIGKILL && number != SIGSTOP) sigaction(number, &usual, NULL);
  }
}

static void exec_program(const program *started) {
  if (started->channel >= 0) {
    // A separate process group, so that processes that the program starts are killed with it.
    setpgid(0, 0);
    fcntl(started->channel, F_SETFL, 0);
    dup2(started->channel, STDIN_FILENO);
    dup2(started->channel, STDOUT_FILENO);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(started->path, started->arguments, started->environment);
  write_report(started->report, errno, 0);
  _exit(127);
}

static bool report_exit(int report, pid_t process) {
  int status = 0;
  if (waitpid(process, &status, WNOHANG) != process) return false;
  write_report(report, 0, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return true;
}

// Returns whether the reader closed the report socket. Waits for that, and with a pidfd also for the end of the
// process.
static bool has_no_reader(int report, int end, int milliseconds) {
  struct pollfd both[2] = {{report, 0, 0}, {end, POLLIN, 0}};
  return poll(both, 2, milliseconds) > 0 && both[0].revents != 0;
}

// Waits for the program for at most five seconds, or until the reader closes the report socket.
static void watch(int report, pid_t process) {
  for (int check = 0; check < CHECK_COUNT; check++) {
    if (report_exit(report, process) || has_no_reader(report, -1, CHECK_INTERVAL_MILLISECONDS)) return;
  }
}

// Waits for the program. After the reader closed the report socket, the program reads end-of-file from its input. It
// has 500 milliseconds to exit before it is killed.
static void supervise(int report, pid_t process) {
#if defined(__linux__) && defined(SYS_pidfd_open)
  int end = (int)syscall(SYS_pidfd_open, process, 0U);
#else
  int end = -1;
#endif
  int milliseconds = end < 0 ? CHECK_INTERVAL_MILLISECONDS : -1;
  while (!has_no_reader(report, end, milliseconds)) {
    if (report_exit(report, process)) return;
  }
  for (int waited = 0; waited < GRACE_MILLISECONDS; waited += CHECK_INTERVAL_MILLISECONDS) {
    if (waitpid(process, NULL, WNOHANG) == process) return;
    poll(NULL, 0, CHECK_INTERVAL_MILLISECONDS);
  }
  // The process has not been reaped, so that its ID cannot have been reused.
  kill(-process, SIGKILL);
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

static void run_watcher(program started) {
  setsid();
  reset_signals();
  if (redirect_descriptors(&started) != 0) {
    write_report(started.report, errno, 0);
    _exit(1);
  }
  // A long-running program must not hold the working directory of the host.
  int moved = chdir("/");
  (void)moved;
  pid_t process = clone_process(SIGCHLD);
  if (process == 0) exec_program(&started);
  if (started.channel >= 0) close(started.channel);
  if (process < 0) {
    write_report(started.report, errno, 0);
  } else if (started.channel >= 0) {
    supervise(started.report, process);
  } else {
    watch(started.report, process);
  }
  _exit(0);
}

// The functions below run in the host process.

// Creates a connected pair of sockets. The shutdown of one end is visible at the other, even if a child of the host has
// inherited a copy.
static int make_socket_pair(int ends[2]) {
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
  // Signal handlers of the host must not run in a copy of it.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  // The first copy creates the second and exits, so that the second is not a child of the host.
  pid_t first = clone_process(0);
  if (first == 0) {
    pid_t second = clone_process(0);
    if (second == 0) run_watcher(started);
    if (second < 0) write_report(started.report, errno, 0);
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
  int reports[2], channel_ends[2] = {-1, -1};
  int problem = make_socket_pair(reports);
  if (problem != 0) return problem;
  if (channel != NULL) problem = make_socket_pair(channel_ends);
  if (problem == 0) problem = start((program){path, arguments, environment, reports[1], channel_ends[1]});
  close(reports[1]);
  if (channel_ends[1] >= 0) close(channel_ends[1]);
  if (problem == 0) {
    *status = reports[0];
    if (channel != NULL) *channel = channel_ends[0];
  } else {
    close(reports[0]);
    if (channel_ends[0] >= 0) close(channel_ends[0]);
  }
  return problem;
}

void ctessera_program_close(int descriptor) {
  shutdown(descriptor, SHUT_RDWR);
  close(descriptor);
}

int ctessera_program_read(int status, int *problem) {
  report message = {0, 0};
  *problem = 0;
  ssize_t count = read(status, &message, sizeof(message));
  if (count < 0) return errno == EAGAIN || errno == EINTR ? CTESSERA_PROGRAM_WAITS : CTESSERA_PROGRAM_RUNS;
  if (count != sizeof(message)) return CTESSERA_PROGRAM_RUNS;
  *problem = message.problem;
  return message.status;
}
