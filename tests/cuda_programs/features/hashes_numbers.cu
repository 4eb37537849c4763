// SPDX-License-Identifier: Apache-2.0
// Hashes, ciphers, bytes and bits, numbers of 64 bits and of many words.
#include "program.h"

#include "both_sides.h"

BOTH inline Word rotated_left(Word x, Word n) {
  return (x << n) | (x >> (32 - n));
}
BOTH inline Word rotated_right(Word x, Word n) {
  return (x >> n) | (x << (32 - n));
}
CASE(md5) {
  Word m[16];
  Word s = i;
  for (int k = 0; k < 16; ++k) m[k] = next_random(s);
  Word a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  const int r[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
  for (int k = 0; k < 64; ++k) {
    Word f;
    int g;
    switch (k >> 4) {
      case 0:
        f = (b & c) | (~b & d);
        g = k;
        break;
      case 1:
        f = (d & b) | (~d & c);
        g = (5 * k + 1) & 15;
        break;
      case 2:
        f = b ^ c ^ d;
        g = (3 * k + 5) & 15;
        break;
      default:
        f = c ^ (b | ~d);
        g = (7 * k) & 15;
    }
    Word t = d;
    d = c;
    c = b;
    b = b + rotated_left(a + f + (0x9e3779b9u * (k + 1)) + m[g], r[(k >> 4) * 4 + (k & 3)]);
    a = t;
  }
  return a ^ b ^ c ^ d;
}
CASE(sha256) {
  Word w[16];
  Word s = i;
  for (int k = 0; k < 16; ++k) w[k] = next_random(s);
  Word v[8];
  for (int k = 0; k < 8; ++k) v[k] = next_random(s);
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    if (k >= 16) {
      Word x = w[(k + 1) & 15], y = w[(k + 14) & 15];
      w[k & 15] += (rotated_right(x, 7) ^ rotated_right(x, 18) ^ (x >> 3)) + w[(k + 9) & 15] +
                   (rotated_right(y, 17) ^ rotated_right(y, 19) ^ (y >> 10));
    }
    Word t1 = v[7] + (rotated_right(v[4], 6) ^ rotated_right(v[4], 11) ^ rotated_right(v[4], 25)) +
              ((v[4] & v[5]) ^ (~v[4] & v[6])) + 0x428a2f98u * k + w[k & 15];
    Word t2 = (rotated_right(v[0], 2) ^ rotated_right(v[0], 13) ^ rotated_right(v[0], 22)) +
              ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    v[7] = v[6];
    v[6] = v[5];
    v[5] = v[4];
    v[4] = v[3] + t1;
    v[3] = v[2];
    v[2] = v[1];
    v[1] = v[0];
    v[0] = t1 + t2;
  }
  return v[0] ^ v[3] ^ v[7];
}
CASE(stream_cipher) {
  Byte S[256];
  Byte key[5];
  for (int k = 0; k < 5; ++k) key[k] = (Byte)(i * 7 + k);
  for (int k = 0; k < 256; ++k) S[k] = (Byte)k;
  Byte j = 0;
  for (int k = 0; k < 256; ++k) {
    j = (Byte)(j + S[k] + key[k % 5]);
    Byte t = S[k];
    S[k] = S[j];
    S[j] = t;
  }
  Byte a = 0, b = 0;
  Word r = 0;
  for (int k = 0; k < 32; ++k) {
    a++;
    b += S[a];
    Byte t = S[a];
    S[a] = S[b];
    S[b] = t;
    r = r * 31 + S[(Byte)(S[a] + S[b])];
  }
  return r;
}
CASE(bytes) {
  signed char a = (signed char)(i * 37);
  Byte b = (Byte)(i * 91);
  short c = (short)(i * 1237);
  Half d = (Half)(i * 3571);
  int r = a * b + c * d;
  r += a >> 2;
  r ^= b >> 3;
  a = (signed char)(a + b);
  c = (short)(c - d);
  r = r * 31 + a;
  r = r * 31 + c;
  r += (a < b) + 2 * (c < d) + 4 * ((char)d < 0);
  b = (Byte)(b << 3);
  d = (Half)(d << 5);
  return r ^ b ^ (d << 8);
}
CASE(punned) {
  union {
    Word w;
    float f;
    Byte b[4];
    Half h[2];
    struct {
      Word lo : 5, mid : 13, hi : 14;
    } s;
  } u;
  u.f = i * 1.37f;
  Word r = u.w;
  r ^= u.b[2] * 256 + u.h[1];
  u.s.mid += i;
  u.s.hi ^= 0x155;
  r = r * 33 + u.w;
  u.b[i & 3] = (Byte)(i * 5);
  return r ^ u.w;
}
struct Bits {
  int a : 3;
  unsigned b : 7;
  int c : 11;
  unsigned d : 1;
  Wide e : 37;
};
CASE(bitfields) {
  Bits x;
  x.a = i;
  x.b = i * 3;
  x.c = i * 77;
  x.d = i >> 1;
  x.e = (Wide)i * 0x123456789ull;
  x.a += 3;
  x.c -= x.b;
  x.e ^= x.e << 5;
  return (Word)(x.a * 3 + x.b * 5 + x.c * 7 + x.d * 11) ^ (Word)(x.e >> 7);
}
CASE(shifts_of_64_bits) {
  Wide x = 0x8123456789abcdefull * (i | 1);
  Wide r = 0;
  for (int k = 0; k < 64; k += 3) {
    r ^= x >> k;
    r += x << (63 - k);
    r ^= (Wide)((SignedWide)x >> k);
    x += r;
  }
  return (Word)r ^ (Word)(r >> 32);
}
struct ManyWords {
  Word w[8];
};
BOTH ManyWords add(const ManyWords& a, const ManyWords& b) {
  ManyWords r;
  Word c = 0;
  for (int k = 0; k < 8; ++k) {
    Word t = a.w[k] + c;
    c = t < c;
    r.w[k] = t + b.w[k];
    c += r.w[k] < t;
  }
  return r;
}
BOTH ManyWords times(const ManyWords& a, Word m) {
  ManyWords r;
  Wide c = 0;
  for (int k = 0; k < 8; ++k) {
    c += (Wide)a.w[k] * m;
    r.w[k] = (Word)c;
    c >>= 32;
  }
  return r;
}
BOTH int compare(const ManyWords& a, const ManyWords& b) {
  for (int k = 7; k >= 0; --k)
    if (a.w[k] != b.w[k]) return a.w[k] < b.w[k] ? -1 : 1;
  return 0;
}
// Truth as a number with a sign, which becomes a float.
CASE(signed_flags) {
  Word state = i;
  const Word a = next_random(state) & 7, b = next_random(state) & 7, c = next_random(state) & 7;
  const short sign = -((a < b) != (b < c));
  const int both = -(a < b && c > 3);
  return (Word)(int)(sign * 3.0f + both * 0.5f + 10.0f) + (Word)((float)both < 0.0f);
}

