// SPDX-License-Identifier: Apache-2.0
// Branches of all kinds, small classes, searches with stacks and heaps of a thread.
#include "program.h"

#include "both_sides.h"

CASE(switches) {
  Word r = 0;
  for (Word k = 0; k < 40; ++k) {
    switch ((i + k) % 11) {
      case 0:
        r += 3;
      case 1:
        r ^= k;
        break;
      case 2:
        r = r * 3;
        break;
      case 3:
      case 4:
        r -= 7;
        if (k & 1) break;
        r += 2;
        break;
      case 7:
        continue;
      case 9:
        r ^= 0x55;
      default:
        r += i;
    }
    r = (r << 1) | (r >> 31);
  }
  return r;
}
CASE(jump_into_a_loop) {
  Word r = 0;
  int n = i % 23 + 1;
  int k = (n + 3) / 4;
  switch (n % 4) {
    case 0:
      do {
        r = r * 3 + 1;
        case 3:
          r = r * 3 + 2;
        case 2:
          r = r * 3 + 3;
        case 1:
          r = r * 3 + 4;
      } while (--k > 0);
  }
  return r;
}
struct Rational {
  int n, d;
  BOTH Rational(int a = 0, int b = 1) : n(a), d(b) {}
  BOTH Rational operator+(const Rational& o) const { return Rational(n * o.d + o.n * d, d * o.d).reduced(); }
  BOTH Rational& operator*=(const Rational& o) {
    n *= o.n;
    d *= o.d;
    return *this = reduced();
  }
  BOTH bool operator<(const Rational& o) const { return n * o.d < o.n * d; }
  BOTH Rational reduced() const {
    int a = n < 0 ? -n : n, b = d;
    while (b) {
      int t = a % b;
      a = b;
      b = t;
    }
    return a ? Rational(n / a, d / a) : Rational(0, 1);
  }
  BOTH operator Word() const { return n * 65537u + d; }
};
CASE(rationals) {
  Rational r((int)i % 50 - 25, 7), s(3, (int)i % 9 + 1);
  Rational t = r + s;
  t *= Rational(2, 3);
  if (t < r) t = t + Rational(1, 2);
  return t;
}
template <class T, int N>
struct Stack {
  T v[N];
  int n;
  BOTH Stack() : n(0) {}
  BOTH void push(T x) { v[n++] = x; }
  BOTH T pop() { return v[--n]; }
  BOTH bool empty() const { return n == 0; }
};
CASE(stacks) {
  Stack<int, 32> s;
  s.push((int)(i % 12) + 3);
  Word r = 0;
  while (!s.empty()) {
    int x = s.pop();
    r = r * 7 + x;
    if (x > 2 && s.n < 28) {
      s.push(x / 2);
      s.push(x - x / 2 - 1);
    }
  }
  return r;
}
CASE(heap) {
  int h[16], n = 0;
  Word s = i, r = 0;
  for (int k = 0; k < 24; ++k) {
    if (n < 15 && (next_random(s) & 3)) {
      int v = next_random(s) % 1000, p = n++;
      while (p > 0 && h[(p - 1) / 2] > v) {
        h[p] = h[(p - 1) / 2];
        p = (p - 1) / 2;
      }
      h[p] = v;
    } else if (n > 0) {
      r = r * 31 + h[0];
      int v = h[--n], p = 0;
      for (;;) {
        int c = 2 * p + 1;
        if (c >= n) break;
        if (c + 1 < n && h[c + 1] < h[c]) ++c;
        if (h[c] >= v) break;
        h[p] = h[c];
        p = c;
      }
      h[p] = v;
    }
  }
  return r;
}
CASE(quicksort) {
  short a[20];
  Word s = i;
  for (int k = 0; k < 20; ++k) a[k] = (short)(next_random(s) % 2000 - 1000);
  int st[24], sp = 0;
  st[sp++] = 0;
  st[sp++] = 19;
  while (sp) {
    int hi = st[--sp], lo = st[--sp];
    if (lo >= hi) continue;
    short p = a[(lo + hi) / 2];
    int l = lo, r = hi;
    while (l <= r) {
      while (a[l] < p) ++l;
      while (a[r] > p) --r;
      if (l <= r) {
        short t = a[l];
        a[l++] = a[r];
        a[r--] = t;
      }
    }
    st[sp++] = lo;
    st[sp++] = r;
    st[sp++] = l;
    st[sp++] = hi;
  }
  Word h = 0;
  for (int k = 0; k < 20; ++k) h = h * 37 + a[k];
  return h;
}
CASE(state_machine) {
  Word s = i, r = 0;
  enum { IDLE, WORD, NUMBER, DONE } state = IDLE;
  for (int k = 0; k < 50 && state != DONE; ++k) {
    char c = "ab1 29.z!"[next_random(s) % 9];
    switch (state) {
      case IDLE:
        if (c >= 'a' && c <= 'z')
          state = WORD, r += 1;
        else if (c >= '0' && c <= '9') {
          state = NUMBER;
          r += 100;
        }
        break;
      case WORD:
        if (c == ' ')
          state = IDLE;
        else if (c == '!')
          state = DONE;
        break;
      case NUMBER:
        if (c == '.') {
          r += 10000;
          state = IDLE;
        } else if (c < '0' || c > '9')
          state = c == ' ' ? IDLE : WORD;
        break;
      default:
        break;
    }
  }
  return r * 4 + state;
}
CASE(sudoku) {
  Half rows[4] = {0}, cols[4] = {0}, box[4] = {0};
  Byte g[16];
  int pos = 0;
  Word count = 0;
  for (int k = 0; k < 16; ++k) g[k] = 0;
  Word first = i & 3;
  int steps = 0;
  while (pos >= 0 && steps++ < 3000) {
    int r = pos >> 2, c = pos & 3, b = (r >> 1) * 2 + (c >> 1);
    if (pos == 16) {
      ++count;
      if (count > first + 3) break;
      --pos;
      continue;
    }
    if (g[pos]) {
      Half m = (Half)(1 << g[pos]);
      rows[r] ^= m;
      cols[c] ^= m;
      box[b] ^= m;
    }
    Byte v = g[pos] + 1;
    while (v <= 4 && ((rows[r] | cols[c] | box[b]) >> v & 1)) ++v;
    if (v > 4) {
      g[pos] = 0;
      --pos;
    } else {
      g[pos] = v;
      Half m = (Half)(1 << v);
      rows[r] |= m;
      cols[c] |= m;
      box[b] |= m;
      ++pos;
    }
  }
  Word h = count;
  for (int k = 0; k < 16; ++k) h = h * 5 + g[k];
  return h;
}

int main() {
  TEST(switches);
  TEST(jump_into_a_loop);
  TEST(rationals);
  TEST(stacks);
  TEST(heap);
  TEST(quicksort);
  TEST(state_machine);
  TEST(sudoku);
  printf(wrong ? "FAILED\n" : "PASSED\n");
  return wrong != 0;
}
