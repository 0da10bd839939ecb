/* Exact results. A change of these bits changes pictures: it must be meant, and then this table is
 * made anew. The values themselves are checked by test_base_fmath. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/fmath.h"

struct golden {
    double x;
    double y; /* second argument, where there is one */
    uint64_t bits;
};

static const struct golden sin_golden[] = {
    {0x1p-30, 0.0, 0x3e10000000000000u},
    {0x1.0624dd2f1a9fcp-10, 0.0, 0x3f50624da5218a62u},
    {0x1.999999999999ap-4, 0.0, 0x3fb98eaecb8bcb2cu},
    {0x1p-2, 0.0, 0x3fcfaaeed4f31577u},
    {0x1p-1, 0.0, 0x3fdeaee8744b05f0u},
    {0x1.921fb54442d15p-1, 0.0, 0x3fe6a09e667f3bcau},
    {0x1.921fb54442d1ep-1, 0.0, 0x3fe6a09e667f3bd1u},
    {0x1p+0, 0.0, 0x3feaed548f090ceeu},
    {0x1.8p+0, 0.0, 0x3fefeb7a9b2c6d8bu},
    {0x1.921fb54442d18p+0, 0.0, 0x3ff0000000000000u},
    {0x1p+1, 0.0, 0x3fed18f6ead1b446u},
    {0x1.8p+1, 0.0, 0x3fc210386db6d55bu},
    {0x1.921fb54442d18p+1, 0.0, 0x3ca1a62633145c07u},
    {-0x1.2p+2, 0.0, 0x3fef47ed3dc74080u},
    {-0x1.cp+2, 0.0, 0xbfe50608c26d0a08u},
    {0x1.9p+6, 0.0, 0xbfe03425b78c4db8u},
    {0x1.34ap+10, 0.0, 0x3fc29c531dfd031bu},
    {-0x1.eadf99999999ap+14, 0.0, 0x3f9b2b68fb05f39fu},
    {0x1.869fe66666666p+16, 0.0, 0x3fc152d095f16415u},
    {0x1.dcd65p+29, 0.0, 0x3fe1778cc00cd87au},
};

static const struct golden cos_golden[] = {
    {0x1p-30, 0.0, 0x3ff0000000000000u},
    {0x1.0624dd2f1a9fcp-10, 0.0, 0x3feffffef390876cu},
    {0x1.999999999999ap-4, 0.0, 0x3fefd712f9a817c1u},
    {0x1p-2, 0.0, 0x3fef01549f7deea1u},
    {0x1p-1, 0.0, 0x3fec1528065b7d50u},
    {0x1.921fb54442d15p-1, 0.0, 0x3fe6a09e667f3bcfu},
    {0x1.921fb54442d1ep-1, 0.0, 0x3fe6a09e667f3bc9u},
    {0x1p+0, 0.0, 0x3fe14a280fb5068cu},
    {0x1.8p+0, 0.0, 0x3fb21bd54fc5f9a7u},
    {0x1.921fb54442d18p+0, 0.0, 0x3c91a62633145c07u},
    {0x1p+1, 0.0, 0xbfdaa22657537205u},
    {0x1.8p+1, 0.0, 0xbfefae04be85e5d2u},
    {0x1.921fb54442d18p+1, 0.0, 0xbff0000000000000u},
    {-0x1.2p+2, 0.0, 0xbfcafb5b54583d6au},
    {-0x1.cp+2, 0.0, 0x3fe81ff79ed92017u},
    {0x1.9p+6, 0.0, 0x3feb981dbf665fdfu},
    {0x1.34ap+10, 0.0, 0xbfefa8f2ceb78372u},
    {-0x1.eadf99999999ap+14, 0.0, 0x3feffd1daf394611u},
    {0x1.869fe66666666p+16, 0.0, 0xbfefb4a09c5331fdu},
    {0x1.dcd65p+29, 0.0, 0x3feacff8bbc9d814u},
};

