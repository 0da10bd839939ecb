#include <string.h>

#include "renderer/state.h"

struct rend_heard rend_heard(const struct rend *rend)
{
    const struct rend_sound sound = rend_analysis_sound(&rend->sound);
    struct rend_heard heard = {
        .beat = sound.beat, .beat_phase = sound.beat_phase, .bpm = sound.bpm};
    memcpy(heard.level, sound.level, sizeof heard.level);
    memcpy(heard.level_att, sound.level_att, sizeof heard.level_att);
    return heard;
}
