// SPDX-License-Identifier: Apache-2.0
// Kernels in the manner of nvcc 1.x to 4.x, whose PTX has constructs that LLVM never writes; what they compute.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "tests/model/compiled_run.h"

namespace teslasim {
namespace {

using namespace compiled;

/// Runs `text` at every level from `sm` on and compares with `reference` of a, b and the number of the thread.
void expect_kernel(const std::string& text,
                   const std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::size_t)>& reference,
                   std::uint8_t sm = 10) {
  for (std::uint8_t level = sm; level <= 13; ++level) {
    for (const unsigned optimization : {0U, 3U}) {
      compiler::CompileOptions options;
      options.sm = level;
      options.optimization = optimization;
      CompiledRun run(text, options);
      const Words a = numbers(7), b = numbers(8);
      const Words results = run(a, b);
      for (std::size_t i = 0; i < threads; ++i)
        ASSERT_EQ(results[i], reference(a[i], b[i], i))
            << "thread " << i << ", sm_" << unsigned{level} << ", -O" << optimization;
    }
  }
}

/// PTX 1.0 to 1.3: parameters in the body, registers of the module, 16-bit positions, products by mul.lo.u64.
TEST(NvccPtx, of_version_1_2_has_its_parameters_in_the_body) {
  expect_kernel(R"(	.version 1.2
	.target sm_10, map_f64_to_f32
	.reg .u32 %ra<17>;
	.reg .u64 %rda<17>;
	.reg .f32 %fa<17>;
	.file	1	"<command-line>"
	.file	2	"add.cu"
	.entry __globfunc_add
	{
	.reg .u16 %rh<4>;
	.reg .u32 %r<8>;
	.reg .u64 %rd<10>;
	.param .u64 __cudaparm_add_a;
	.param .u64 __cudaparm_add_b;
	.param .u64 __cudaparm_add_r;
	.loc	2	12	0
$LBB1___globfunc_add:
	mov.u16 	%rh1, %ctaid.x;      	//
	mov.u16 	%rh2, %ntid.x;       	//
	mul.wide.u16 	%r1, %rh1, %rh2;	//
	cvt.u32.u16 	%r2, %tid.x;     	//
	add.u32 	%r3, %r2, %r1;       	//
	cvt.u64.s32 	%rd1, %r3;       	//
	mul.lo.u64 	%rd2, %rd1, 8;    	//
	ld.param.u64 	%rd3, [__cudaparm_add_a+0];	// id:12 __cudaparm_add_a+0x0
	add.u64 	%rd4, %rd3, %rd2;    	//
	ld.global.u64 	%rd5, [%rd4+0];
	ld.param.u64 	%rd6, [__cudaparm_add_b];
	add.u64 	%rd6, %rd6, %rd2;
	ld.global.u64 	%rd7, [%rd6+0];
	.loc	2	13	0
	add.u64 	%rd8, %rd5, %rd7;
	ld.param.u64 	%rd9, [__cudaparm_add_r];
	add.u64 	%rd9, %rd9, %rd2;
	st.global.u64 	[%rd9+0], %rd8;
	exit;
$LDWend___globfunc_add:
	} // __globfunc_add
)",
                [](auto a, auto b, auto) { return a + b; });
}

/// What stands before and behind the middle of the kernels of PTX 1.4; %rd5 and %rd7 are a and b, %rd8 the result.
std::string kernel_14(const std::string& before, const std::string& body) {
  return R"(	.version 1.4
	.target sm_10, map_f64_to_f32
	// compiled with be
	.file	1	"<command-line>"
	.file	15	"kernel.cu"
)" + before +
         R"(	.entry _Z6kernelPyS_S_ (
		.param .u64 __cudaparm__Z6kernelPyS_S__a,
		.param .u64 __cudaparm__Z6kernelPyS_S__b,
		.param .u64 __cudaparm__Z6kernelPyS_S__r)
	{
	.reg .u16 %rh<8>;
	.reg .u32 %r<40>;
	.reg .u64 %rd<24>;
	.reg .f32 %f<24>;
	.reg .pred %p<8>;
	.loc	15	20	0
$LDWbegin__Z6kernelPyS_S_:
	cvt.s32.u16 	%r1, %tid.x;
	cvt.u64.s32 	%rd1, %r1;
	mul.wide.s32 	%rd2, %r1, 8;
	ld.param.u64 	%rd3, [__cudaparm__Z6kernelPyS_S__a];
	add.u64 	%rd4, %rd3, %rd2;
	ld.global.u64 	%rd5, [%rd4+0];
	ld.param.u64 	%rd6, [__cudaparm__Z6kernelPyS_S__b];
	add.u64 	%rd6, %rd6, %rd2;
	ld.global.u64 	%rd7, [%rd6+0];
	cvt.u32.u64 	%r2, %rd5;
	cvt.u32.u64 	%r3, %rd7;
)" + body +
         R"(
	ld.param.u64 	%rd9, [__cudaparm__Z6kernelPyS_S__r];
	add.u64 	%rd9, %rd9, %rd2;
	st.global.u64 	[%rd9+0], %rd8;
	exit;