static const struct golden tan_golden[] = {
    {0x1p-30, 0.0, 0x3e10000000000000u},
    {0x1.0624dd2f1a9fcp-10, 0.0, 0x3f50624e2e91ebe4u},
    {0x1.999999999999ap-4, 0.0, 0x3fb9af8877430b7fu},
    {0x1p-2, 0.0, 0x3fd05785a43c4c56u},
    {0x1p-1, 0.0, 0x3fe17b4f5bf3474au},
    {0x1.921fb54442d15p-1, 0.0, 0x3feffffffffffff9u},
    {0x1.921fb54442d1ep-1, 0.0, 0x3ff0000000000006u},
    {0x1p+0, 0.0, 0x3ff8eb245cbee3a5u},
    {0x1.8p+0, 0.0, 0x402c33ed50b88778u},
    {0x1.921fb54442d18p+0, 0.0, 0x434d02967c31cdb5u},
    {0x1p+1, 0.0, 0xc0017af62e0950f8u},
    {0x1.8p+1, 0.0, 0xbfc23ef71254b86fu},
    {0x1.921fb54442d18p+1, 0.0, 0xbca1a62633145c07u},
    {-0x1.2p+2, 0.0, 0xc0128ca0c62bf595u},
    {-0x1.cp+2, 0.0, 0xbfebe2e6e13eea79u},
    {0x1.9p+6, 0.0, 0xbfe2ca74d62b5d38u},
    {0x1.34ap+10, 0.0, 0xbfc2cf7f008a6a32u},
    {-0x1.eadf99999999ap+14, 0.0, 0x3f9b2ddc1144b1b8u},
    {0x1.869fe66666666p+16, 0.0, 0xbfc17bff52efcd4bu},
    {0x1.dcd65p+29, 0.0, 0x3fe4d8b267b32de5u},
};

static const struct golden asin_golden[] = {
    {-0x1p+0, 0.0, 0xbff921fb54442d18u},
    {-0x1.ff7ced916872bp-1, 0.0, 0xbff86ac9ad18f803u},
    {-0x1.ccccccccccccdp-1, 0.0, 0xbff1ea93705fa172u},
    {-0x1.8p-1, 0.0, 0xbfeb235315c680dcu},
    {-0x1p-1, 0.0, 0xbfe0c152382d7366u},
    {-0x1.3333333333333p-2, 0.0, 0xbfd380159e14f6ffu},
    {-0x1.999999999999ap-4, 0.0, 0xbfb9a49276037884u},
    {-0x1.47ae147ae147bp-7, 0.0, 0xbf847af7a68f8eeeu},
    {-0x1.0c6f7a0b5ed8dp-20, 0.0, 0xbeb0c6f7a0b5f0a0u},
    {0x1.12e0be826d695p-30, 0.0, 0x3e112e0be826d695u},
    {0x1.0624dd2f1a9fcp-10, 0.0, 0x3f50624e00c1cb17u},
    {0x1.999999999999ap-5, 0.0, 0x3fa99c5570328659u},
    {0x1.999999999999ap-3, 0.0, 0x3fc9c618aa4ae23du},
    {0x1.999999999999ap-2, 0.0, 0x3fda564ac0e73a34u},
    {0x1.3333333333333p-1, 0.0, 0x3fe4978fa3269ee1u},
    {0x1.6a09e667f3bcdp-1, 0.0, 0x3fe921fb54442d19u},
    {0x1.999999999999ap-1, 0.0, 0x3fedac670561bb50u},
    {0x1.e666666666666p-1, 0.0, 0x3ff40d41159f3409u},
    {0x1.fffffca501acbp-1, 0.0, 0x3ff920266447a7fau},
    {0x1p+0, 0.0, 0x3ff921fb54442d18u},
};

static const struct golden acos_golden[] = {
    {-0x1p+0, 0.0, 0x400921fb54442d18u},
    {-0x1.ff7ced916872bp-1, 0.0, 0x4008c66280ae928eu},
    {-0x1.ccccccccccccdp-1, 0.0, 0x400586476251e745u},
    {-0x1.8p-1, 0.0, 0x400359d26f93b6c3u},
    {-0x1p-1, 0.0, 0x4000c152382d7366u},
    {-0x1.3333333333333p-2, 0.0, 0x3ffe0200bbc96ad8u},
    {-0x1.999999999999ap-4, 0.0, 0x3ffabc447ba464a1u},
    {-0x1.47ae147ae147bp-7, 0.0, 0x3ff94af143914c36u},
    {-0x1.0c6f7a0b5ed8dp-20, 0.0, 0x3ff921fc60b3a724u},
    {0x1.12e0be826d695p-30, 0.0, 0x3ff921fb53ff74e9u},
    {0x1.0624dd2f1a9fcp-10, 0.0, 0x3ff91de2c0c3fca6u},
    {0x1.999999999999ap-5, 0.0, 0x3ff85518a8c298e5u},
    {0x1.999999999999ap-3, 0.0, 0x3ff5e9383efad0d1u},
    {0x1.999999999999ap-2, 0.0, 0x3ff28c68a40a5e8bu},
    {0x1.3333333333333p-1, 0.0, 0x3fedac670561bb50u},
    {0x1.6a09e667f3bcdp-1, 0.0, 0x3fe921fb54442d18u},
    {0x1.999999999999ap-1, 0.0, 0x3fe4978fa3269ee1u},
    {0x1.e666666666666p-1, 0.0, 0x3fd452e8fa93e43cu},
    {0x1.fffffca501acbp-1, 0.0, 0x3f3d4effc851e7f1u},
    {0x1p+0, 0.0, 0x0000000000000000u},
};

