# A drum, and a preset that shows its tempo; sourced.

# drum BEATS: 126 a minute, 44100 stereo frames a second of 16 bits. A beat has 21000 frames: a low
# tone in 2000 of them, then silence.
drum() {
    local period beat
    period=$(printf '\\000\\120%.0s' $(seq 100))$(printf '\\000\\260%.0s' $(seq 100))
    for ((beat = 0; beat < $1; beat++)); do
        for _ in $(seq 20); do
            # shellcheck disable=SC2059
            printf "$period"
        done
        head -c $((19000 * 4)) /dev/zero
    done
}

# The whole picture is as grey as the beats per minute: 126 of 255.
tempo_preset() {
    printf '%s\n' '[preset00]' fGammaAdj=1 fDecay=0 nWaveMode=0 fWaveAlpha=0 zoom=1 warp=0 ob_a=1 \
        ob_size=0.5 'per_frame_1=ob_r=beat_bpm/255;ob_g=ob_r;ob_b=ob_r;'
}