$LDWend__Z6kernelPyS_S_:
	} // _Z6kernelPyS_S_
)";
}

TEST(NvccPtx, masks_of_set_are_negated_and_combined) {
  expect_kernel(kernel_14("", R"(
	set.lt.u32.u32 	%r4, %r2, %r3;
	neg.s32 	%r5, %r4;
	set.gt.u32.s32 	%r6, %r1, 100;
	neg.s32 	%r7, %r6;
	and.b32 	%r8, %r5, %r7;
	mov.u32 	%r9, 0;
	setp.eq.s32 	%p1, %r8, %r9;
	mov.s32 	%r10, 11;
	@%p1 bra 	$Lt_0_1282;
	.loc	15	23	0
	mov.s32 	%r10, 12;
$Lt_0_1282:
	slct.u32.s32 	%r11, %r10, 7, %r3;
	cvt.u64.u32 	%rd8, %r11;
)"),
                [](auto a, auto b, auto i) -> std::uint64_t {
                  const bool less = static_cast<std::uint32_t>(a) < static_cast<std::uint32_t>(b);
                  return static_cast<std::int32_t>(b) < 0 ? 7 : less && i > 100 ? 12 : 11;
                });
}

TEST(NvccPtx, shared_memory_is_bytes_and_addresses_are_of_their_space) {
  const Words given = numbers(7);
  expect_kernel(kernel_14("	.extern	.shared .align 4 .b8 rest[];\n", R"(
	.shared .align 4 .b8 __cuda___cuda_local_var_tile28[1024];
	mov.u64 	%rd10, __cuda___cuda_local_var_tile28;
	mul.lo.u64 	%rd11, %rd1, 4;
	add.u64 	%rd12, %rd10, %rd11;
	st.shared.u32 	[%rd12+0], %r2;
	bar.sync 	0;
	mov.u32 	%r4, 255;
	sub.u32 	%r5, %r4, %r1;
	cvt.s64.s32 	%rd13, %r5;
	mul.lo.u64 	%rd13, %rd13, 4;
	add.u64 	%rd14, %rd13, %rd10;
	ld.volatile.shared.u32 	%r6, [%rd14+0];
	ld.shared.u16 	%r7, [%rd14+2];
	ld.shared.s8 	%r8, [%rd14+3];
	bar.sync 	0;
	st.shared.u8 	[%rd12+1], %r3;
	ld.shared.u32 	%r9, [%rd12+0];
	xor.b32 	%r9, %r9, %r6;
	add.u32 	%r9, %r9, %r7;
	add.u32 	%r9, %r9, %r8;
	mov.b64 	%rd8, {%r6, %r9};
)"),
                [given](auto a, auto b, auto i) {
                  const auto own = static_cast<std::uint32_t>(a), other = static_cast<std::uint32_t>(given[255 - i]);
                  const std::uint32_t mixed = (own & ~0xff00U) | (static_cast<std::uint32_t>(b) & 0xffU) << 8U;
                  const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(other) >> 24);
                  return std::uint64_t{(mixed ^ other) + (other >> 16U) + sign} << 32U | other;
                });
}

