// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/joins.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "frontend/compiler/divergence.h"
#include "frontend/compiler/edges.h"
#include "frontend/compiler/lock_loops.h"
#include "frontend/compiler/meeting_places.h"

namespace teslasim::compiler {
namespace {

/// Push `meeting` at the end of a block, or where a loop is entered.
struct JoinRequest {
  bool before_loop = false;
  BlockIndex place = no_block;  ///< the block, or the header of the loop
  BlockIndex meeting = no_block;
  bool dropped = false;
};

using JoinStack = std::vector<std::size_t>;  ///< requests, innermost last

class JoinPlanner {
 public:
  explicit JoinPlanner(IrFunction& function)
      : function_(function),
        late_(find_lock_loops(function)),
        graph_(function.graph()),
        before_(dominators(graph_)),
        meetings_(function),
        loops_(graph_),
        divergence_(function) {}

  void run() {
    for (const BlockIndex block : reverse_postorder(graph_)) {
      function_.blocks[block].end.uniform = !divergence_.parts(block);
      if (divergence_.parts(block) && !some_only_end(block)) request(block);
    }
    while (!requests_.empty() && !follow()) {
    }
    apply();
  }

 private:
  /// `@p return` parts nobody who comes back.
  [[nodiscard]] bool some_only_end(BlockIndex block) const {
    const auto& targets = function_.blocks[block].end.target;
    return std::any_of(targets.begin(), targets.end(),
                       [&](BlockIndex target) { return meetings_.only_ends(block, target); });
  }

  /// The outermost loop around `inside` that `outside` is not in.
  [[nodiscard]] const NaturalLoop* loop_between(BlockIndex inside, BlockIndex outside) const {
    const NaturalLoop* found = nullptr;
    for (const NaturalLoop& loop : loops_.all()) {
      if (loop.contains[inside] && !loop.contains[outside]) found = &loop;
    }
    return found;
  }

  /// Who holds a lock meets the others when he has given it back.
  [[nodiscard]] BlockIndex behind_lock(BlockIndex header, BlockIndex meeting) const {
    for (const LateMeeting& late : late_) {
      if (late.header == header && late.from == meeting) return late.to;
    }
    return meeting;
  }

  void request(BlockIndex block) {
    JoinRequest request{false, block, meetings_.parent(block)};
    while (request.meeting != no_block) {
      const NaturalLoop* loop = loop_between(request.place, request.meeting);
      if (loop == nullptr) break;
      request.before_loop = true;
      request.place = loop->header;
      request.meeting = meetings_.parent_outside(loop->header, loop->contains);
      const bool stays = request.meeting != no_block && loop_between(loop->header, request.meeting) == loop;
      if (stays) break;
    }
    if (request.before_loop) request.meeting = behind_lock(request.place, request.meeting);
    if (request.meeting == no_block) return;
    add(request);
  }

  void add(const JoinRequest& request) {
    std::vector<std::size_t>& here = requests_at_[{request.before_loop, request.place}];
    const bool known = std::any_of(here.begin(), here.end(),
                                   [&](std::size_t one) { return requests_[one].meeting == request.meeting; });
    if (known) return;
    here.push_back(requests_.size());
    requests_.push_back(request);
  }

  [[nodiscard]] bool enters_loop(BlockIndex from, BlockIndex header) const {
    for (const NaturalLoop& loop : loops_.all()) {
      if (loop.header == header) return !loop.contains[from];
    }
    return false;
  }

  /// Requests at this place, in the order in which they push: those that meet later first.
  [[nodiscard]] std::vector<std::size_t> at(bool before_loop, BlockIndex place) const {
    const auto here = requests_at_.find({before_loop, place});
    if (here == requests_at_.end()) return {};
    std::vector<std::size_t> found = here->second;
    std::erase_if(found, [this](std::size_t one) { return requests_[one].dropped; });
    std::sort(found.begin(), found.end(), [this](std::size_t left, std::size_t right) {
      const BlockIndex first = requests_[left].meeting, second = requests_[right].meeting;
      return meetings_.is_behind(first, second);
    });
    return found;
  }

