/* froth-link: a member of an Ableton Link session for froth, which is a program in C.
 *
 * Writes lines to standard output and reads lines from descriptor 3, as engine/tempo/link.h has
 * them; ends when either is closed. Ableton's library is known to this file only. */
#include <ableton/Link.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace {

constexpr double quantum = 4; /* beats of a bar */
constexpr int apart = 50;     /* milliseconds between two lines */
constexpr int orders = 3;     /* descriptor */
constexpr double million = 1e6;

/* Where the session is now, by the system's clock that never goes back. Link's own clock is another
 * one, so both are asked at the same moment. */
bool tell(ableton::Link &link)
{
    const auto state = link.captureAppSessionState();
    const auto time = link.clock().micros();
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
    return std::printf("link %zu %d %.0f %.0f %lld\n", link.numPeers(), state.isPlaying() ? 1 : 0,
                       state.tempo() * million, state.beatAtTime(time, quantum) * million,
                       static_cast<long long>(now.count())) > 0 &&
           std::fflush(stdout) == 0;
}

void obey(ableton::Link &link, const char *line)
{
    long bpm = 0;
    if (std::sscanf(line, "tempo %ld", &bpm) == 1 && bpm > 0) {
        auto state = link.captureAppSessionState();
        state.setTempo(static_cast<double>(bpm) / million, link.clock().micros());
        link.commitAppSessionState(state);
    }
}

/* Takes what has come. False at the end. */
bool listen(ableton::Link &link, char *line, size_t room, size_t &size)
{
    const ssize_t got = read(orders, line + size, room - 1 - size);
    if (got <= 0) {
        return false;
    }
    size += static_cast<size_t>(got);
    line[size] = '\0';
    for (char *end = std::strchr(line, '\n'); end != nullptr; end = std::strchr(line, '\n')) {
        *end = '\0';
        obey(link, line);
        size -= static_cast<size_t>(end + 1 - line);
        std::memmove(line, end + 1, size + 1);
    }
    size = size == room - 1 ? 0 : size; /* no line is that long */
    return true;
}

} // namespace

int main()
{
    ableton::Link link(120);
    link.enableStartStopSync(true);
    link.enable(true);
    char line[64];
    size_t size = 0;
    while (tell(link)) {
        pollfd waits = {orders, POLLIN, 0};
        if (poll(&waits, 1, apart) != 0 && !listen(link, line, sizeof line, size)) {
            break;
        }
    }
    return EXIT_SUCCESS;
}
