# SPDX-License-Identifier: Apache-2.0
"""Computes the coefficients of the device library: writes series_single.h and series_double.h beside this file.

usage: coefficients.py        (needs python3-mpmath; the headers are checked in, so only who changes a row runs this)

A row names a function that is smooth on an interval. It is interpolated at Chebyshev points, which is within a small factor
of the best polynomial (Muller 2006, section 3.3), with 60 digits, and the coefficients are rounded to the format.
"""
import pathlib
import struct

import mpmath as mp

mp.mp.dps = 60
ROOT_HALF, ROOT_TWO = mp.sqrt(mp.mpf(1) / 2), mp.sqrt(2)
QUARTER = (mp.pi / 4) ** 2 * mp.mpf("1.001")
ATANH_LIMIT = ((ROOT_TWO - 1) / (ROOT_TWO + 1)) ** 2 * mp.mpf("1.001")


def of_root(function):
    """z -> (f(x)/x - 1)/x^2 with x = sqrt(z), for odd functions that begin with x."""
    def value(z):
        x = mp.sqrt(z)
        return (function(x) / x - 1) / z
    return value


def cosine(z):
    return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2


def stirling(w):
    x = 1 / mp.sqrt(w)
    return (mp.loggamma(x) - (x - mp.mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


def scaled_erfc(q):
    x = 4 * (1 + q) / (1 - q)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def erf_ratio(z):
    x = mp.sqrt(z)
    return mp.erf(x) / x - 1


def gamma_at_one(t):
    return mp.loggamma(1 + t) / t


def gamma_at_two(t):
    return mp.loggamma(2 + t) / t


def inverse_error(w):
    """erfinv(x)/x where exp(-w) = (1 - x)(1 + x): Newton's method on log(erfc), since x is too near 1 to hold."""
    product = mp.exp(-w)
    rest = product / (1 + mp.sqrt(1 - product))  # 1 - x
    y = mp.sqrt(w)
    for _ in range(200):
        step = mp.log(mp.erfc(y) / rest) * mp.erfc(y) * mp.exp(y * y) * mp.sqrt(mp.pi) / 2
        y += step
        if abs(step) < mp.mpf(10) ** -50:
            break
    return y / (1 - rest)


def inverse_error_tail(q):
    t = q + mp.mpf("0.25")
    return inverse_error(1 / t**2) * t


# name, comment, function, from, to, terms in single, terms in double
ROWS = [
    ("sine_series", "(sin(x)/x - 1)/x^2, z = x^2, |x| <= pi/4", of_root(mp.sin), 0, QUARTER, 3, 7),
    ("cosine_series", "(cos(x) - 1 + x^2/2)/x^4, z = x^2, |x| <= pi/4", cosine, 0, QUARTER, 3, 7),
    ("tangent_series", "(tan(x)/x - 1)/x^2, z = x^2, |x| <= pi/4", of_root(mp.tan), 0, QUARTER, 7, 16),
    ("exponential_series", "(exp(r) - 1 - r - r^2/2)/r^3, |r| <= ln(2)/2", lambda r: (mp.expm1(r) - r - r * r / 2) / r**3,
     -0.3475, 0.3475, 5, 11),
    ("logarithm_series", "(log(1 + f) - f + f^2/2)/f^3, sqrt(1/2) <= 1 + f <= sqrt(2)",
     lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, ROOT_HALF - 1, ROOT_TWO - 1, 9, 0),
    ("ratio_series", "(atanh(s)/s - 1)/s^2, z = s^2, s = f/(2 + f), sqrt(1/2) <= 1 + f <= sqrt(2)", of_root(mp.atanh), 0, ATANH_LIMIT,
     4, 8),
    ("ratio_rest_series", "(atanh(s)/s - 1 - s^2/3)/s^4, as above", lambda z: (of_root(mp.atanh)(z) - mp.mpf(1) / 3) / z, 0, ATANH_LIMIT, 0, 8),
    ("arc_sine_series", "(asin(x)/x - 1)/x^2, z = x^2, |x| <= 1/2", of_root(mp.asin), 0, mp.mpf(1) / 4, 6, 14),
    ("arc_tangent_series", "(atan(x)/x - 1)/x^2, z = x^2, |x| <= 1", of_root(mp.atan), 0, 1, 9, 21),
    ("hyperbolic_sine_series", "(sinh(x)/x - 1)/x^2, z = x^2, |x| <= 1", of_root(mp.sinh), 0, 1, 4, 8),
    ("hyperbolic_tangent_series", "(tanh(x)/x - 1)/x^2, z = x^2, |x| <= 0.55", of_root(mp.tanh), 0, mp.mpf("0.3025"), 6, 12),
    ("error_series", "erf(x)/x - 1, z = x^2, |x| <= 1", erf_ratio, 0, 1, 8, 14),
    ("complement_series", "(1 + 2 x) exp(x^2) erfc(x), q = (x - 4)/(x + 4), 1 <= x <= 28", scaled_erfc, mp.mpf(-3) / 5, mp.mpf(3) / 4,
     12, 26),
    ("near_complement_series", "exp(x^2) erfc(x), q = x - 1/2, 0 <= x <= 1",
     lambda q: mp.exp((q + mp.mpf("0.5")) ** 2) * mp.erfc(q + mp.mpf("0.5")), mp.mpf("-0.5"), mp.mpf("0.5"), 10, 19),
    ("inverse_error_series", "erfinv(x)/x, q = w - 5/2, w = -log((1 - x)(1 + x)), 0 <= w <= 5", lambda q: inverse_error(q + mp.mpf("2.5")),
     mp.mpf("-2.5"), mp.mpf("2.5"), 10, 12),
    ("inverse_error_tail_series", "erfinv(x)/(x sqrt(w)), q = 1/sqrt(w) - 1/4, 5 <= w <= 88", inverse_error_tail,
     mp.mpf("0.106") - mp.mpf("0.25"), mp.mpf("0.448") - mp.mpf("0.25"), 13, 0),
    ("inverse_error_long_tail_series", "the same for w <= 750", inverse_error_tail, mp.mpf("0.0365") - mp.mpf("0.25"),
     mp.mpf("0.448") - mp.mpf("0.25"), 0, 15),
    ("gamma_at_one_series", "log(gamma(1 + t))/t, -1/2 <= t <= 1/2", gamma_at_one, mp.mpf("-0.5"), mp.mpf("0.5"), 13, 28),
    ("gamma_at_two_series", "log(gamma(2 + t))/t, -1/2 <= t <= 1", gamma_at_two, mp.mpf("-0.5"), 1, 12, 28),
    ("gamma_series", "gamma(2 + t), -1/2 <= t <= 1/2", lambda t: mp.gamma(2 + t), mp.mpf("-0.5"), mp.mpf("0.5"), 11, 23),
    ("stirling_series", "(log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi)/2) x, w = 1/x^2, x >= 3", stirling, 0, mp.mpf(1) / 9, 4, 10),
]


def interpolate(function, low, high, terms):
    low, high = mp.mpf(low), mp.mpf(high)
    points = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * terms)) for i in range(terms)]
    points = [p if abs(p) > mp.mpf(10) ** -30 else mp.mpf(10) ** -12 for p in points]
    matrix = mp.matrix(terms, terms)
    for row, point in enumerate(points):
        for column in range(terms):
            matrix[row, column] = point**column
    return mp.lu_solve(matrix, mp.matrix([function(point) for point in points]))