CASE(many_words) {
  ManyWords a, b;
  Word s = i;
  for (int k = 0; k < 8; ++k) a.w[k] = next_random(s), b.w[k] = i % 3 ? next_random(s) : ~a.w[k];
  ManyWords c = add(a, b);
  for (int k = 0; k < 5; ++k) c = add(times(c, 10 + k), b);
  Word r = compare(a, b) * 7 + compare(c, a);
  for (int k = 0; k < 8; ++k) r = r * 31 + c.w[k];
  return r;
}
BOTH Word montgomery(Word a, Word b, Word n, Word ni) {
  Wide t = (Wide)a * b;
  Word m = (Word)t * ni;
  Wide u = t + (Wide)m * n;
  Word r = (Word)(u >> 32);
  if (u < t || r >= n) r -= n;
  return r;
}
CASE(montgomery_products) {
  Word n = (i * 2654435761u) | 0x80000001u, x = 1;
  for (int k = 0; k < 5; ++k) x *= 2 - n * x;
  Word ni = -x, r = i + 1;
  for (int k = 0; k < 20; ++k) r = montgomery(r, r + k, n, ni);
  return r;
}

int main() {
  TEST(md5);
  TEST(sha256);
  TEST(stream_cipher);
  TEST(bytes);
  TEST(punned);
  TEST(bitfields);
  TEST(shifts_of_64_bits);
  TEST(signed_flags);
  TEST(many_words);
  TEST(montgomery_products);
  printf(wrong ? "FAILED\n" : "PASSED\n");
  return wrong != 0;
}
