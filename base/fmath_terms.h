/* Coefficients and tables of the elementary functions, for fmath.c and fmath_lanes.h, which
 * compute the same steps in the same order. Polynomial coefficients are Chebyshev fits of the
 * function's series remainder on the reduced interval; numbers that come in two parts add up to
 * about 106 bits. */
#ifndef BASE_FMATH_TERMS_H
#define BASE_FMATH_TERMS_H

/* An unevaluated sum: low is at most half a unit in the last place of high. */
struct base_fmath_parts {
    double high;
    double low;
};

/* Adding and taking away 1.5 * 2^52 rounds |x| < 2^51 to a whole number. */
#define BASE_FMATH_ROUND 0x1.8p52

/* Beyond this an angle is first reduced by fmod. */
#define BASE_FMATH_FAR_ANGLE 1e5

#define BASE_FMATH_QUARTER_PI 0x1.921fb54442d18p-1
#define BASE_FMATH_TWO_BY_PI  0x1.45f306dc9c883p-1
/* pi/2 in pieces of 33, 33 and 53 bits: the first two products are exact for 17-bit turns. */
#define BASE_FMATH_HALF_PI_1 0x1.921fb54400000p+0
#define BASE_FMATH_HALF_PI_2 0x1.0b4611a600000p-34
#define BASE_FMATH_HALF_PI_3 0x1.3198a2e037073p-69

#define BASE_FMATH_PI_HIGH 0x1.921fb54442d18p+1
#define BASE_FMATH_PI_LOW  0x1.1a62633145c07p-53

/* ln(2); the first piece has 41 bits, so that its product with an exponent is exact. */
#define BASE_FMATH_LN2_1      0x1.62e42fefa3000p-1
#define BASE_FMATH_LN2_2      0x1.3de6af278ece6p-42
#define BASE_FMATH_ONE_BY_LN2 0x1.71547652b82fep+0

/* 1 / ln(10) */
#define BASE_FMATH_LOG10E_HIGH 0x1.bcb7b1526e50ep-2
#define BASE_FMATH_LOG10E_LOW  0x1.95355baaafad3p-57

static const double base_fmath_sine[6] = {-0x1.5555555555555p-3,  0x1.1111111110babp-7,
                                          -0x1.a01a019e820aep-13, 0x1.71de37946ed6dp-19,
                                          -0x1.ae6008d114485p-26, 0x1.5e0a4fc16be59p-33};

static const double base_fmath_cosine[6] = {0x1.5555555555555p-5,  -0x1.6c16c16c16963p-10,
                                            0x1.a01a019f4ddfdp-16, -0x1.27e4fa16cc2d1p-22,
                                            0x1.1eeb67d026ec6p-29, -0x1.907cd8ff5ede7p-37};

static const double base_fmath_atan[5] = {-0x1.5555555555552p-2, 0x1.9999999988486p-3,
                                          -0x1.2492489e50477p-3, 0x1.c71998d62e3b8p-4,
                                          -0x1.7134960f805adp-4};

static const double base_fmath_exp[11] = {
    0x1.0p-1,
    0x1.5555555555557p-3,
    0x1.5555555555556p-5,
    0x1.11111111100d3p-7,
    0x1.6c16c16c162cfp-10,
    0x1.a01a01abeccc3p-13,
    0x1.a01a01a6db488p-16,
    0x1.71de02225a2f3p-19,
    0x1.27e4db5bb725ap-22,
    0x1.af4e092e1705bp-26,
    0x1.1f7315649f2d7p-29,
};

static const double base_fmath_log[4] = {0x1.5555555555555p-2, 0x1.9999999999a86p-3,
                                         0x1.24924905d5fafp-3, 0x1.c72f5b606fd90p-4};

/* atan(i / 8) */
static const struct base_fmath_parts base_fmath_atan_table[9] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

enum { BASE_FMATH_LOG_START = 22 };

/* log(i / 32) for i from BASE_FMATH_LOG_START */
static const struct base_fmath_parts base_fmath_log_table[] = {
    {-0x1.7fafa3bd8151cp-2, 0x1.219024acd3b77p-58},
    {-0x1.522ae0738a3d8p-2, 0x1.8f7e9b38a6979p-57},
    {-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56},
    {-0x1.f991c6cb3b379p-3, -0x1.f665066f980a2p-57},
    {-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57},
    {-0x1.5bf406b543db2p-3, 0x1.1f5b44c0df7e7p-61},
    {-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58},
    {-0x1.9335e5d594989p-4, 0x1.478a85704ccb7p-58},
    {-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58},
    {-0x1.0415d89e74444p-5, -0x1.c05cf1d753622p-59},
    {0x0.0p+0, 0x0.0p+0},
    {0x1.f829b0e783300p-6, 0x1.33e3f04f1ef23p-60},
    {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59},
    {0x1.6f0d28ae56b4cp-4, -0x1.906d99184b992p-58},
    {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60},
    {0x1.29552f81ff523p-3, 0x1.301771c407dbfp-57},
    {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58},
    {0x1.9525a9cf456b4p-3, 0x1.d904c1d4e2e26p-57},
    {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57},
    {0x1.fb9186d5e3e2bp-3, -0x1.caaae64f21acbp-57},
    {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61},
    {0x1.2e8e2bae11d31p-2, -0x1.8f4cdb95ebdf9p-56},
    {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56},
    {0x1.5d1bdbf5809cap-2, 0x1.4236383dc7fe1p-56},
};

#endif
