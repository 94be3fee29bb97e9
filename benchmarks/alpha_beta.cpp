// Plain alpha-beta on Kalah (6,4) as one writes it by hand in C++: no table, no ordering, no principal variation, no
// limits. Counts the same nodes as `petteia`'s search without options; see against_cpp.py.
//
// arguments: depth, runs; prints the value, the nodes and the most nodes a second of processor time

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using word = std::int64_t;

constexpr word PITS = 6, SEEDS = 4, RING = 2 * PITS + 1;
constexpr word ONES = 0x01010101010101, TOPS = 0x80808080808080, BELOW_TOPS = 0x7F7F7F7F7F7F7F, PIT = 0xFF;
constexpr word WON = 1 << 30;

struct Position {
    word south, north, south_store, north_store, side;
};

static word nodes;

static word first_pits(word count) { return ONES & ((word(1) << 8 * count) - 1); }

static word stones(word row) { return word((std::uint64_t(row) * std::uint64_t(ONES)) >> 48) & PIT; }

static Position play(const Position& state, word move) {
    word exchange = (state.south ^ state.north) & -state.side;
    word own = state.south ^ exchange, other = state.north ^ exchange, store = 0;
    word sown = own >> 8 * move & PIT;
    own ^= sown << 8 * move;
    if (sown >= RING) {
        const word laps = sown / RING;
        own += laps * first_pits(PITS);
        other += laps * first_pits(PITS);
        store += laps;
        sown -= laps * RING;
    }
    word last = move + sown;
    own += first_pits(std::min(last + 1, PITS)) ^ first_pits(move + 1);
    store += last >= PITS;
    other += first_pits(std::max<word>(std::min(last - PITS, PITS), 0));
    own += first_pits(std::max<word>(last - 2 * PITS, 0));
    const word next = last == PITS ? state.side : 1 - state.side;
    if (last >= RING) last -= RING;
    if (last < PITS && (own >> 8 * last & PIT) == 1) {
        const word opposite = 8 * (PITS - 1 - last), taken = other >> opposite & PIT;
        if (taken > 0) {
            other ^= taken << opposite;
            own ^= word(1) << 8 * last;
            store += taken + 1;
        }
    }
    exchange = (own ^ other) & -state.side;
    const word norths = store & -state.side;
    return {own ^ exchange, other ^ exchange, state.south_store + store - norths, state.north_store + norths, next};
}

static word worth_of_end(const Position& state) {
    const word margin = state.south_store - state.north_store + stones(state.south) - stones(state.north);
    return margin == 0 ? 0 : margin > 0 ? WON : -WON;
}

static word search(const Position& state, int depth, word alpha, word beta) {
    word best = -WON - 1;
    const word row = state.side ? state.north : state.south;
    word left = (((row & BELOW_TOPS) + BELOW_TOPS) | row) & TOPS;
    while (left) {
        const word move = __builtin_ctzll(left) >> 3;
        left &= left - 1;
        const Position child = play(state, move);
        nodes++;
        word value;
        if ((child.side ? child.north : child.south) == 0) {
            value = state.side ? -worth_of_end(child) : worth_of_end(child);
        } else if (depth == 1) {
            value = child.south_store - child.north_store;
            if (state.side) value = -value;
        } else if (child.side == state.side) {
            value = search(child, depth - 1, alpha, beta);
        } else {
            value = -search(child, depth - 1, -beta, -alpha);
        }
        if (value > best) {
            best = value;
            alpha = std::max(alpha, value);
            if (value >= beta) break;
        }
    }
    return best;
}

int main(int, char** arguments) {
    const word row = first_pits(PITS) * SEEDS;
    word value = 0;
    double fastest = 0;
    for (int run = 0; run < std::atoi(arguments[2]); run++) {
        nodes = 0;
        const std::clock_t begun = std::clock();
        value = search({row, row, 0, 0, 0}, std::atoi(arguments[1]), -WON - 1, WON + 1);
        fastest = std::max(fastest, nodes * double(CLOCKS_PER_SEC) / (std::clock() - begun));
    }
    std::printf("%lld %lld %.0f\n", (long long)value, (long long)nodes, fastest);
}