static const struct golden atan_golden[] = {
    {-0x1.5af1d78b58c4p+66, 0.0, 0xbff921fb54442d18u},
    {-0x1.f4p+9, 0.0, 0xbff91de2c0e658bdu},
    {-0x1.9p+3, 0.0, 0xbff7daff85a63058u},
    {-0x1.8p+1, 0.0, 0xbff3fc176b7a8560u},
    {-0x1p+0, 0.0, 0xbfe921fb54442d18u},
    {-0x1.6666666666666p-1, 0.0, 0xbfe38b112d7bd4adu},
    {-0x1.ff2e48e8a71dep-5, 0.0, 0xbfafe84d4ec78299u},
    {-0x1.4f8b588e368f1p-17, 0.0, 0xbee4f8b588e06854u},
    {0x1.19799812dea11p-40, 0.0, 0x3d719799812dea11u},
    {0x1.47ae147ae147bp-7, 0.0, 0x3f847ab48b1efb5du},
    {0x1.0068db8bac711p-4, 0.0, 0x3fb001350a7585a7u},
    {0x1p-3, 0.0, 0x3fbfd5ba9aac2f6eu},
    {0x1.999999999999ap-2, 0.0, 0x3fd85a376b677dc0u},
    {0x1.ccccccccccccdp-1, 0.0, 0x3fe77338a80603beu},
    {0x1.199999999999ap+0, 0.0, 0x3feaa7c8545183cdu},
    {0x1p+1, 0.0, 0x3ff1b6e192ebbe44u},
    {0x1.d333333333333p+2, 0.0, 0x3ff6f45b483af72du},
    {0x1.08p+5, 0.0, 0x3ff8a5e605023121u},
    {0x1.86ap+15, 0.0, 0x3ff921e65b8ea441u},
    {0x1.6345785d8ap+56, 0.0, 0x3ff921fb54442d18u},
};

static const struct golden exp_golden[] = {
    {-0x1.748p+9, 0.0, 0x0000000000000001u},
    {-0x1.724p+9, 0.0, 0x0000000000000033u},
    {-0x1.5ep+9, 0.0, 0x00d14f2b0fb9307fu},
    {-0x1.91p+6, 0.0, 0x36e4acd31e167ebbu},
    {-0x1.4p+3, 0.0, 0x3f07cd79b5647c9au},
    {-0x1p+1, 0.0, 0x3fc152aaa3bf81ccu},
    {-0x1p+0, 0.0, 0x3fd78b56362cef38u},
    {-0x1p-1, 0.0, 0x3fe368b2fc6f960au},
    {-0x1.999999999999ap-4, 0.0, 0x3fecf46d99d52b3au},
    {-0x1.b7cdfd9d7bdbbp-34, 0.0, 0x3feffffffff24190u},
    {0x1.79ca10c924223p-67, 0.0, 0x3ff0000000000000u},
    {0x1.47ae147ae147bp-7, 0.0, 0x3ff0292a5d2f2226u},
    {0x1.62d0e56041893p-2, 0.0, 0x3ff6a03146cf6eadu},
    {0x1.6666666666666p-2, 0.0, 0x3ff6b4802c805decu},
    {0x1p+0, 0.0, 0x4005bf0a8b14576au},
    {0x1.4p+1, 0.0, 0x40285d6fd931e0bbu},
    {0x1.4p+3, 0.0, 0x40d5829dcf950560u},
    {0x1.62ccccccccccdp+6, 0.0, 0x47ef4705bbffae5cu},
    {0x1.f4p+8, 0.0, 0x6d045ba2a9f7e438u},
    {0x1.62d999999999ap+9, 0.0, 0x7fed75ae7a50ee14u},
};

