/* What each engine is handed. It names the program that has written it, and the folder of the job.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/farm/farm.h"
#include "base/os/print.h"

enum { FILE_PATH = APP_FARM_PATH + 32 };

struct writer {
    const struct app_farm_job *job;
    const struct base_diag_sink *sink;
    char program[APP_FARM_PATH];
};

static int fail(const struct base_diag_sink *sink, const char *file, const char *hint,
                const char *what)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

/* As one word of a shell. */
static void put_word(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            (void)fputs("'\\''", out);
        } else {
            (void)fputc(*c, out);
        }
    }
    (void)fputc('\'', out);
}

static void put_command(FILE *out, const struct writer *writer, const char *what, const char *more)
{
    put_word(out, writer->program);
    (void)fprintf(out, " farm %s ", what);
    put_word(out, writer->job->folder);
    (void)fprintf(out, "%s%s\n", more[0] != '\0' ? " " : "", more);
}

/* Writes a file of the job. */
static int write_file(const struct writer *writer, const char *name, bool runs,
                      void (*put)(FILE *out, const void *user))
{
    char path[FILE_PATH];
    (void)snprintf(path, sizeof path, "%s/%s", writer->job->folder, name);
    if (app_farm_write(path, BASE_FILE_OVER, put, writer, writer->sink) != 0) {
        return -1;
    }
    return !runs || chmod(path, 0755) == 0 ? 0 : fail(writer->sink, path, NULL, strerror(errno));
}

/* ---- GNU parallel ---- */

static void put_parallel(FILE *out, const void *user)
{
    const struct writer *writer = user;
    const uint64_t threads = writer->job->threads;
    (void)fputs("#!/bin/sh\n# All tasks that are not done, then the film. Options go to parallel: "
                "--jobs 4, "
                "--sshlogin ...\nset -u\n"
                "parallel --version 2>/dev/null | grep -q GNU || {\n"
                "    echo 'GNU parallel is not installed; on Debian: apt install parallel' >&2\n"
                "    exit 127\n}\n",
                out);
    (void)fprintf(out, "jobs=$(($(nproc) / %" PRIu64 "))\n", threads);
    (void)fprintf(out,
                  "parallel -q --jobs \"$((jobs > 0 ? jobs : 1))\" \"$@\" --joblog \"$(dirname "
                  "\"$0\")/parallel.log\" ");
    put_word(out, writer->program);
    (void)fputs(" farm task ", out);
    put_word(out, writer->job->folder);
    (void)fprintf(out, " '{}' ::: $(seq %" PRIu64 ") || exit\n", writer->job->tasks);
    put_command(out, writer, "join", "");
}

static int write_parallel(const struct writer *writer)
{
    return write_file(writer, "run.sh", true, put_parallel);
}

/* ---- Slurm ---- */

static void put_heading(FILE *out, const char *name, uint64_t seconds, uint64_t memory,
                        uint64_t processors)
{
    /* Whole minutes are what Slurm counts. */
    (void)fprintf(out,
                  "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --time=%" PRIu64
                  "\n#SBATCH --mem=%" PRIu64 "M\n#SBATCH --cpus-per-task=%" PRIu64 "\n"
                  "#SBATCH --requeue\n#SBATCH --open-mode=append\n",
                  name, (seconds + 59) / 60, memory, processors);
}

static void put_tasks(FILE *out, const void *user)
{
    const struct writer *writer = user;
    const struct app_farm_job *job = writer->job;
    put_heading(out, "froth", job->seconds, job->memory, job->threads);
    (void)fprintf(out, "#SBATCH --array=1-%" PRIu64 "\n#SBATCH --output=tasks/slurm-%%a.log\nexec ",
                  job->tasks);
    put_command(out, writer, "task", "\"$SLURM_ARRAY_TASK_ID\"");
}

static void put_join(FILE *out, const void *user)
{
    const struct writer *writer = user;
    enum { SECONDS = 3600, MEMORY = 1024 };
    put_heading(out, "froth-join", SECONDS, MEMORY, 1);
    (void)fputs("#SBATCH --output=tasks/slurm-join.log\nexec ", out);
    put_command(out, writer, "join", "");
}

static void put_sbatch(FILE *out, const void *user)
{
    (void)user;
    (void)fputs(
        "#!/bin/sh\n# The tasks, and the film behind them. Options go to sbatch: --partition=..., "
        "--account=...\nset -eu\ncd \"$(dirname \"$0\")\"\n"
        "command -v sbatch >/dev/null || {\n"
        "    echo 'Slurm is not installed; on Debian: apt install slurm-client' >&2\n"
        "    exit 127\n}\n"
        "tasks=$(sbatch --parsable \"$@\" tasks.sbatch)\n"
        "join=$(sbatch --parsable \"$@\" --dependency=\"afterok:${tasks%%;*}\" "
        "--kill-on-invalid-dep=yes join.sbatch) || {\n"
        "    scancel \"${tasks%%;*}\"\n    exit 1\n}\n"
        "echo \"tasks: ${tasks%%;*}, join: ${join%%;*}\"\n",
        out);
}

