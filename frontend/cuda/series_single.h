// SPDX-License-Identifier: Apache-2.0
// Polynomials of the f32 functions. Made by coefficients.py: change its rows, not this file.
#pragma once

#include "single.h"

// clang-format off
namespace teslasim_device {

/// (sin(x)/x - 1)/x^2, z = x^2, |x| <= pi/4
TESLASIM_DEVICE Single sine_series(Single z) {
  return horner(z,
                -0.166666642F, 0.00833274703F, -0.00019587639F);
}

/// (cos(x) - 1 + x^2/2)/x^4, z = x^2, |x| <= pi/4
TESLASIM_DEVICE Single cosine_series(Single z) {
  return horner(z,
                0.0416666642F, -0.00138883013F, 2.45476895e-05F);
}

/// (tan(x)/x - 1)/x^2, z = x^2, |x| <= pi/4
TESLASIM_DEVICE Single tangent_series(Single z) {
  return horner(z,
                0.333333343F, 0.133332297F, 0.0539946258F, 0.0216198731F,
                0.00996654481F, 0.00117829989F, 0.00384730427F);
}

/// (exp(r) - 1 - r - r^2/2)/r^3, |r| <= ln(2)/2
TESLASIM_DEVICE Single exponential_series(Single z) {
  return horner(z,
                0.166666672F, 0.0416665524F, 0.00833332073F, 0.00139263761F,
                0.000198829119F);
}

/// (log(1 + f) - f + f^2/2)/f^3, sqrt(1/2) <= 1 + f <= sqrt(2)
TESLASIM_DEVICE Single logarithm_series(Single z) {
  return horner(z,
                0.333333313F, -0.24999997F, 0.200007156F, -0.166678026F,
                0.142490581F, -0.124256872F, 0.116854198F, -0.114797339F,
                0.0697161183F);
}

/// (atanh(s)/s - 1)/s^2, z = s^2, s = f/(2 + f), sqrt(1/2) <= 1 + f <= sqrt(2)
TESLASIM_DEVICE Single ratio_series(Single z) {
  return horner(z,
                0.333333343F, 0.200000614F, 0.142753899F, 0.116658069F);
}

/// (asin(x)/x - 1)/x^2, z = x^2, |x| <= 1/2
TESLASIM_DEVICE Single arc_sine_series(Single z) {
  return horner(z,
                0.166666657F, 0.0750009418F, 0.0445994027F, 0.0311006624F,
                0.0171492379F, 0.0336908475F);
}

/// (atan(x)/x - 1)/x^2, z = x^2, |x| <= 1
TESLASIM_DEVICE Single arc_tangent_series(Single z) {
  return horner(z,
                -0.333333313F, 0.199997395F, -0.142785683F, 0.110337645F,
                -0.0865688026F, 0.0625016913F, -0.0358715393F, 0.0135077713F,
                -0.00238699722F);
}

/// (sinh(x)/x - 1)/x^2, z = x^2, |x| <= 1
TESLASIM_DEVICE Single hyperbolic_sine_series(Single z) {
  return horner(z,
                0.166666672F, 0.00833333936F, 0.000198381022F, 2.80628024e-06F);
}

/// (tanh(x)/x - 1)/x^2, z = x^2, |x| <= 0.55
TESLASIM_DEVICE Single hyperbolic_tangent_series(Single z) {
  return horner(z,
                -0.333333343F, 0.133333236F, -0.0539647005F, 0.0218184497F,
                -0.00852633268F, 0.0025263906F);
}

/// erf(x)/x - 1, z = x^2, |x| <= 1
TESLASIM_DEVICE Single error_series(Single z) {
  return horner(z,
                0.128379166F, -0.376126379F, 0.112837821F, -0.0268654302F,
                0.00522103161F, -0.000848408032F, 0.000112659589F, -9.66704465e-06F);
}

/// (1 + 2 x) exp(x^2) erfc(x), q = (x - 4)/(x + 4), 1 <= x <= 28
TESLASIM_DEVICE Single complement_series(Single z) {
  return horner(z,
                1.23299515F, -0.139621124F, 0.0153796738F, 0.0680975169F,
                -0.101039775F, 0.0937260762F, -0.0663213432F, 0.0372075364F,
                -0.0162505861F, 0.00493028061F, -0.000613842276F, -0.000114801282F);
}

/// exp(x^2) erfc(x), q = x - 1/2, 0 <= x <= 1
TESLASIM_DEVICE Single near_complement_series(Single z) {
  return horner(z,
                0.615690351F, -0.512688816F, 0.359345526F, -0.222010419F,
                0.124182858F, -0.063974835F, 0.0305891633F, -0.0138354748F,
                0.0065717469F, -0.0026590277F);
}

/// erfinv(x)/x, q = w - 5/2, w = -log((1 - x)(1 + x)), 0 <= w <= 5
TESLASIM_DEVICE Single inverse_error_series(Single z) {
  return horner(z,
                1.50140941F, 0.24664028F, -0.00417739293F, -0.00125272642F,
                0.000218349393F, -4.9724199e-06F, -3.46398519e-06F, 4.68131361e-07F,
                2.33359678e-08F, -8.93192631e-09F);
}

/// erfinv(x)/(x sqrt(w)), q = 1/sqrt(w) - 1/4, 5 <= w <= 88
TESLASIM_DEVICE Single inverse_error_tail_series(Single z) {
  return horner(z,
                0.959945977F, -0.198189065F, 0.0806375518F, 0.566849887F,
                -0.577437401F, 5.59698296F, 38.8580208F, 96.0710602F,
                -1066.67273F, -4221.96582F, 18884.5605F, 54456.3594F,
                -205539.297F);
}

/// log(gamma(1 + t))/t, -1/2 <= t <= 1/2
TESLASIM_DEVICE Single gamma_at_one_series(Single z) {
  return horner(z,
                -0.577215672F, 0.82246691F, -0.400685519F, 0.270594269F,
                -0.207398206F, 0.169134513F, -0.143652916F, 0.131095514F,
                -0.116579369F, 0.0653093085F, -0.058302138F, 0.179739267F,
                -0.167297333F);
}

/// log(gamma(2 + t))/t, -1/2 <= t <= 1
TESLASIM_DEVICE Single gamma_at_two_series(Single z) {
  return horner(z,
                0.422784328F, 0.322467029F, -0.0673522949F, 0.0205808375F,
                -0.00738569535F, 0.00289023225F, -0.00119125529F, 0.000509854057F,
                -0.000229236073F, 0.000104949075F, -3.9087714e-05F, 7.5093335e-06F);
}

/// gamma(2 + t), -1/2 <= t <= 1/2
TESLASIM_DEVICE Single gamma_series(Single z) {
  return horner(z,
                1.0F, 0.422784328F, 0.41184032F, 0.0815771595F,
                0.0742488876F, -0.000272331003F, 0.0111567434F, -0.00280453451F,
                0.0020796652F, -0.00110528397F, 0.000584088266F);
}

/// (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi)/2) x, w = 1/x^2, x >= 3
TESLASIM_DEVICE Single stirling_series(Single z) {
  return horner(z,
                0.0833333358F, -0.00277758623F, 0.000784718432F, -0.000454428315F);
}

}  // namespace teslasim_device
// clang-format on
