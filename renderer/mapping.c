#include "renderer/stages.h"

struct rend_mapping rend_mapping(const struct rend *rend)
{
    const struct rend_values *values = &rend->values;
    return (struct rend_mapping){
        .mesh = {rend->mesh.vertices, rend->config.mesh_x, rend->config.mesh_y},
        .wrap = values->wrap > 0.5f,
        .echo_alpha = values->echo_alpha,
        .echo_zoom = values->echo_zoom,
        .echo_orient = rend_int(values->echo_orient) & 3,
    };
}