static const struct golden log_golden[] = {
    {0x0.0000000000001p-1022, 0.0, 0xc0874385446d71c3u},
    {0x0.012688b70e62bp-1022, 0.0, 0xc0864e69394d9508u},
    {0x1.87e92154ef7acp-665, 0.0, 0xc07cc845b54b54f2u},
    {0x1.b7cdfd9d7bdbbp-34, 0.0, 0xc037069e2aa2aa5bu},
    {0x1.47ae147ae147bp-7, 0.0, 0xc0126bb1bbb55515u},
    {0x1.3333333333333p-2, 0.0, 0xbff34378fcbda721u},
    {0x1p-1, 0.0, 0xbfe62e42fefa39efu},
    {0x1.6a0902de00d1bp-1, 0.0, 0xbfd62e6b3842a25eu},
    {0x1.fae147ae147aep-1, 0.0, 0xbf8495453e6fd4bcu},
    {0x1.fffffca501acbp-1, 0.0, 0xbe7ad7f2b1049b9fu},
    {0x1.000001ad7f29bp+0, 0.0, 0x3e7ad7f2847b6492u},
    {0x1.03fe5c91d14e4p+0, 0.0, 0x3f8fb3c0d4664409u},
    {0x1.6a09e55c0fcb5p+0, 0.0, 0x3fd62e42cf9ee3ebu},
    {0x1.8p+0, 0.0, 0x3fd9f323ecbf984cu},
    {0x1p+1, 0.0, 0x3fe62e42fefa39efu},
    {0x1.5bf0a8b145769p+1, 0.0, 0x3ff0000000000000u},
    {0x1.4p+3, 0.0, 0x40026bb1bbb55516u},
    {0x1.f4p+9, 0.0, 0x401ba18a998fffa0u},
    {0x1.81cd6c8b43958p+13, 0.0, 0x4022d79559791e31u},
    {0x1.7e43c8800759cp+996, 0.0, 0x4085963447f87fb5u},
};

static const struct golden log10_golden[] = {
    {0x0.0000000000001p-1022, 0.0, 0xc07434e6420f4374u},
    {0x0.012688b70e62bp-1022, 0.0, 0xc073600000000000u},
    {0x1.87e92154ef7acp-665, 0.0, 0xc069000000000000u},
    {0x1.b7cdfd9d7bdbbp-34, 0.0, 0xc024000000000000u},
    {0x1.47ae147ae147bp-7, 0.0, 0xc000000000000000u},
    {0x1.3333333333333p-2, 0.0, 0xbfe0bb6c34d81502u},
    {0x1p-1, 0.0, 0xbfd34413509f79ffu},
    {0x1.6a0902de00d1bp-1, 0.0, 0xbfc3443640baac37u},
    {0x1.fae147ae147aep-1, 0.0, 0xbf71e0d4874f92f2u},
    {0x1.fffffca501acbp-1, 0.0, 0xbe6750e5f0ba08cdu},
    {0x1.000001ad7f29bp+0, 0.0, 0x3e6750e5ca0b1098u},
    {0x1.03fe5c91d14e4p+0, 0.0, 0x3f7b8940f25b617du},
    {0x1.6a09e55c0fcb5p+0, 0.0, 0x3fc34413277d47dbu},
    {0x1.8p+0, 0.0, 0x3fc68a288b60b7fcu},
    {0x1p+1, 0.0, 0x3fd34413509f79ffu},
    {0x1.5bf0a8b145769p+1, 0.0, 0x3fdbcb7b1526e50eu},
    {0x1.4p+3, 0.0, 0x3ff0000000000000u},
    {0x1.f4p+9, 0.0, 0x4008000000000000u},
    {0x1.81cd6c8b43958p+13, 0.0, 0x40105db618083a9eu},
    {0x1.7e43c8800759cp+996, 0.0, 0x4072c00000000000u},
};

static const struct golden atan2_golden[] = {
    {0x1p+0, 0x1p+0, 0x3fe921fb54442d18u},
    {0x1p+0, -0x1p+0, 0x4002d97c7f3321d2u},
    {-0x1p+0, 0x1p+0, 0xbfe921fb54442d18u},
    {-0x1p+0, -0x1p+0, 0xc002d97c7f3321d2u},
    {0x1p+1, 0x0p+0, 0x3ff921fb54442d18u},
    {-0x1p+1, 0x0p+0, 0xbff921fb54442d18u},
    {0x1p-1, 0x1p+1, 0x3fcf5b75f92c80ddu},
    {0x1.999999999999ap-4, -0x1.8p+1, 0x4008ddbd87e7a36cu},
    {0x1.7e43c8800759cp+996, 0x1.7e43c8800759cp+996, 0x3fe921fb54442d18u},
    {0x1.124e63593f5e1p-1000, 0x1.56e1fc2f8f359p-997, 0x3fb983e282e2cc4du},
    {0x1p+2, 0x1.4p+2, 0x3fe5977a5103ea92u},
    {0x1.2p+2, -0x1.4p+2, 0x4003452d2a42ac29u},
    {-0x1.ccccccccccccdp-1, 0x1.999999999999ap-4, 0xbff75cbad2a40bd5u},
    {0x1.89374bc6a7efap-9, 0x1.4p+3, 0x3f33a92a266fec12u},
    {0x1.0624dd2f1a9fcp-9, -0x1.0624dd2f1a9fcp-10, 0x4000468a8ace4df6u},
    {-0x1.b99999999999ap+2, 0x1.cp+2, 0xbfe8e70c2a3cd6c5u},
    {0x1.c666666666666p+2, 0x1p+3, 0x3fe73a4b36fb2b52u},
    {-0x1.12e0be826d695p-30, -0x1.2p+3, 0xc00921fb54405bc0u},
    {0x1p+0, 0x1.b7cdfd9d7bdbbp-34, 0x3ff921fb543d4de0u},
    {-0x1.851eb851eb852p-3, 0x1.8p+1, 0xbfb03113be9d2963u},
};

