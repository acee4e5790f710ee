// Serves one document at every path over the loopback interface, or several in turn by the number at the path's end, each
// response after a fixed delay. It has one thread,
// to leave the cores to the programs that are measured. Paths that begin with /tagged/ have an ETag and answer 304; those
// that begin with /media/ have an ETag too, and byte ranges. Those that begin with /dated/ end with a different comment
// each time, like a publisher's time stamp, and those that begin with /touched/ with a different processing instruction,
// so that only parsing shows that nothing is new.
//
//   podcli-feedserver FILE DELAY_MS[:BYTES_PER_SECOND] [FILE…]     prints its port, and runs until it is killed
//
// All connections share the bytes per second.
// At SIGUSR1 it prints the processor time it has used, in seconds.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST = 8192, MOST = 4096, LEAST_PART = 4096, BURST = 16384 };

struct document {
  char *bytes;
  size_t length;
};

struct client {
  char request[REQUEST];
  size_t length;
  char head[512], tail[32];
  size_t head_length, head_sent, body_start, body_length, body_sent, tail_length, tail_sent;
  int is_answering, is_held;
  struct document *document;
};

struct answer {
  int socket;
  long due;
};

static struct client *clients[65536];
// All delays are equal, so clients are answered in order of arrival.
static struct answer waiting[MOST];
static size_t first_waiting, last_waiting;
static struct document *documents;
static size_t document_count;
static long delay;
// Bytes per second, and how many may be sent now. A rate of 0 is no limit.
static long rate, allowed_at;
static double allowance;
// Connections whose next bytes wait for the rate.
static int held[MOST];
static size_t first_held, last_held;
static int poller;

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static void watch(int socket, unsigned events, int operation) {
  struct epoll_event event = {.events = events, .data.fd = socket};
  epoll_ctl(poller, operation, socket, &event);
}

static void leave(int socket) {
  free(clients[socket]);
  clients[socket] = NULL;
  close(socket);
}

// How many of `count` bytes may be sent now.
static size_t allowed(size_t count) {
  if (!rate) return count;
  long time = now();
  allowance += (time - allowed_at) * 1e-6 * rate;
  if (allowance > BURST) allowance = BURST;
  allowed_at = time;
  if (count > LEAST_PART) count = LEAST_PART;
  return count <= allowance ? count : 0;
}

// In line behind the other connections, so that all get the same share. Returns that not everything was sent.
static int hold(int socket) {
  watch(socket, 0, EPOLL_CTL_MOD);
  clients[socket]->is_held = 1;
  held[last_held++ % MOST] = socket;
  return 0;
}

// Whether the whole response was sent; false also if the client closed the connection.
static int send_part(int socket, const char *bytes, size_t length, size_t *sent, int flags) {
  while (*sent < length) {
    size_t part = allowed(length - *sent);
    if (!part) return hold(socket);
    ssize_t count = send(socket, bytes + *sent, part, MSG_NOSIGNAL | flags);
    if (count < 0 && errno == EAGAIN) watch(socket, EPOLLOUT, EPOLL_CTL_MOD);
    else if (count <= 0) leave(socket);
    if (count <= 0) return 0;
    *sent += count;
    allowance -= count;
    if (rate && *sent < length) return hold(socket);
  }
  return 1;
}

static void send_more(int socket) {
  struct client *client = clients[socket];
  if (!send_part(socket, client->head, client->head_length, &client->head_sent, client->body_length ? MSG_MORE : 0)
      || !send_part(socket, client->document->bytes + client->body_start, client->body_length, &client->body_sent, client->tail_length ? MSG_MORE : 0)
      || !send_part(socket, client->tail, client->tail_length, &client->tail_sent, 0)) return;
  client->is_answering = 0;
  client->length = 0;
  watch(socket, EPOLLIN, EPOLL_CTL_MOD);
}

static void send_held(void) {
  while (first_held != last_held && allowed(LEAST_PART)) {
    int socket = held[first_held++ % MOST];
    if (!clients[socket] || !clients[socket]->is_held) continue;
    clients[socket]->is_held = 0;
    send_more(socket);
  }
}

// Whether the request has a range, from `first` to `last`.
static int wants_range(const char *request, size_t document_length, size_t *first, size_t *last) {
  const char *range = strcasestr(request, "\r\nrange: bytes=");
  *first = 0;
  *last = document_length - 1;
  if (!range) return 0;
  char *end;
  *first = strtoul(range + 15, &end, 10);
  if (*end == '-' && end[1] >= '0' && end[1] <= '9') *last = strtoul(end + 1, NULL, 10);
  if (*last >= document_length) *last = document_length - 1;
  return *first <= *last;
}

static void answer_media(int socket) {
  struct client *client = clients[socket];
  size_t first, last;
  int is_part = wants_range(client->request, client->document->length, &first, &last);
  client->body_start = is_part ? first : 0;
  client->body_length = is_part ? last - first + 1 : client->document->length;
  client->head_length = snprintf(
    client->head, sizeof client->head, "HTTP/1.1 %s\r\nContent-Type: audio/mpeg\r\nETag: \"1\"\r\nContent-Length: %zu\r\n",
    is_part ? "206 Partial Content" : "200 OK", client->body_length);
  if (is_part)
    client->head_length += snprintf(
      client->head + client->head_length, sizeof client->head - client->head_length,
      "Content-Range: bytes %zu-%zu/%zu\r\n", first, last, client->document->length);
  client->head_length += snprintf(client->head + client->head_length, sizeof client->head - client->head_length, "\r\n");
  client->tail_length = client->head_sent = client->body_sent = client->tail_sent = 0;
  send_more(socket);
}

