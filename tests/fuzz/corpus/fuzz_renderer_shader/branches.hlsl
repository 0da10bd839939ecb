sampler sampler_pw_noise_lq;
static const float3 tints[3] = { float3(1, .5, 0), float3(0, 1, .5), float3(.5, 0, 1) };
float3 tint(float x, out float rest) {
  if (x > 2) { rest = x - 2; return tints[2]; }
  rest = frac(x);
  return tints[(int)x];
}
shader_body {
  float rest;
  float3 first = tint(ang * M_INV_PI_2 * 3, rest);
  if (rad < 0.5 + rest * 0.2) {
    ret = first * tex2D(sampler_pw_noise_lq, uv * texsize.xy * texsize_noise_lq.zw).xyz;
    if (rest > q2) ret.xz = atan2(ret.zy, float2(uv.x, -1));
  } else {
    ret = pow(abs(first - tex3D(sampler_noisevol_hq, float3(uv * 4, time))), 2.5);
  }
  ret = q3 > 0 ? 1 - ret : ret;
}
