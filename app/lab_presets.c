#include "app/lab_presets.h"

#include "app/lab.h"

int app_lab_presets(const struct app_options *options, struct preset_list *list)
{
    int result = APP_EXIT_DONE;
    *list = (struct preset_list){0};
    if (options->input_count < 2) {
        return app_lab_refuse_usage(options, "which presets?");
    }
    for (size_t i = 1; i < options->input_count; i++) {
        if (preset_list_add(list, options->inputs[i], &base_diag_stderr) != 0) {
            result = APP_EXIT_FAILED;
        }
    }
    return result;
}