  void push(JoinStack& stack, const std::vector<std::size_t>& requests, std::vector<BlockIndex>& pushed) const {
    for (const std::size_t request : requests) {
      const BlockIndex meeting = requests_[request].meeting;
      if (!stack.empty() && requests_[stack.back()].meeting == meeting) continue;
      stack.push_back(request);
      pushed.push_back(meeting);
    }
  }

  struct EdgePlan {
    bool lands = false;
    std::vector<BlockIndex> pushes{};
  };

  /// Walks all ways with their stacks. False: two ways came to a block with different ones, and a request was lifted or
  /// dropped.
  bool follow() {
    stacks_.assign(function_.blocks.size(), std::nullopt);
    pushes_.clear();
    edges_.clear();
    stacks_[0] = JoinStack();
    for (const BlockIndex block : reverse_postorder(graph_)) {
      JoinStack stack = *stacks_[block];
      push(stack, at(false, block), pushes_[block]);
      for (const BlockIndex next : graph_.successors(block)) {
        if (!follow_edge(block, next, stack)) return false;
      }
    }
    return true;
  }

  bool follow_edge(BlockIndex from, BlockIndex to, JoinStack stack) {
    // What threads have pushed that only end is popped when they do.
    if (meetings_.only_ends(from, to)) stack.clear();
    EdgePlan& plan = edges_[{from, to}];
    if (!stack.empty() && requests_[stack.back()].meeting == to) {
      stack.pop_back();
      plan.lands = true;
    }
    if (enters_loop(from, to)) push(stack, at(true, to), plan.pushes);
    // An entry below the top would never be popped here.
    for (const std::size_t request : stack) {
      if (requests_[request].meeting != to) continue;
      return drop(meets_later(stack.back(), request) ? request : stack.back());
    }
    std::optional<JoinStack>& known = stacks_[to];
    if (!known)
      known = std::move(stack);
    else if (!same_meetings(*known, stack))
      return lift(odd_one(*known, stack), to);
    return true;
  }

  [[nodiscard]] bool same_meetings(const JoinStack& left, const JoinStack& right) const {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [this](std::size_t a, std::size_t b) { return requests_[a].meeting == requests_[b].meeting; });
  }

  /// Do the threads of `one` all pass the meeting place of `other` before their own?
  [[nodiscard]] bool meets_later(std::size_t one, std::size_t other) const {
    return meetings_.is_behind(requests_[one].meeting, requests_[other].meeting);
  }

  /// The request that one of the stacks has and the other has not; of several the one that meets first, since what
  /// meets further out holds the threads of the others together too.
  [[nodiscard]] std::size_t odd_one(const JoinStack& left, const JoinStack& right) const {
    std::optional<std::size_t> found;
    const auto look = [&](const JoinStack& stack, const JoinStack& other) {
      for (std::size_t i = stack.size(); i-- > 0;) {
        const BlockIndex meeting = requests_[stack[i]].meeting;
        const bool common =
            std::any_of(other.begin(), other.end(), [&](std::size_t one) { return requests_[one].meeting == meeting; });
        if (!common && (!found || meets_later(*found, stack[i]))) found = stack[i];
      }
    };
    const bool left_is_deeper = left.size() > right.size();
    look(left_is_deeper ? left : right, left_is_deeper ? right : left);
    look(left_is_deeper ? right : left, left_is_deeper ? left : right);
    // The same places in another order.
    return found ? *found : left.back();
  }

  bool drop(std::size_t request) {
    requests_[request].dropped = true;
    return false;
  }

  /// Is there a push for each time that threads come to the meeting place? Not in a loop that begins behind the push,
  /// but for its header, where those who enter land apart from those who come back.
  [[nodiscard]] bool pushes_for_each(BlockIndex place, BlockIndex meeting) const {
    const NaturalLoop* loop = loop_between(meeting, place);
    return loop == nullptr || loop->header == meeting;
  }

