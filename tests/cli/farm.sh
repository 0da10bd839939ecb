#!/usr/bin/env bash
# An album as a job: by GNU parallel, and by a Slurm of two daemons on this machine: farm.sh FROTH SOURCE
# Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
need ffmpeg ffprobe parallel python3
logs='messages list'
work=$(mktemp -d) || exit 1
processes=()
trap 'end_all "${processes[@]}"' EXIT
alone
mkdir -p "$HOME/.parallel" && touch "$HOME/.parallel/will-cite"
cd "$work" || exit 1
mkdir presets songs
cp "$source/presets/originals/froth - "{"Aurora Engine","Block Party","Carina Mill","Corona"}.milk presets
for i in 1 2 3; do
    ffmpeg -v error -f lavfi -i "aevalsrc=0.4*sin(${i}00*PI*t)*lt(mod(t\,0.5)\,0.1)|0.3*sin(${i}50*PI*t):d=1.3" -c:a flac songs/$i.flac ||
        fail "no sound"
done
cat > 'an album.yaml' << 'END'
# Three songs.
presets: presets
audio: [songs/1.flac, songs/2.flac, songs/3.flac]
size: 64x48
mesh: 16x12
fps: 24
clean-start: on
END
frames() { grep '^frame' "$1"; }

# The film that one rendering makes.
sed 's/^/songs\//' <(ls songs) > album.m3u
"$froth" render presets --audio album.m3u --size 64x48 --mesh 16x12 --fps 24 --clean-start --hash -o whole.mp4 > list 2> messages ||
    fail "the whole film"
frames list > whole
[ "$(wc -l < whole)" = 94 ] || fail "the album has $(wc -l < whole) frames"

