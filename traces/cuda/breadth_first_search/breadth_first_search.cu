// SPDX-License-Identifier: Apache-2.0
// How many edges away from the first node every node of a graph is, level by level, after Harish and Narayanan (2007),
// "Accelerating large graph algorithms on the GPU using CUDA". A thread owns a node; the host launches one level after
// the other until none found a new node. Nodes have few or many neighbours, so lanes wait for each other, and what they
// read is scattered.
#include "program.h"

#include <queue>
#include <vector>

enum { BLOCK = 128, NOT_REACHED = -1 };

// Edges of node n: ends[first_edges[n]] to ends[first_edges[n + 1] - 1]. Threads that find the same node write the same.
__global__ void next_level(const int* first_edges, const int* ends, int* distances, int nodes, int level, int* found) {
  const int node = blockIdx.x * BLOCK + threadIdx.x;
  if (node >= nodes || distances[node] != level) return;
  for (int edge = first_edges[node]; edge < first_edges[node + 1]; ++edge) {
    if (distances[ends[edge]] == NOT_REACHED) {
      distances[ends[edge]] = level + 1;
      *found = 1;
    }
  }
}

static std::vector<int> distances_on_host(const std::vector<int>& first_edges, const std::vector<int>& ends) {
  std::vector<int> distances(first_edges.size() - 1, NOT_REACHED);
  std::queue<int> waiting;
  distances[0] = 0;
  waiting.push(0);
  while (!waiting.empty()) {
    const int node = waiting.front();
    waiting.pop();
    for (int edge = first_edges[node]; edge < first_edges[node + 1]; ++edge) {
      if (distances[ends[edge]] != NOT_REACHED) continue;
      distances[ends[edge]] = distances[node] + 1;
      waiting.push(ends[edge]);
    }
  }
  return distances;
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size degree");
  const int nodes = option(argc, argv, "size", 4000);
  const int degree = option(argc, argv, "degree", 6);
  std::vector<int> first_edges(1, 0), ends;
  RandomNumbers random(9);
  for (int node = 0; node < nodes; ++node) {
    const int edges = random.below(2 * degree + 1);
    for (int i = 0; i < edges; ++i) ends.push_back(random.below(nodes));
    first_edges.push_back((int)ends.size());
  }
  const std::vector<int> expected = distances_on_host(first_edges, ends);

  int *device_first_edges, *device_ends, *device_distances, *device_found;
  CHECK(cudaMalloc((void**)&device_first_edges, first_edges.size() * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_ends, (ends.size() + 1) * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_distances, nodes * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_found, sizeof(int)));
  CHECK(cudaMemcpy(device_first_edges, &first_edges[0], first_edges.size() * sizeof(int), cudaMemcpyHostToDevice));
  if (!ends.empty()) CHECK(cudaMemcpy(device_ends, &ends[0], ends.size() * sizeof(int), cudaMemcpyHostToDevice));
  std::vector<int> distances(nodes, NOT_REACHED);
  distances[0] = 0;
  CHECK(cudaMemcpy(device_distances, &distances[0], nodes * sizeof(int), cudaMemcpyHostToDevice));

  int level = 0;
  int found = 1;
  while (found != 0) {
    CHECK(cudaMemset(device_found, 0, sizeof(int)));
    next_level<<<divide_up(nodes, BLOCK), BLOCK>>>(device_first_edges, device_ends, device_distances, nodes, level, device_found);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&found, device_found, sizeof(int), cudaMemcpyDeviceToHost));
    ++level;
  }
  CHECK(cudaMemcpy(&distances[0], device_distances, nodes * sizeof(int), cudaMemcpyDeviceToHost));

  int wrong = 0;
  int reached = 0;
  for (int node = 0; node < nodes; ++node) {
    wrong += distances[node] != expected[node];
    reached += distances[node] != NOT_REACHED;
  }
  printf("%d nodes, %d edges: %d reached in %d levels, %d wrong\n", nodes, (int)ends.size(), reached, level, wrong);
  CHECK(cudaFree(device_first_edges));
  CHECK(cudaFree(device_ends));
  CHECK(cudaFree(device_distances));
  CHECK(cudaFree(device_found));
  return verdict(wrong == 0);
}
