#define STEPS 24
#define turn(p, a) float2(p.x * cos(a) - p.y * sin(a), p.x * sin(a) + p.y * cos(a))
shader_body {
  float2 z = turn((uv * 3 - 1.5), time);
  float2 c = z;
  float n = 0;
  for (int i = 0; i < STEPS + q1; i++) {
    z = float2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
    if (dot(z, z) > 4) break;
    if (n > 10 && uv.x < 0.3) { n += 0.5; continue; }
    n += 1;
  }
  float3 p = float3(z, n);
  while (p.x < rad * 8) {
    float k = 0;
    do { p.yz = p.zy; k += 0.5; } while (k < p.y);
    p.x += 1 + tex2Dlod(sampler_noise_mq, float4(p.xy, 0, 3)).x;
  }
  ret = frac(p * 0.0625) + n / STEPS;
}
