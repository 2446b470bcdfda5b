// The fuzzing target without a fuzzer, for compilers that have none: seeds, and seeded mutations of them.
//
//   replay RUNS SEED...     each SEED is a file
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int count, char** words) {
    std::vector<std::vector<uint8_t>> seeds;
    for (int i = 2; i < count; ++i) {
        std::ifstream file(words[i], std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        LLVMFuzzerTestOneInput(seeds.back().data(), seeds.back().size());
    }
    if (seeds.empty()) return std::fputs("no seeds\n", stderr), 2;
    std::mt19937_64 random(1);
    const auto below = [&](size_t n) { return size_t(random() % (n ? n : 1)); };
    const char marks[] = "0123456789+-.eE:|#' \t\r\n\n\n\0\xEF\xBB\xBF\xC3\xA9";
    const long runs = std::atol(words[1]);
    for (long run = 0; run < runs; ++run) {
        std::vector<uint8_t> input = seeds[below(seeds.size())];
        for (size_t changes = 1 + below(8); changes > 0; --changes) {
            const size_t at = below(input.size() + 1);
            switch (below(5)) {
                case 0: input.insert(input.begin() + long(at), uint8_t(marks[below(sizeof marks - 1)])); break;
                case 1:
                    if (at < input.size()) input.erase(input.begin() + long(at));
                    break;
                case 2:
                    if (at < input.size()) input[at] = uint8_t(random());
                    break;
                case 3: input.resize(at); break;
                default: {  // a stretch of another seed
                    const std::vector<uint8_t>& other = seeds[below(seeds.size())];
                    const size_t from = below(other.size()), length = below(other.size() - from + 1);
                    input.insert(input.begin() + long(at), other.begin() + long(from), other.begin() + long(from + length));
                }
            }
        }
        LLVMFuzzerTestOneInput(input.data(), input.size());
    }
    std::printf("%ld runs\n", runs);
}
