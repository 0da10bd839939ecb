#include "presets/reader.h"

#include <stdio.h>

#include "presets/number.h"

enum {
    VALUE_MAX = 255,  /* longer values are cut (spec/milk-format.md section 2) */
    VALUE_SHOWN = 40, /* of a value in a message */
};

struct field {
    const struct preset_key *key;
    size_t index;
    const struct preset_line_entry *entry; /* line 0: absent */
    double fallback;
};

/* Bytes that could confuse a terminal become question marks. */
static void printable(struct base_span value, char shown[VALUE_SHOWN + 1])
{
    size_t size = value.size < VALUE_SHOWN ? value.size : VALUE_SHOWN;
    shown[size] = '\0';
    while (size-- > 0) {
        const char c = value.data[size];
        shown[size] = c >= ' ' && c <= '~' ? c : '?';
    }
}

static void warn_number(struct preset_reader *reader, const struct field *field,
                        enum preset_number result, double applies)
{
    char name[PRESET_NAME_MAX];
    char shown[VALUE_SHOWN + 1];
    preset_key_name(field->key, field->index, name);
    printable(field->entry->value, shown);
    if (!preset_reader_allows(reader, PRESET_WARN_NUMBER)) {
        return;
    }
    const bool large = result == PRESET_NUMBER_LARGE;
    const char *hint = field->entry->blank_before_sign ? "remove the blanks around '='"
                       : large                         ? NULL
                                                       : "write it like 1.25";
    base_report(reader->sink, BASE_WARNING, preset_reader_value(reader, field->entry), hint,
                large ? "%s: '%s' is too large, so %g applies"
                      : "%s: '%s' is not a number, so %g applies",
                name, shown, applies);
}

static struct base_span cut_value(struct preset_reader *reader, const struct field *field)
{
    const struct preset_line_entry *entry = field->entry;
    if (entry->value.size <= VALUE_MAX) {
        return entry->value;
    }
    if (preset_reader_allows(reader, PRESET_WARN_NUMBER)) {
        base_report(reader->sink, BASE_WARNING, preset_reader_value(reader, entry), NULL,
                    "the value has %zu characters, of which %d are read", entry->value.size,
                    (int)VALUE_MAX);
    }
    return (struct base_span){entry->value.data, VALUE_MAX};
}

static double parse_field(struct preset_reader *reader, const struct field *field)
{
    const struct base_span text = cut_value(reader, field);
    enum preset_number result;
    double value = field->fallback;
    if (field->key->type == PRESET_TYPE_IS_FLOAT) {
        float number = 0.0f;
        result = preset_parse_float(text, &number);
        value = result == PRESET_NUMBER_OK ? (double)number : value;
    } else {
        int32_t number = 0;
        result = preset_parse_int(text, &number);
        value = result == PRESET_NUMBER_NONE ? value : (double)number;
    }
    if (result != PRESET_NUMBER_OK) {
        warn_number(reader, field, result, value);
    }
    return value;
}

/* The only number that the tables clamp when it is read: it is a count of passes. */
static double clamp_instances(struct preset_reader *reader, const struct field *field, double value)
{
    const double low = field->key->low;
    const double high = field->key->high;
    if (value >= low && value <= high) {
        return value;
    }
    const double clamped = value < low ? low : high;
    if (preset_reader_allows(reader, PRESET_WARN_NUMBER)) {
        base_report(reader->sink, BASE_WARNING, preset_reader_value(reader, field->entry), NULL,
                    "shapecode_%zu_num_inst is %.0f, so %.0f applies", field->index, value,
                    clamped);
    }
    return clamped;
}

static void read_key(struct preset_reader *reader, size_t row, size_t index)
{
    const struct preset_key *key = &preset_keys[row];
    struct preset *preset = reader->preset;
    struct field field = {key, index, &reader->numbers[row][index], key->fallback};
    if (row == PRESET_ROW_PRESET_mv_a) {
        field.fallback = preset->motion_vectors_on ? 1.0 : 0.0;
    }
    double value = field.fallback;
    if (field.entry->line != 0) {
        value = parse_field(reader, &field);
    }
    if (row == PRESET_ROW_SHAPE_num_inst) {
        value = clamp_instances(reader, &field, value);
    }
    preset_key_set(key, (unsigned char *)preset + preset_group_offset(key->group, index), value);
}

static void read_versions(struct preset_reader *reader)
{
    struct preset_versions versions;
    for (size_t i = 0; i < PRESET_VERSION_ROWS; i++) {
        const struct preset_key *key = &preset_version_keys[i];
        const struct field field = {key, 0, &reader->numbers[PRESET_KEY_ROWS + i][0],
                                    key->fallback};
        preset_key_set(key, &versions,
                       field.entry->line == 0 ? field.fallback : parse_field(reader, &field));
    }
    struct preset *preset = reader->preset;
    preset->version = versions.version;
    if (versions.version < 200) {
        preset->warp_shader = 0;
        preset->comp_shader = 0;
    } else if (versions.version == 200) {
        preset->warp_shader = versions.both;
        preset->comp_shader = versions.both;
    } else {
        preset->warp_shader = versions.warp;
        preset->comp_shader = versions.comp;
    }
}

void preset_reader_numbers(struct preset_reader *reader)
{
    read_versions(reader);
    for (size_t row = 0; row < PRESET_KEY_ROWS; row++) {
        for (size_t index = 0; index < preset_group_count(preset_keys[row].group); index++) {
            read_key(reader, row, index);
        }
    }
}