static const struct golden pow_golden[] = {
    {0x1p+1, 0x1p-1, 0x3ff6a09e667f3bccu},
    {0x1p+1, -0x1p+0, 0x3fe0000000000000u},
    {0x1.8p+1, 0x1.08p+5, 0x4333bfefa65abb83u},
    {-0x1.8p+1, 0x1.ep+3, 0xc16b5e4d60000000u},
    {0x1p-1, 0x1p+6, 0x3bf0000000000000u},
    {0x1.199999999999ap+0, -0x1p+4, 0x3fcbdb4582700e20u},
    {0x1.4p+3, -0x1.8p+1, 0x3f50624dd2f1a9fcu},
    {0x1.4p+3, 0x1.999999999999ap-4, 0x3ff4248ef8fc2604u},
    {0x1p+1, -0x1.0c8p+10, 0x0000000000000001u},
    {0x1.dp+2, 0x1.54fdf3b645a1dp-2, 0x3ffef2527f4eb047u},
    {0x1.3333333333333p-2, 0x1.199999999999ap+1, 0x3fb21c08eb3f512eu},
    {0x1.ff7ced916872bp-1, 0x1.388p+12, 0x3f7b8798c0f74e0cu},
    {0x1.004189374bc6ap+0, -0x1.b588p+12, 0x3f4df86318cd21b1u},
    {0x1.4f8b588e368f1p-17, 0x1.ea66666666666p+5, 0x004c6c8cd99c4b79u},
    {0x1.2a05f2p+33, -0x1.e19999999999ap+4, 0x017124e63593f543u},
    {0x1p+1, 0x1.ffcp+9, 0x7fe6a09e667f3bccu},
    {-0x1p+1, 0x1.f8p+5, 0xc3e0000000000000u},
    {0x1.edd2f1a9fbe77p+6, -0x1.3p+2, 0x3ddff2efc65dbd5au},
    {0x1.8p+1, -0x1.4p+5, 0x3bf846d550e37b50u},
    {0x1.8p+0, 0x1.0624dd2f1a9fcp-10, 0x3ff001a93f47a2b4u},
};

typedef double (*of_one)(double);
typedef double (*of_two)(double, double);

struct function {
    const char *name;
    of_one one; /* this or the other */
    of_two two;
    const struct golden *rows;
    size_t count;
};

#define ROWS(table) table, sizeof table / sizeof *table

static const struct function functions[] = {
    {"sin", base_sin, NULL, ROWS(sin_golden)},
    {"cos", base_cos, NULL, ROWS(cos_golden)},
    {"tan", base_tan, NULL, ROWS(tan_golden)},
    {"asin", base_asin, NULL, ROWS(asin_golden)},
    {"acos", base_acos, NULL, ROWS(acos_golden)},
    {"atan", base_atan, NULL, ROWS(atan_golden)},
    {"exp", base_exp, NULL, ROWS(exp_golden)},
    {"log", base_log, NULL, ROWS(log_golden)},
    {"log10", base_log10, NULL, ROWS(log10_golden)},
    {"atan2", NULL, base_atan2, ROWS(atan2_golden)},
    {"pow", NULL, base_pow, ROWS(pow_golden)},
};

static uint64_t bits_of(double x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void test_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const struct function *f = &functions[i];
        for (size_t j = 0; j < f->count; j++) {
            const struct golden *row = &f->rows[j];
            const double got = f->one != NULL ? f->one(row->x) : f->two(row->x, row->y);
            if (bits_of(got) != row->bits) {
                print_error("%s(%a, %a) is %a\n", f->name, row->x, row->y, got);
            }
            assert_int_equal(bits_of(got), row->bits);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
