// Writes the layers of the golden files as bytes that core_fuzz reads, each for every kind of call: seeds GOLDEN_FOLDER CORPUS_FOLDER
#include "archive.h"

#define DOCTEST_CONFIG_IMPLEMENT
#include "../core/golden_layer.h"

#include <doctest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

using namespace headwise;

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::filesystem::path golden = arguments[1], corpus = arguments[2];
  std::filesystem::create_directories(corpus);
  int written = 0;
  for (const auto& entry : std::filesystem::directory_iterator(golden)) {
    if (entry.path().extension() != ".json") continue;
    const auto file = test::parsed(test::fileText(entry.path().string()));
    const std::string kind = test::textFrom(test::at(*file, "kind"));
    if (kind != "mha" && kind != "sdpa" && kind != "additive" && kind != "additive_mha") continue;
    test::GoldenReport report;
    Layer layer = test::layerFrom(report, kind, *file, test::at(*file, "weights"), test::at(*file, "dims"));
    if (traceBytes(layer.dimensions(), layer.queryCount(), layer.keyCount()) > 1 << 16) continue;
    fuzz::Writer writer;
    fuzz::describe(writer, layer);
    for (char action = 0; action < fuzz::kActions; ++action) {
      std::ofstream seed(corpus / (entry.path().stem().string() + "-" + std::to_string(action)), std::ios::binary);
      seed.put(action);
      seed.write(reinterpret_cast<const char*>(writer.bytes.data()), static_cast<std::streamsize>(writer.bytes.size()));
      ++written;
    }
  }
  std::cout << written << " seeds\n";
  return written == 0;
}
