shader_body {
  float2 centre = uv - 0.5;
  float near = saturate(1 - 2 * length(centre * aspect.xy));
  ret = tex2D(sampler_main, uv + centre * 0.02 * bass) * 0.97;
  ret += near * float3(0.02, slow_roam_sin.y, q1) - 0.004;
  ret = lerp(ret, GetBlur2(uv).zyx, 0.1 + 0.05 * sin(time));
}
