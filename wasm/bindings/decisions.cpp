#include "decisions.h"

#include "lists.h"
#include "packing.h"

namespace headwise::bindings {

namespace {

struct Decision {
  std::string_view name;
  val (*values)();
  void (*read)(Decisions& decisions, Request& request);
};

template <bool Decisions::*member>
constexpr Decision flag(std::string_view name) {
  return {name, [] { return toJs(std::string_view("flag")); },
          [](Decisions& decisions, Request& request) {
            if (const auto given = request.optional()) decisions.*member = *given != 0;
          }};
}

template <auto member, const auto& names>
constexpr Decision choice(std::string_view name) {
  return {name, [] { return namesOf(names); },
          [](Decisions& decisions, Request& request) {
            if (const auto given = request.optional())
              decisions.*member = names.at(static_cast<std::size_t>(*given)).first;
          }};
}

constexpr Decision kDecisions[] = {
    {"scale", [] { return toJs(std::string_view("scale")); },
     [](Decisions& decisions, Request& request) {
       if (request.flag()) decisions.scale = scaleFrom(request);
     }},
    flag<&Decisions::scaleAfterSoftmax>("scaleAfterSoftmax"),
    flag<&Decisions::wideProjections>("wideProjections"),
    choice<&Decisions::split, kHeadOrders>("split"),
    choice<&Decisions::merge, kHeadOrders>("merge"),
    flag<&Decisions::transposeScores>("transposeScores"),
    choice<&Decisions::hide, kHide>("hide"),
    {"fillValue", [] { return toJs(std::string_view("number")); },
     [](Decisions& decisions, Request& request) {
       if (const auto given = request.optional()) decisions.fillValue = *given;
     }},
    choice<&Decisions::normaliseOver, kNormaliseOver>("normaliseOver"),
    flag<&Decisions::shareAttention>("shareAttention"),
    flag<&Decisions::transposeWeights>("transposeWeights"),
    choice<&Decisions::combine, kCombine>("combine"),
    flag<&Decisions::firstBlockOnly>("firstBlockOnly"),
    flag<&Decisions::projectOutput>("projectOutput"),
    flag<&Decisions::addInput>("addInput"),
};

}  // namespace

Decisions decisionsFrom(Request& request) {
  Decisions decisions;
  for (const Decision& decision : kDecisions)
    decision.read(decisions, request);
  return decisions;
}

val decisionList() {
  val list = val::array();
  for (std::size_t i = 0; i < std::size(kDecisions); ++i)
    list.set(i, object({{"name", toJs(kDecisions[i].name)}, {"values", kDecisions[i].values()}}));
  return list;
}

}  // namespace headwise::bindings