# equal FOLDER: its pieces are that film, and its sound is too
equal() {
    "$froth" join "$1"/pieces/*.ts --hash > joined 2> messages || fail "the pieces of $1"
    frames joined | cmp -s - whole || fail "$1: the frames are not those of one rendering"
    ffmpeg -v error -i "$1/film.mp4" -vn -f md5 - > one
    ffmpeg -v error -i whole.mp4 -vn -f md5 - | cmp -s - one || fail "$1: the sound is another one"
}

"$froth" farm 'an album.yaml' --tasks 5 --submit > list 2> messages || fail "parallel"
equal 'an album-farm'
[ "$(grep -c '"state": "done"' list)" = 5 ] || fail "no line of figures for each task"
python3 -c 'import json, sys
for line in open("list"):
    if line[0] == "{": assert json.loads(line)["frames"] in (18, 19)' || fail "the figures"
"$froth" farm status 'an album-farm' > list 2> messages || fail "status"
grep -q '^5 of 5 pieces done$' list || fail "not all are done"
[ "$(ffprobe -v error -show_entries stream=width,height -of csv=p=0 'an album-farm/sheet.png')" = 592,228 ] ||
    fail "no contact sheet"
"$froth" farm 'an album.yaml' 2> messages && fail "a job is written over"

# What is done is not done again; what is damaged is.
before=$(stat -c %Y.%i 'an album-farm/pieces/00002.ts')
truncate -s 1000 'an album-farm/pieces/00004.ts'
./'an album-farm/run.sh' > list 2> messages || fail "once more"
[ "$(grep -c '"state": "done"' list)" = 1 ] || fail "one task was to be done"
[ "$(stat -c %Y.%i 'an album-farm/pieces/00002.ts')" = "$before" ] || fail "what is done is done again"
equal 'an album-farm'

# Without what runs it nothing is begun, and Debian's package is named; a submission that failed can be tried again.
tools=$work/tools
mkdir "$tools"
for tool in sh env dirname nproc seq grep ffmpeg ffprobe; do ln -s "$(command -v $tool)" "$tools"; done
lacking() { PATH=$tools "$froth" farm 'an album.yaml' --tasks 2 --submit -o again "$@" > list 2> messages; }
lacking && fail "a job without parallel"
grep -q "GNU parallel is not installed: .*apt install parallel" messages || fail "parallel: $(cat messages)"
lacking --engine slurm && fail "a job without Slurm"
grep -q "Slurm is not installed: .*apt install slurm-client" messages || fail "Slurm: $(cat messages)"
[ ! -e again ] || fail "a folder is left behind"
printf '#!/bin/sh\necho sbatch: error: no controller >&2\nexit 1\n' > "$tools/sbatch"
chmod +x "$tools/sbatch"
lacking --engine slurm && fail "a submission that failed"
grep -q 'this has failed; the same command tries again' messages || fail "no word on how to go on: $(cat messages)"
lacking --engine slurm && fail "a second one"
grep -q 'no controller' messages || fail "what was left behind stops the second: $(cat messages)"
"$froth" farm 'an album.yaml' --tasks 2 -o again 2> messages && fail "a job is written over"
printf '#!/bin/sh\necho 7\n' > "$tools/sbatch"
lacking --engine slurm || fail "the third: $(cat messages)"
grep -q 'tasks: 7, join: 7' list || fail "not handed over: $(cat list)"
lacking --engine slurm && fail "handed over twice"
grep -q 'which was handed over' messages || fail "no word of that: $(cat messages)"

# A task that fails says why, and is no part of the film; a killed one leaves nothing.
"$froth" farm 'an album.yaml' -o other --tasks 3 > list 2> messages || fail "another job"
mv presets elsewhere
"$froth" farm task other 2 > list 2> messages && fail "without presets"
grep -q '"state": "failed"' list || fail "the task has not failed"
"$froth" farm status other > list 2> messages || fail "status of what failed"
grep -q '^task 2 failed: .*presets: error: ' list || fail "it is not told why"
mv elsewhere presets
"$froth" farm join other 2> messages && fail "a film without pieces"
[ ! -e other/film.mp4 ] || fail "a film is left behind"
"$froth" farm task other 4 2> messages && fail "a task that is not there"
sed -i 's/^froth: .*/froth: "0.0.1"/' other/job.yaml
"$froth" farm task other 1 2> messages && fail "a job of another version"
grep -q 'this job is one of froth 0.0.1' messages || fail "the version is not told"

# What is wrong is told with its place.
printf 'presets: presets\nsize: 64by48\nfpss: 3\naudio: [1.flac, [2.flac]]\n' > wrong.yaml
"$froth" farm wrong.yaml 2> messages && fail "a wrong film"
grep -q '^wrong.yaml:2:7: error: size' messages || fail "a wrong value is not told: $(cat messages)"
grep -q "^wrong.yaml:3:1: error: unknown key 'fpss'; did you mean fps?" messages || fail "a wrong key is not told"
grep -q '^wrong.yaml:4:17: error: this is no path' messages || fail "a wrong path is not told"
[ ! -e wrong-farm ] || fail "a folder is left behind"

# As the standard has it; openjd check reads it where there is one.
"$froth" farm 'an album.yaml' --engine openjd -o opened --tasks 5 > list 2> messages || fail "a template"
if command -v openjd > /dev/null; then
    openjd check opened/template.yaml > list 2>&1 || fail "openjd check"
fi
/usr/bin/python3 - opened/template.yaml << 'END' || fail "the template"
import sys
import yaml
job = yaml.safe_load(open(sys.argv[1]))
assert set(job) == {"specificationVersion", "name", "steps"} and job["specificationVersion"] == "jobtemplate-2023-09"
pieces, film = job["steps"]
assert pieces["parameterSpace"] == {"taskParameterDefinitions": [{"name": "Piece", "type": "INT", "range": "1-5"}]}
assert film["dependencies"] == [{"dependsOn": pieces["name"]}]
for step in job["steps"]:
    for amount in step["hostRequirements"]["amounts"]:
        assert amount["name"] in ("amount.worker.vcpu", "amount.worker.memory") and amount["min"] > 0
    action = step["script"]["actions"]["onRun"]
    assert set(action) == {"command", "args", "timeout"} and action["timeout"] > 0
    assert all(type(word) is str for word in action["args"])
assert pieces["script"]["actions"]["onRun"]["args"][-1] == "{{Task.Param.Piece}}"
END

# Slurm.
command -v slurmctld slurmd sbatch > /dev/null || { echo "no Slurm here"; exit 0; }
[ "$(id -u)" = 0 ] || { echo "Slurm's daemons run for root alone"; exit 0; }
mkdir state n1 n2
free_ports() { python3 -c 'import socket
all = [socket.socket() for _ in range(3)]
for one in all: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in all))'; }
read -r control first second < <(free_ports)
cat > slurm.conf << END
ClusterName=froth
SlurmctldHost=$(hostname)(127.0.0.1)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/%n
SlurmctldPort=$control
SlurmctldPidFile=$work/control.pid
SlurmdPidFile=$work/%n.pid
SlurmctldLogFile=$work/control.log
SlurmdLogFile=$work/%n.log
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$first CPUs=1 RealMemory=2000
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$second CPUs=1 RealMemory=2000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$work/slurm.conf
slurmctld -D > /dev/null 2>&1 &
processes+=($!)
for node in n1 n2; do
    slurmd -D -N $node > /dev/null 2>&1 &
    processes+=($!)
done
is_up() { [ "$(sinfo -h -t idle -o %D)" = 2 ]; }
wait_for "Slurm does not begin" is_up
"$froth" farm 'an album.yaml' --engine slurm --tasks 5 --submit -o 'by slurm' > list 2> messages || fail "slurm"
has_film() { [ -e 'by slurm/film.mp4' ]; }
wait_for "Slurm makes no film" has_film
equal 'by slurm'
[ "$(cat 'by slurm'/tasks/slurm-[0-9]*.log | grep -c '"state": "done"')" = 5 ] || fail "not all tasks were done by Slurm"
exit 0