def decimal(value, is_single):
    if is_single:
        return f"{struct.unpack('f', struct.pack('f', float(value)))[0]:.9g}F"
    return f"{float(value):.17g}"


def literal(text):
    return text if "." in text or "e" in text else text.replace("F", ".0F") if "F" in text else text + ".0"


def header(type_name, column, path, what):
    lines = ["// SPDX-License-Identifier: Apache-2.0",
             f"// Polynomials of the {what} functions. Made by coefficients.py: change its rows, not this file.",
             "#pragma once", "", f'#include "{type_name.lower()}.h"', "", "// clang-format off",
             "namespace teslasim_device {", ""]
    for row in ROWS:
        terms = row[column]
        if not terms:
            continue
        values = [literal(decimal(value, type_name == "Single")) for value in interpolate(row[2], row[3], row[4], terms)]
        lines += [f"/// {row[1]}", f"TESLASIM_DEVICE {type_name} {row[0]}({type_name} z) {{", "  return horner(z,"]
        for first in range(0, terms, 4):
            end = ");" if first + 4 >= terms else ","
            lines.append("                " + ", ".join(values[first:first + 4]) + end)
        lines += ["}", ""]
    lines += ["}  // namespace teslasim_device", "// clang-format on", ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def main():
    here = pathlib.Path(__file__).resolve().parent
    header("Single", 5, here / "series_single.h", "f32")
    header("Double", 6, here / "series_double.h", "f64")


if __name__ == "__main__":
    main()