TEST(NvccPtx, calls_functions_with_registers_as_parameters) {
  expect_kernel(kernel_14(R"(	.func (.reg .u32 %rv1) _Z5stepsjj (.reg .u32 %ra1, .reg .u32 %ra2)

	.func (.reg .u32 %rv1) _Z5stepsjj (.reg .u32 %ra1, .reg .u32 %ra2)
	{
	.reg .u32 %r<8>;
	.reg .pred %p<4>;
	.loc	15	5	0
$LDWbegin__Z5stepsjj:
	mov.s32 	%r1, %ra1;
	and.b32 	%r2, %ra2, 7;
	mov.u32 	%r3, 0;
	setp.eq.u32 	%p1, %r2, %r3;
	@%p1 bra 	$Lt_1_1026;
$Lt_1_1538:
 //<loop> Loop body line 5, nesting depth: 1, estimated iterations: unknown
	mad24.lo.u32 	%r1, %r1, 3, %r2;
	sub.u32 	%r2, %r2, 1;
	setp.ne.u32 	%p2, %r2, %r3;
	@%p2 bra 	$Lt_1_1538;
$Lt_1_1026:
	mov.s32 	%rv1, %r1;
	ret;
$LDWend__Z5stepsjj:
	} // _Z5stepsjj
)",
                          R"(
	call.uni (%r4), _Z5stepsjj, (%r2, %r3);
	call (%r5), _Z5stepsjj, (%r4, 5);
	cvt.u64.u32 	%rd8, %r5;
)"),
                [](auto a, auto b, auto) -> std::uint64_t {
                  const auto steps = [](std::uint32_t x, std::uint32_t n) {
                    for (n &= 7U; n != 0; --n) x = (x & 0xffffffU) * 3U + n;
                    return x;
                  };
                  return steps(steps(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)), 5);
                });
}

/// PTX 2.x: parameters of functions in .param, structures among them, results by st.param.
TEST(NvccPtx, passes_structures_in_param_space) {
  expect_kernel(R"(	.version 2.1
	.target sm_20
	.visible .func (.param .align 8 .b8 __cudaretf_swap[16]) swap (.param .align 8 .b8 __cudaparmf1_swap[16])

	.visible .func (.param .align 8 .b8 __cudaretf_swap[16]) swap (.param .align 8 .b8 __cudaparmf1_swap[16])
	{
	.reg .u64 %rd<4>;
	.reg .u32 %r<4>;
	ld.param.u64 	%rd1, [__cudaparmf1_swap+0];
	ld.param.u32 	%r1, [__cudaparmf1_swap+8];
	ld.param.u32 	%r2, [__cudaparmf1_swap+12];
	mov.b64 	%rd2, {%r2, %r1};
	st.param.u64 	[__cudaretf_swap+0], %rd2;
	st.param.u64 	[__cudaretf_swap+8], %rd1;
	ret;
	}
	.entry kernel (
		.param .u64 .ptr .global .align 8 a,
		.param .u64 b,
		.param .u64 r)
	.maxntid 256,1,1
	{
	.reg .u32 %r<8>;
	.reg .u64 %rd<16>;
	mov.u32 	%r1, %tid.x;
	cvt.s64.s32 	%rd1, %r1;
	mul.wide.s32 	%rd2, %r1, 8;
	ld.param.u64 	%rd3, [a];
	add.u64 	%rd4, %rd3, %rd2;
	ld.global.u64 	%rd5, [%rd4+0];
	ld.param.u64 	%rd6, [b];
	add.u64 	%rd6, %rd6, %rd2;
	ld.global.ca.u64 	%rd7, [%rd6+0];
	.param .align 8 .b8 __cudaparma1[16];
	st.param.u64 	[__cudaparma1+0], %rd5;
	st.param.u64 	[__cudaparma1+8], %rd7;
	.param .align 8 .b8 __cudareta[16];
	call.uni (__cudareta), swap, (__cudaparma1);
	ld.param.u64 	%rd8, [__cudareta+0];
	ld.param.u64 	%rd9, [__cudareta+8];
	sub.u64 	%rd8, %rd8, %rd9;
	ld.param.u64 	%rd10, [r];
	add.u64 	%rd10, %rd10, %rd2;
	st.global.u64 	[%rd10+0], %rd8;
	exit;
	}
)",
                [](auto a, auto b, auto) { return (b >> 32U | b << 32U) - a; });
}