// By the number behind the path's last slash.
static struct document *asked(const char *request) {
  const char *end = strstr(request, " HTTP/"), *start = end;
  while (start && start > request && start[-1] != '/') start--;
  return &documents[(start ? strtoul(start, NULL, 10) : 0) % document_count];
}

static void answer(int socket) {
  struct client *client = clients[socket];
  if (!client) return;
  client->document = asked(client->request);
  if (!strncmp(client->request, "GET /media/", 11)) {
    answer_media(socket);
    return;
  }
  client->body_start = 0;
  int is_tagged = !strncmp(client->request, "GET /tagged/", 12);
  int is_known = is_tagged && strcasestr(client->request, "if-none-match");
  client->body_length = is_known ? 0 : client->document->length;
  static unsigned long answers;
  const char *tail = !strncmp(client->request, "GET /dated/", 11) ? "<!-- %016lx -->\n"
    : !strncmp(client->request, "GET /touched/", 13) ? "<?asked %016lx?>\n" : NULL;
  client->tail_length = tail ? snprintf(client->tail, sizeof client->tail, tail, ++answers) : 0;
  client->head_length = is_known
    ? snprintf(client->head, sizeof client->head, "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n")
    : snprintf(
        client->head, sizeof client->head, "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n%sContent-Length: %zu\r\n\r\n",
        is_tagged ? "ETag: \"1\"\r\n" : "", client->document->length + client->tail_length);
  client->head_sent = client->body_sent = client->tail_sent = 0;
  send_more(socket);
}

static void receive(int socket) {
  struct client *client = clients[socket];
  ssize_t count = recv(socket, client->request + client->length, REQUEST - 1 - client->length, 0);
  if (count <= 0) {
    leave(socket);
    return;
  }
  client->length += count;
  client->request[client->length] = 0;
  if (client->is_answering || !strstr(client->request, "\r\n\r\n")) return;
  client->is_answering = 1;
  if (!delay) {
    answer(socket);
    return;
  }
  waiting[last_waiting++ % MOST] = (struct answer){socket, now() + delay};
}

static void accept_all(int listener) {
  for (;;) {
    int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (socket < 0) return;
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    clients[socket] = calloc(1, sizeof *clients[socket]);
    watch(socket, EPOLLIN, EPOLL_CTL_ADD);
  }
}

static volatile sig_atomic_t is_asked;
static void ask(int signal) { is_asked = 1; }

static void print_processor_time(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  printf("%ld.%03ld\n", (long)used.tv_sec, used.tv_nsec / 1000000);
  fflush(stdout);
  is_asked = 0;
}

static void read_document(const char *path, struct document *document) {
  int file = open(path, O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status)) {
    perror(path);
    exit(1);
  }
  document->bytes = malloc(status.st_size);
  ssize_t count;
  while ((count = read(file, document->bytes + document->length, status.st_size - document->length)) > 0)
    document->length += count;
  close(file);
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: podcli-feedserver FILE DELAY_MS[:BYTES_PER_SECOND] [FILE…]\n");
    return 2;
  }
  char *limit;
  delay = strtol(arguments[2], &limit, 10) * 1000;
  rate = *limit == ':' ? atol(limit + 1) : 0;
  allowed_at = now();
  document_count = count - 2;
  documents = calloc(document_count, sizeof *documents);
  read_document(arguments[1], documents);
  for (size_t index = 1; index < document_count; index++) read_document(arguments[index + 2], &documents[index]);
  signal(SIGPIPE, SIG_IGN);
  // SIGUSR1 is unblocked only while the server waits for events, so that none is missed.
  sigset_t asked, none;
  sigemptyset(&none);
  sigemptyset(&asked);
  sigaddset(&asked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &asked, NULL);
  signal(SIGUSR1, ask);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  bind(listener, (struct sockaddr *)&address, length);
  listen(listener, 1024);
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  poller = epoll_create1(0);
  watch(listener, EPOLLIN, EPOLL_CTL_ADD);
  for (;;) {
    if (is_asked) print_processor_time();
    struct epoll_event events[256];
    long pause = first_waiting == last_waiting ? -1 : (waiting[first_waiting % MOST].due - now() + 999) / 1000;
    if (pause < 0 && first_waiting != last_waiting) pause = 0;
    if (first_held != last_held && (pause < 0 || pause > 1)) pause = 1;
    int ready = epoll_pwait(poller, events, 256, (int)pause, &none);
    for (int index = 0; index < ready; index++) {
      int socket = events[index].data.fd;
      if (socket == listener) accept_all(listener);
      else if (!clients[socket]) continue;
      else if (events[index].events & EPOLLOUT) send_more(socket);
      else receive(socket);
    }
    send_held();
    while (first_waiting != last_waiting && waiting[first_waiting % MOST].due <= now())
      answer(waiting[first_waiting++ % MOST].socket);
  }
}
