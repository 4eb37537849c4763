// SPDX-License-Identifier: Apache-2.0
#include "memory/image/page_images.h"

#include <cstring>
#include <thread>

#include "memory/image/device_memory.h"

namespace teslasim {

PageImages::PageImages(DeviceMemory& memory, std::uint64_t end)
    : memory_(memory), states_((end >> page_bits) + 1), images_(states_.size()) {}

void PageImages::copy(std::uint64_t page) {
  State expected = State::untouched;
  if (states_[page].compare_exchange_strong(expected, State::copying, std::memory_order_acquire)) {
    images_[page] = std::make_unique_for_overwrite<Image>();
    std::memcpy(images_[page]->data(), memory_.at(static_cast<Address>(page << page_bits)), sizeof(Image));
    states_[page].store(State::kept, std::memory_order_release);
    return;
  }
  while (states_[page].load(std::memory_order_acquire) != State::kept) std::this_thread::yield();
}

void PageImages::restore() {
  for (std::uint64_t page = 0; page < images_.size(); ++page) {
    if (images_[page] == nullptr) continue;
    std::memcpy(memory_.at(static_cast<Address>(page << page_bits)), images_[page]->data(), sizeof(Image));
  }
}

}  // namespace teslasim
