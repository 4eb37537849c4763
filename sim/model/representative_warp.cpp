// SPDX-License-Identifier: Apache-2.0
#include "sim/model/representative_warp.h"

#include <algorithm>
#include <array>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

struct Point {
  double instructions = 0.0, rate = 0.0;
};

double distance(const Point& a, const Point& b) {
  const double x = a.instructions - b.instructions, y = a.rate - b.rate;
  return x * x + y * y;
}

/// The features of each warp over their mean, so that both count alike.
std::vector<Point> features(const std::vector<WarpLoad>& warps) {
  std::vector<Point> points;
  Point mean;
  for (const WarpLoad& warp : warps) {
    points.push_back({warp.instructions, warp.cycles > 0.0 ? warp.instructions / warp.cycles : 0.0});
    mean.instructions += points.back().instructions / static_cast<double>(warps.size());
    mean.rate += points.back().rate / static_cast<double>(warps.size());
  }
  for (Point& point : points) {
    if (mean.instructions > 0.0) point.instructions /= mean.instructions;
    if (mean.rate > 0.0) point.rate /= mean.rate;
  }
  return points;
}

class TwoClusters {
 public:
  explicit TwoClusters(std::vector<Point> points) : points_(std::move(points)), cluster_(points_.size(), 0) {
    const auto fewer = [](const Point& a, const Point& b) { return a.instructions < b.instructions; };
    centre_ = {*std::min_element(points_.begin(), points_.end(), fewer),
               *std::max_element(points_.begin(), points_.end(), fewer)};
    constexpr unsigned rounds = 100;  // a bound; it settles in a few
    for (unsigned round = 0; round < rounds && assign(); ++round) move_centres();
  }

  [[nodiscard]] std::size_t nearest_of_larger() const {
    const std::size_t larger = size(1) >= size(0) ? 1 : 0;
    std::size_t best = points_.size();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (cluster_[i] != larger) continue;
      if (best == points_.size() || distance(points_[i], centre_[larger]) < distance(points_[best], centre_[larger])) {
        best = i;
      }
    }
    return best;
  }

 private:
  [[nodiscard]] std::size_t size(std::size_t cluster) const {
    return static_cast<std::size_t>(std::count(cluster_.begin(), cluster_.end(), cluster));
  }
  /// Each warp to the nearer centre, the second when both are as near. Returns whether any has moved.
  bool assign() {
    bool moved = false;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const std::size_t nearer = distance(points_[i], centre_[0]) < distance(points_[i], centre_[1]) ? 0 : 1;
      moved = moved || nearer != cluster_[i];
      cluster_[i] = nearer;
    }
    return moved;
  }
  void move_centres() {
    for (std::size_t cluster = 0; cluster < centre_.size(); ++cluster) {
      const auto members = static_cast<double>(size(cluster));
      if (members == 0.0) continue;
      Point sum;
      for (std::size_t i = 0; i < points_.size(); ++i) {
        if (cluster_[i] != cluster) continue;
        sum.instructions += points_[i].instructions;
        sum.rate += points_[i].rate;
      }
      centre_[cluster] = {sum.instructions / members, sum.rate / members};
    }
  }

  std::vector<Point> points_;
  std::vector<std::size_t> cluster_;
  std::array<Point, 2> centre_;
};

}  // namespace

std::size_t representative_warp(const std::vector<WarpLoad>& warps) {
  SIM_CHECK(!warps.empty(), "a block without warps");
  return TwoClusters(features(warps)).nearest_of_larger();
}

}  // namespace teslasim
