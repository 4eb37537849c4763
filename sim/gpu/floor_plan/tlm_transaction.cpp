// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/tlm_transaction.h"

namespace teslasim {

TlmPayloads::TlmPayloads(std::size_t places) {
  places_.reserve(places);
  for (std::size_t i = 0; i < places; ++i) add();
}

void TlmPayloads::add() {
  places_.push_back(std::make_unique<Place>());
  Place& place = *places_.back();
  place.payload.set_mm(this);
  place.payload.set_extension(new TlmTransaction);  // the payload deletes it
  place.payload.set_data_ptr(place.data.data());
  free_.reserve(places_.size());
  free_.push_back(&place.payload);
}

tlm::tlm_generic_payload& TlmPayloads::take() {
  if (free_.empty()) add();
  tlm::tlm_generic_payload& payload = *free_.back();
  free_.pop_back();
  payload.acquire();
  return payload;
}

void TlmPayloads::free(tlm::tlm_generic_payload* payload) {
  payload->reset();  // what the target has added to it
  free_.push_back(payload);
}

}  // namespace teslasim
