// SPDX-License-Identifier: Apache-2.0
// tex1Dfetch, tex1D, tex2D, tex3D: the instruction gives four words, of which an element takes its own.
#pragma once

#include "channel_descriptor.h"
#include "texture_types.h"
#include "vector_types.h"

namespace teslasim_device {

/// Four words as the instruction gives them.
template <class Word>
struct Texel {
  Word x, y, z, w;
};

#define TESLASIM_FETCH(name, instruction, word, result, coordinates, parameters, ...) \
  TESLASIM_DEVICE void name(Texel<word>& texel, LongWord reference, __VA_ARGS__) {    \
    __asm__("tex." instruction " {%0, %1, %2, %3}, [%4, {" coordinates "}];"          \
            : result(texel.x), result(texel.y), result(texel.z), result(texel.w)      \
            : "l"(reference), parameters);                                            \
  }
#define TESLASIM_COMMA ,
#define TESLASIM_FETCHES(type, word, result)                                                                      \
  TESLASIM_FETCH(fetch_line, "1d.v4." type ".s32", word, result, "%5", "r"(x), int x)                             \
  TESLASIM_FETCH(fetch_line, "1d.v4." type ".f32", word, result, "%5", "f"(x), float x)                           \
  TESLASIM_FETCH(fetch_plane, "2d.v4." type ".f32", word, result, "%5, %6", "f"(x)TESLASIM_COMMA "f"(y), float x, \
                 float y)                                                                                         \
  TESLASIM_FETCH(fetch_volume, "3d.v4." type ".f32", word, result, "%5, %6, %7, %7",                              \
                 "f"(x)TESLASIM_COMMA "f"(y)TESLASIM_COMMA "f"(z), float x, float y, float z)
TESLASIM_FETCHES("f32", float, "=f")
TESLASIM_FETCHES("s32", int, "=r")
TESLASIM_FETCHES("u32", unsigned int, "=r")
#undef TESLASIM_FETCHES
#undef TESLASIM_FETCH
#undef TESLASIM_COMMA

/// What a texel is made of, and how an element is put together from it.
template <class Element>
struct ElementOfTexture;
#define TESLASIM_ELEMENT(element, scalar, word_type, normalized, ...)      \
  template <>                                                              \
  struct ElementOfTexture<element> {                                       \
    using Word = word_type;                                                \
    using Normalized = normalized;                                         \
    template <class Result, class Part, class W>                           \
    static __device__ __forceinline__ Result made(const Texel<W>& texel) { \
      return Result{__VA_ARGS__};                                          \
    }                                                                      \
  };
#define TESLASIM_PART(channel) static_cast<Part>(texel.channel)
#define TESLASIM_ELEMENTS(name, scalar, word)                                                           \
  TESLASIM_ELEMENT(scalar, scalar, word, float, TESLASIM_PART(x))                                       \
  TESLASIM_ELEMENT(name##1, scalar, word, float1, TESLASIM_PART(x))                                     \
  TESLASIM_ELEMENT(name##2, scalar, word, float2, TESLASIM_PART(x), TESLASIM_PART(y))                   \
  TESLASIM_ELEMENT(name##4, scalar, word, float4, TESLASIM_PART(x), TESLASIM_PART(y), TESLASIM_PART(z), \
                   TESLASIM_PART(w))
TESLASIM_ELEMENT(char, char, int, float, TESLASIM_PART(x))
TESLASIM_ELEMENTS(char, signed char, int)
TESLASIM_ELEMENTS(uchar, unsigned char, unsigned int)
TESLASIM_ELEMENTS(short, short, int)
TESLASIM_ELEMENTS(ushort, unsigned short, unsigned int)
TESLASIM_ELEMENTS(int, int, int)
TESLASIM_ELEMENTS(uint, unsigned int, unsigned int)
TESLASIM_ELEMENTS(float, float, float)
#undef TESLASIM_ELEMENTS
#undef TESLASIM_ELEMENT
#undef TESLASIM_PART

/// The scalar of an element: what its channels are cut to.
template <class Element>
struct ScalarOf {
  using Type = decltype(Element::x);
};
#define TESLASIM_SCALAR(scalar) \
  template <>                   \
  struct ScalarOf<scalar> {     \
    using Type = scalar;        \
  };
TESLASIM_SCALAR(char)
TESLASIM_SCALAR(signed char)
TESLASIM_SCALAR(unsigned char)
TESLASIM_SCALAR(short)
TESLASIM_SCALAR(unsigned short)
TESLASIM_SCALAR(int)
TESLASIM_SCALAR(unsigned int)
TESLASIM_SCALAR(float)
#undef TESLASIM_SCALAR

template <class Element, cudaTextureReadMode mode>
struct Fetched {
  using Word = typename ElementOfTexture<Element>::Word;
  using Result = Element;
  using Part = typename ScalarOf<Element>::Type;
};
template <class Element>
struct Fetched<Element, cudaReadModeNormalizedFloat> {
  using Word = float;
  using Result = typename ElementOfTexture<Element>::Normalized;
  using Part = float;
};

}  // namespace teslasim_device

/// clang passes a reference as the 64-bit handle that stands in its first bytes.
#define TESLASIM_TEXTURE_FUNCTION(name, dimensions, fetch, arguments, ...)                                        \
  template <class Element, cudaTextureReadMode mode>                                                              \
  static __device__ __forceinline__ typename teslasim_device::Fetched<Element, mode>::Result name(                \
      texture<Element, dimensions, mode> reference, __VA_ARGS__) {                                                \
    using Kind = teslasim_device::Fetched<Element, mode>;                                                         \
    teslasim_device::Texel<typename Kind::Word> texel;                                                            \
    const auto handle = *reinterpret_cast<unsigned long long*>(&reference);                                       \
    teslasim_device::fetch arguments;                                                                             \
    return teslasim_device::ElementOfTexture<Element>::template made<typename Kind::Result, typename Kind::Part>( \
        texel);                                                                                                   \
  }
TESLASIM_TEXTURE_FUNCTION(tex1Dfetch, 1, fetch_line, (texel, handle, x), int x)
TESLASIM_TEXTURE_FUNCTION(tex1D, 1, fetch_line, (texel, handle, x), float x)
TESLASIM_TEXTURE_FUNCTION(tex2D, 2, fetch_plane, (texel, handle, x, y), float x, float y)
TESLASIM_TEXTURE_FUNCTION(tex3D, 3, fetch_volume, (texel, handle, x, y, z), float x, float y, float z)
#undef TESLASIM_TEXTURE_FUNCTION