  /// Ways that pushed and ways that did not come together in `conflict`, before the threads meet. All ways push where
  /// they come from one block, if its threads all get to the meeting place; else none does.
  bool lift(std::size_t request, BlockIndex conflict) {
    const JoinRequest one = requests_[request];
    BlockIndex place = before_.parent(conflict);
    while (place != no_block && !before_.dominates(place, one.place)) place = before_.parent(place);
    const bool possible = place != no_block && place != one.place && meetings_.all_come(place, one.meeting) &&
                          loop_between(place, one.meeting) == nullptr && pushes_for_each(place, one.meeting);
    if (possible) add({false, place, one.meeting});
    return drop(request);
  }

  /// The block with the join flag for a meeting place. The header of a loop has one for those who enter and one for
  /// those who come back, since the first push what the second must not.
  struct Landing {
    BlockIndex meeting = no_block;
    bool comes_back = false;
    friend bool operator<(const Landing& left, const Landing& right) {
      return std::tie(left.meeting, left.comes_back) < std::tie(right.meeting, right.comes_back);
    }
  };

  [[nodiscard]] Landing landing_of(BlockIndex from, BlockIndex meeting) const {
    for (const NaturalLoop& loop : loops_.all()) {
      if (loop.header == meeting) return {meeting, loop.contains[from]};
    }
    return {meeting, false};
  }

  void make_landings() {
    std::map<Landing, std::vector<BlockIndex>> sources;
    std::set<BlockIndex> entered;  // by edges that push
    for (const auto& [edge, plan] : edges_) {
      if (!plan.pushes.empty()) entered.insert(edge.second);
      if (plan.lands) sources[landing_of(edge.first, edge.second)].push_back(edge.first);
    }
    for (const auto& [landing, from] : sources) {
      const BlockIndex meeting = landing.meeting;
      const bool all = from.size() == function_.blocks[meeting].predecessors.size() && !entered.contains(meeting);
      const BlockIndex block = all ? meeting : split_edges(function_, from, meeting);
      function_.blocks[block].joins = true;
      landings_[landing] = block;
    }
  }

  /// `place`: where the threads are, in the graph as it was.
  void announce(BlockIndex block, BlockIndex place, const std::vector<BlockIndex>& meetings) {
    for (const BlockIndex meeting : meetings) {
      if (const auto found = landings_.find(landing_of(place, meeting)); found != landings_.end())
        function_.blocks[block].announces.push_back(found->second);
    }
  }

  void apply() {
    make_landings();
    for (const auto& [block, meetings] : pushes_) announce(block, block, meetings);
    std::set<BlockIndex> landed;
    for (const auto& [edge, plan] : edges_) {
      if (plan.pushes.empty()) continue;
      BlockIndex from = edge.first;
      if (plan.lands) {
        from = landings_.at(landing_of(edge.first, edge.second));
        if (!landed.insert(from).second) continue;
      } else if (function_.successors(from) > 1) {
        from = split_edges(function_, {from}, edge.second);
      }
      announce(from, edge.first, plan.pushes);
    }
  }

  IrFunction& function_;
  std::vector<LateMeeting> late_;  ///< before the graph, which it changes
  FlowGraph graph_;
  DominatorTree before_;
  MeetingPlaces meetings_;
  Loops loops_;
  Divergence divergence_;
  std::vector<JoinRequest> requests_{};
  std::map<std::pair<bool, BlockIndex>, std::vector<std::size_t>> requests_at_{};  ///< before the loop, place
  std::vector<std::optional<JoinStack>> stacks_{};
  std::map<BlockIndex, std::vector<BlockIndex>> pushes_{};
  std::map<std::pair<BlockIndex, BlockIndex>, EdgePlan> edges_{};
  std::map<Landing, BlockIndex> landings_{};
};

}  // namespace

void announce_joins(IrFunction& function) {
  JoinPlanner(function).run();
}

}  // namespace teslasim::compiler
