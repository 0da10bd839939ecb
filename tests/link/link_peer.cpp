/* A second member of a session of Ableton Link, as its documentation shows one: link_peer BPM
 * Prints "PEERS BPM BEAT TIME" twenty times a second, beat and bpm in millionths, the time in
 * microseconds of the clock that never goes back. Of standard input it takes "tempo BPM", "play"
 * and "stop"; it ends with it. */
#include <ableton/Link.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <poll.h>
#include <string>
#include <unistd.h>

static void tell(ableton::Link &link)
{
    const auto state = link.captureAppSessionState();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto time = link.clock().micros();
    std::printf("%zu %.0f %.0f %lld\n", link.numPeers(), 1e6 * state.tempo(),
                1e6 * state.beatAtTime(time, 4.0),
                static_cast<long long>(
                    std::chrono::duration_cast<std::chrono::microseconds>(now).count()));
    std::fflush(stdout);
}

static void obey(ableton::Link &link, const std::string &line)
{
    auto state = link.captureAppSessionState();
    const auto now = link.clock().micros();
    if (line.rfind("tempo ", 0) == 0) {
        state.setTempo(std::atof(line.c_str() + 6), now);
    } else {
        state.setIsPlaying(line == "play", now);
    }
    link.commitAppSessionState(state);
}

int main(int argc, char **argv)
{
    ableton::Link link(argc > 1 ? std::atof(argv[1]) : 120);
    link.enableStartStopSync(true);
    link.enable(true);
    for (std::string line;;) {
        pollfd waits = {STDIN_FILENO, POLLIN, 0};
        if (poll(&waits, 1, 50) > 0) {
            if (!std::getline(std::cin, line)) {
                return EXIT_SUCCESS;
            }
            obey(link, line);
        }
        tell(link);
    }
}