static int write_slurm(const struct writer *writer)
{
    return write_file(writer, "tasks.sbatch", false, put_tasks) != 0 ||
                   write_file(writer, "join.sbatch", false, put_join) != 0 ||
                   write_file(writer, "run.sh", true, put_sbatch) != 0
               ? -1
               : 0;
}

/* ---- OpenJD ---- */

static void put_action(FILE *out, const struct writer *writer, const char *what, const char *task,
                       uint64_t seconds)
{
    (void)fputs("    script:\n      actions:\n        onRun:\n          command: ", out);
    base_json_string(out, writer->program);
    (void)fprintf(out, "\n          args: [\"farm\", \"%s\", ", what);
    base_json_string(out, writer->job->folder);
    (void)fprintf(out, "%s]\n          timeout: %" PRIu64 "\n", task, seconds);
}

static void put_openjd(FILE *out, const void *user)
{
    const struct writer *writer = user;
    enum { SECONDS = 3600, MEMORY = 1024 };
    const struct app_farm_job *job = writer->job;
    (void)fprintf(out,
                  "specificationVersion: jobtemplate-2023-09\nname: froth\nsteps:\n"
                  "  - name: Pieces\n    parameterSpace:\n      taskParameterDefinitions:\n"
                  "        - {name: Piece, type: INT, range: \"1-%" PRIu64 "\"}\n"
                  "    hostRequirements:\n      amounts:\n"
                  "        - {name: amount.worker.vcpu, min: %" PRIu64 "}\n"
                  "        - {name: amount.worker.memory, min: %" PRIu64 "}\n",
                  job->tasks, job->threads, job->memory);
    put_action(out, writer, "task", ", \"{{Task.Param.Piece}}\"", job->seconds);
    (void)fprintf(out,
                  "  - name: Film\n    dependencies:\n      - {dependsOn: Pieces}\n"
                  "    hostRequirements:\n      amounts:\n"
                  "        - {name: amount.worker.memory, min: %d}\n",
                  MEMORY);
    put_action(out, writer, "join", "", SECONDS);
}

static int write_openjd(const struct writer *writer)
{
    return write_file(writer, "template.yaml", false, put_openjd);
}

/* ---- the three ---- */

static const struct {
    const char *name;
    int (*write)(const struct writer *writer);
    const char *program; /* by which run.sh hands it over; NULL: nothing does */
    const char *missing;
    const char *package; /* what installs it */
} engines[] = {
    {"parallel", write_parallel, "parallel", "GNU parallel is not installed: no program 'parallel'",
     "on Debian: apt install parallel"},
    {"slurm", write_slurm, "sbatch", "Slurm is not installed: no program 'sbatch'",
     "on Debian: apt install slurm-client"},
    {"openjd", write_openjd, NULL, "OpenJD has no queue of its own that the job could be handed to",
     "leave out --submit; then openjd run template.yaml, or the queue of your farm"},
};

/* The command line takes no other names. */
static size_t find(const char *engine)
{
    size_t i = 0;
    while (i + 1 < sizeof engines / sizeof *engines && strcmp(engines[i].name, engine) != 0) {
        i++;
    }
    return i;
}

int app_farm_engine_write(const struct app_farm_job *job, const char *engine,
                          const struct base_diag_sink *sink)
{
    struct writer writer = {.job = job, .sink = sink};
    if (strpbrk(job->folder, "\n\r") != NULL) {
        return fail(sink, job->folder, "name another folder",
                    "a line break in a name is more than engines read");
    }
    if (!base_program(writer.program, sizeof writer.program)) {
        return fail(sink, NULL, NULL, "the system does not say where froth lies");
    }
    return engines[find(engine)].write(&writer);
}

static bool is_installed(const char *program)
{
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        char file[FILE_PATH];
        const size_t size = strcspn(path, ":");
        const int length = snprintf(file, sizeof file, "%.*s/%s", (int)size, path, program);
        if (length > 0 && (size_t)length < sizeof file && access(file, X_OK) == 0) {
            return true;
        }
        path += size + (path[size] == ':');
    }
    return false;
}

int app_farm_engine_check(const char *engine, const struct base_diag_sink *sink)
{
    const size_t i = find(engine);
    return engines[i].program != NULL && is_installed(engines[i].program)
               ? 0
               : fail(sink, NULL, engines[i].package, engines[i].missing);
}

int app_farm_engine_submit(const struct app_farm_job *job, const char *engine,
                           const struct base_diag_sink *sink)
{
    char path[FILE_PATH];
    int status = 0;
    if (app_farm_engine_check(engine, sink) != 0) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/run.sh", job->folder);
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        (void)execl(path, path, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0
               ? 0
               : fail(sink, path, "the same command tries again", "this has failed");
}