TEST(NvccPtx, tables_in_constant_memory_and_arrays_of_a_thread) {
  expect_kernel(
      kernel_14(
          R"(	.const .align 4 .b8 table[32] = {1,0,0,0,2,0,0,0,4,0,0,0,8,0,0,0,16,0,0,0,32,0,0,0,64,0,0,0,128,0,0,0};
	.const .s32 scale = -3;
	.global .align 4 .b8 offsets[16] = {10,0,0,0,20,0,0,0,30,0,0,0,40,0,0,0};
)",
          R"(
	.local .align 4 .b8 __cuda___cuda_local_var_array_0[16];
	and.b32 	%r4, %r2, 7;
	cvt.u64.u32 	%rd10, %r4;
	mul.lo.u64 	%rd11, %rd10, 4;
	mov.u64 	%rd12, table;
	add.u64 	%rd13, %rd11, %rd12;
	ld.const.u32 	%r5, [%rd13+0];
	ld.const.s32 	%r6, [scale];
	mul.lo.s32 	%r7, %r5, %r6;
	st.local.s32 	[__cuda___cuda_local_var_array_0+0], %r7;
	st.local.u32 	[__cuda___cuda_local_var_array_0+4], %r2;
	st.local.u32 	[__cuda___cuda_local_var_array_0+8], %r3;
	mov.u32 	%r8, 1;
	st.local.u32 	[__cuda___cuda_local_var_array_0+12], %r8;
	and.b32 	%r9, %r3, 3;
	cvt.u64.u32 	%rd14, %r9;
	mul.lo.u64 	%rd15, %rd14, 4;
	mov.u64 	%rd16, __cuda___cuda_local_var_array_0;
	add.u64 	%rd17, %rd16, %rd15;
	ld.local.u32 	%r10, [%rd17+0];
	ld.global.u32 	%r11, [offsets+8];
	add.u32 	%r12, %r10, %r11;
	cvt.u64.u32 	%rd8, %r12;
)"),
      [](auto a, auto b, auto) -> std::uint64_t {
        const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
        const std::array<std::uint32_t, 4> array{static_cast<std::uint32_t>(-3 * (1 << (x & 7U))), x, y, 1};
        return std::uint32_t{array[y & 3U] + 30U};
      });
}

TEST(NvccPtx, floats_without_rounding_words) {
  expect_kernel(kernel_14("", R"(
	and.b32 	%r4, %r2, 1023;
	cvt.rn.f32.u32 	%f1, %r4;
	mov.f32 	%f2, 0f3e800000;     	// 0.25
	mul.f32 	%f3, %f1, %f2;
	sub.f32 	%f4, %f3, 0f42000000;
	abs.f32 	%f5, %f4;
	mad.f32 	%f6, %f5, %f2, %f1;
	set.gt.u32.f32 	%r5, %f6, %f1;
	neg.s32 	%r6, %r5;
	cvt.rmi.f32.f32 	%f7, %f3;
	cvt.rzi.s32.f32 	%r7, %f7;
	cvt.sat.f32.f32 	%f8, %f4;
	mov.b32 	%r8, %f8;
	add.s32 	%r9, %r7, %r6;
	mov.b64 	%rd8, {%r9, %r8};
)"),
                [](auto a, auto, auto) -> std::uint64_t {
                  const auto x = static_cast<float>(a & 1023U);
                  const float quarter = x * 0.25F, size = std::fabs(quarter - 32.0F);
                  const auto whole = static_cast<std::uint32_t>(std::floor(quarter)) + (size * 0.25F + x > x ? 1U : 0U);
                  const float clamped = std::fmin(std::fmax(quarter - 32.0F, 0.0F), 1.0F);
                  return std::uint64_t{std::bit_cast<std::uint32_t>(clamped)} << 32U | whole;
                });
}

TEST(NvccPtx, votes_and_atomic_operations) {
  expect_kernel(
      kernel_14("	.global .u32 counter;\n	.shared .u32 sum;\n", R"(
	mov.u32 	%r4, 0;
	setp.ne.u32 	%p1, %r1, %r4;
	@%p1 bra 	$Lt_0_2050;
	st.shared.u32 	[sum], %r4;
$Lt_0_2050:
	bar.sync 	0;
	atom.shared.add.u32 	%r5, [sum], %r1;
	red.global.add.u32 	[counter], 1;
	bar.sync 	0;
	ld.shared.u32 	%r6, [sum];
	ld.global.u32 	%r7, [counter];
	setp.lt.s32 	%p2, %r1, 40;
	vote.all.pred 	%p3, %p2;
	vote.any.pred 	%p4, !%p2;
	selp.u32 	%r8, 1, 0, %p3;
	selp.u32 	%r9, 2, 0, %p4;
	add.u32 	%r10, %r8, %r9;
	mad24.lo.u32 	%r10, %r7, 4, %r10;
	mov.b64 	%rd8, {%r10, %r6};
)"),
      [](auto, auto, auto i) -> std::uint64_t {
        return std::uint64_t{255 * 128} << 32U | (1024U + (i < 32 ? 1U : 2U));
      },
      12);
}

}  // namespace
}  // namespace teslasim
