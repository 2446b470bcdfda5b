// The additive family: every rule is eight numbers.
//
//     if m <= theta   (m < theta when strict)   then   w' += tau · y · x'
//     theta = theta0 + beta · ||w'||            tau = scale · min(cap, (e + g·m) / (p·||x'||² + q))
//
// m = y·(w·x + b) is the functional margin, x' = (x, rho) and w' = (w, b/rho) the augmented row and weights.
// A zero denominator means no update; a row's weight multiplies tau (see `weighted`). `scale` is the step size eta where
// the rule takes one (`scaled`), else 1. The perceptron is theta = 0, tau = eta (Rosenblatt 1958); the files of
// src/rosenblatt/rules give the others.
#pragma once

#include <cmath>
#include <limits>

namespace rosenblatt {

struct Rule {
    double theta0 = 0, beta = 0;
    bool strict = false;
    double cap = std::numeric_limits<double>::infinity();
    double e = 1, g = 0, p = 0, q = 1;
    double share = 0;   // of ||w'||²/Σtau, the square of what bounds the best margin
    double coin = 0;    // > 0: a row is not added, but each coordinate bets on it, and has this much to begin with (coin.hpp)
    bool scaled = true;

    // The largest m that still triggers an update, so that the loop asks one question only: m <= threshold.
    double threshold(double norm) const {
        const double theta = beta > 0 ? theta0 + beta * norm : theta0;
        return strict ? std::nextafter(theta, -std::numeric_limits<double>::infinity()) : theta;
    }

    double step(double m, double norm2) const {
        const double denominator = p * norm2 + q;
        if (denominator == 0) return 0;
        return std::fmin(cap, (e + g * m) / denominator);
    }

    // The step of a row of weight h. A rule that aims at a margin (g != 0) is not carried beyond it by a weight above 1:
    // not further than the step that reaches it, (e + g·m) / ||x'||², or than its own step without a weight.
    double weighted(double tau, double h, double m, double norm2) const {
        const double more = h * tau;
        if (g == 0 || h <= 1 || norm2 == 0) return more;
        const double reach = (e + g * m) / norm2;
        return tau > 0 ? std::fmin(more, std::fmax(tau, reach)) : std::fmax(more, std::fmin(tau, reach));
    }
};

}  // namespace rosenblatt
