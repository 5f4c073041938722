#include "golden_mistakes.h"

#include "checks.h"
#include "headwise/attention.h"
#include "headwise/layout.h"
#include "headwise/sharing.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace headwise::test {

namespace {

constexpr Role kEveryRole[] = {Role::query, Role::key, Role::value};

Projection& projectionOf(Weights& weights, Role role, Index head) {
  const auto j = static_cast<std::size_t>(head);
  if (role == Role::query) return weights.heads[j].query;
  return role == Role::key ? weights.keyValueHeads[j].key : weights.keyValueHeads[j].value;
}

template <class Change>
void changeEach(Layer& layer, Role role, Change&& change) {
  for (Index head = 0; head < headCountOf(layer.weights, role); ++head)
    change(projectionOf(layer.weights, role, head), head);
}

// Each role's projections are taken from another role: {query, key, value} would change nothing.
std::function<void(Layer&)> rolesFrom(Role query, Role key, Role value) {
  return [=](Layer& layer) {
    const Weights right = layer.weights;
    const std::pair<Role, Role> places[] = {{Role::query, query}, {Role::key, key}, {Role::value, value}};
    for (const auto& place : places)
      changeEach(layer, place.first, [&](Projection& projection, Index head) {
        projection = headwise::projectionOf(right, place.second, head);
      });
  };
}

std::function<void(Layer&)> scaledBy(Scalar exponent) {
  return [=](Layer& layer) {
    layer.options.scale = Scale::by(std::pow(static_cast<Scalar>(layer.dimensions().querySize), exponent));
  };
}

// The heads' matrices side by side, transposed and cut again; biases as they were.
void transposeProjections(Layer& layer) {
  const Weights right = layer.weights;
  for (const Role role : kEveryRole) {
    const Projection wide{wideProjection(right, role).weight.transpose(), {}};
    changeEach(layer, role, [&](Projection& projection, Index head) {
      projection.weight = columnsOf(wide, head * projection.weight.cols(), projection.weight.cols()).weight;
    });
  }
}

void transposeOutput(Layer& layer) { layer.weights.output.weight.transposeInPlace(); }

void averageProjected(Layer& layer) {
  layer.weights.output.weight /= static_cast<Scalar>(layer.dimensions().headCount);
}

void reverseHeads(Layer& layer) {
  const Weights right = layer.weights;
  for (const Role role : kEveryRole)
    changeEach(layer, role, [&](Projection& projection, Index head) {
      projection = headwise::projectionOf(right, role, headCountOf(right, role) - 1 - head);
    });
}

void shareAll(Layer& layer) {
  layer.weights = shareWeights(layer.weights, sharingPlan(Sharing::all, layer.dimensions().headCount));
}

void joinHeads(Layer& layer) {
  const Weights right = layer.weights;
  Weights& joined = layer.weights;
  joined.heads = {{wideProjection(right, Role::query), {}}};
  joined.keyValueHeads = {{wideProjection(right, Role::key), wideProjection(right, Role::value)}};
  Dimensions& dimensions = joined.dimensions;
  dimensions.querySize *= dimensions.headCount;
  dimensions.keySize *= dimensions.headCount;
  dimensions.valueSize *= dimensions.headCount;
  dimensions.headCount = dimensions.keyValueHeadCount = 1;
}

void leaveValues(Layer& layer) {
  changeEach(layer, Role::value, [](Projection& projection, Index head) {
    const Index width = projection.weight.cols();
    projection.weight.setZero();
    projection.weight.middleRows(head * width, width).setIdentity();
    projection.bias.reset();
  });
}

// Each head sees a block of the input's columns, with the same block of its matrices' rows.
void sliceInput(Layer& layer) {
  for (const Role role : kEveryRole)
    changeEach(layer, role, [&](Projection& projection, Index head) {
      const Index width = projection.weight.rows() / headCountOf(layer.weights, role);
      const Matrix block = projection.weight.middleRows(head * width, width);
      projection.weight.setZero();
      projection.weight.middleRows(head * width, width) = block;
    });
}

std::function<void(Layer&)> readAs(Layout written, Layout read) {
  return [=](Layer& layer) {
    const Projection output{layer.weights.output.weight.transpose(), layer.weights.output.bias};
    layer.weights = unfuse(fuse(layer.weights, written), output, layer.dimensions(), read);
  };
}

std::function<void(Layer&)> withoutBias(std::initializer_list<Role> roles, bool output) {
  return [roles = std::vector<Role>(roles), output](Layer& layer) {
    for (const Role role : roles)
      changeEach(layer, role, [](Projection& projection, Index) { projection.bias.reset(); });
    if (output) layer.weights.output.bias.reset();
  };
}

// Query head j uses key/value head j mod h_kv.
void tileKeyValueHeads(Layer& layer) {
  const std::vector<KeyValueHeadWeights> right = layer.weights.keyValueHeads;
  layer.weights.dimensions.keyValueHeadCount = layer.dimensions().headCount;
  layer.weights.keyValueHeads.clear();
  for (std::size_t j = 0; j < layer.weights.heads.size(); ++j)
    layer.weights.keyValueHeads.push_back(right[j % right.size()]);
}

// The mask's pattern by another rule: sees(query, key).
std::function<void(Layer&)> keeping(std::function<bool(Index, Index)> sees) {
  return [=](Layer& layer) {
    BoolMatrix keep(layer.queryCount(), layer.keyCount());
    for (Index query = 0; query < keep.rows(); ++query)
      for (Index key = 0; key < keep.cols(); ++key)
        keep(query, key) = sees(query, key);
    layer.options.mask = Mask::keeping(keep);
  };
}

// Numbers added to the scores instead of a mask.
std::function<void(Layer&)> adding(Scalar whereVisible, Scalar whereHidden) {
  return [=](Layer& layer) {
    const BoolMatrix visible = mayAttend(layer.options.mask, layer.queryCount(), layer.keyCount());
    Matrix bias(visible.rows(), visible.cols());
    for (Index query = 0; query < bias.rows(); ++query)
      for (Index key = 0; key < bias.cols(); ++key)
        bias(query, key) = visible(query, key) ? whereVisible : whereHidden;
    layer.options.mask = Mask::additive(bias);
  };
}

Decisions filled(Scalar value) { return {.hide = Hide::fill, .fillValue = value}; }

// Without transposes each token attends over its own heads.
ForwardTrace attendOverHeads(const Layer& layer) {
  const ForwardTrace right = attend(layer);
  const auto rowsOf = [&](const auto& heads, auto&& select, Index token) {
    std::vector<Matrix> rows;
    for (const auto& head : heads)
      rows.push_back(select(head).row(token));
    Matrix stacked(static_cast<Index>(rows.size()), rows[0].cols());
    for (std::size_t head = 0; head < rows.size(); ++head)
      stacked.row(static_cast<Index>(head)) = rows[head];
    return stacked;
  };
  ForwardTrace trace;
  trace.concatenated.resize(layer.queryCount(), layer.dimensions().concatenatedSize());
  for (Index token = 0; token < layer.queryCount(); ++token) {
    const Inputs heads{
        rowsOf(
            right.heads, [](const HeadTrace& head) -> const Matrix& { return head.queries; }, token),
        rowsOf(
            right.keyValueHeads, [](const KeyValueHeadTrace& head) -> const Matrix& { return head.keys; }, token),
        rowsOf(
            right.keyValueHeads, [](const KeyValueHeadTrace& head) -> const Matrix& { return head.values; }, token)};
    trace.concatenated.row(token) = attend(unprojectedLayer(heads)).output.reshaped<Eigen::RowMajor>().transpose();
  }
  trace.output = project(trace.concatenated, layer.weights.output);
  return trace;
}

}  // namespace

const std::map<std::string, Mistake>& knownMistakes() {
  constexpr HeadOrder noTranspose = HeadOrder::withoutTranspose, strided = HeadOrder::strided;
  constexpr Role q = Role::query, k = Role::key, v = Role::value;
  static const std::map<std::string, Mistake> mistakes = {
      {"scale_sqrt_d_model", {{.scale = Scale{Scale::Rule::modelWidth}}}},
      {"scale_none", {{.scale = Scale{Scale::Rule::none}}}},
      {"scale_d_head_without_sqrt", {{}, scaledBy(-1)}},
      {"scale_multiplied", {{}, scaledBy(0.5)}},
      {"scale_after_softmax", {{.scaleAfterSoftmax = true}}},
      {"softmax_over_queries", {{.normaliseOver = NormaliseOver::queries}}},
      {"softmax_over_heads_and_keys_jointly", {{.normaliseOver = NormaliseOver::headsAndKeys}}},
      {"softmax_over_head_axis", {{.normaliseOver = NormaliseOver::heads}}},
      {"softmax_omitted", {{.normaliseOver = NormaliseOver::nothing}}},
      {"split_reshape_no_transpose", {{.split = noTranspose}}},
      {"split_and_merge_reshape_no_transpose", {{.split = noTranspose, .merge = noTranspose}}},
      {"merge_reshape_no_transpose", {{.merge = noTranspose}}},
      {"split_strided_columns", {{.split = strided}}},
      {"split_and_merge_strided_columns", {{.split = strided, .merge = strided}}},
      {"w_qkv_transposed", {{}, transposeProjections}},
      {"w_o_transposed", {{}, transposeOutput}},
      {"w_all_transposed", {{}, [](Layer& layer) { transposeProjections(layer), transposeOutput(layer); }}},
      {"output_projection_missing", {{.projectOutput = false}}},
      {"heads_averaged_first_block", {{.combine = Combine::average, .firstBlockOnly = true}}},
      {"heads_averaged_tiled", {{.combine = Combine::average}}},
      {"heads_averaged_projected", {{}, averageProjected}},
      {"heads_averaged_raw", {{.combine = Combine::average, .firstBlockOnly = true, .projectOutput = false}}},
      {"heads_summed_first_block", {{.combine = Combine::sum, .firstBlockOnly = true}}},
      {"heads_summed_tiled", {{.combine = Combine::sum}}},
      {"heads_summed_raw", {{.combine = Combine::sum, .firstBlockOnly = true, .projectOutput = false}}},
      {"heads_reversed", {{}, reverseHeads}},
      {"heads_share_weights", {{}, shareAll}},
      {"heads_share_attention", {{.shareAttention = true}}},
      {"no_head_split", {{}, joinHeads}},
      {"kv_heads_tiled", {{}, tileKeyValueHeads}},
      {"qk_swapped", {{.transposeScores = true}}},
      {"q_as_k", {{}, rolesFrom(q, q, v)}},
      {"k_as_v", {{}, rolesFrom(q, k, k)}},
      {"v_as_k", {{}, rolesFrom(q, v, v)}},
      {"kv_swapped", {{}, rolesFrom(q, v, k)}},
      {"v_not_projected", {{}, leaveValues}},
      {"fused_order_kqv", {{}, rolesFrom(k, q, v)}},  // the first block is read as the keys, the second as the queries
      {"fused_order_qvk", {{}, rolesFrom(q, v, k)}},
      {"fused_order_vkq", {{}, rolesFrom(v, k, q)}},
      {"interleaved_read_as_blocked", {{}, readAs(Layout::interleaved, Layout::torch)}},
      {"blocked_read_as_interleaved", {{}, readAs(Layout::torch, Layout::interleaved)}},
      {"neox_rows_read_as_torch", {{}, readAs(Layout::interleaved, Layout::torch)}},
      {"torch_rows_read_as_neox", {{}, readAs(Layout::torch, Layout::interleaved)}},
      {"bias_all_dropped", {{}, withoutBias({q, k, v}, true)}},
      {"bias_qkv_dropped", {{}, withoutBias({q, k, v}, false)}},
      {"bias_q_dropped", {{}, withoutBias({q}, false)}},
      {"bias_k_dropped", {{}, withoutBias({k}, false)}},
      {"bias_v_dropped", {{}, withoutBias({v}, false)}},
      {"bias_o_dropped", {{}, withoutBias({}, true)}},
      {"residual_added", {{.addInput = true}}},
      {"attention_transposed", {{.transposeWeights = true}}},
      {"head_sees_only_its_slice", {{}, sliceInput}},
      {"mask_missing", {{}, [](Layer& layer) { layer.options.mask = {}; }}},
      {"mask_inverted", {{}, keeping([](Index query, Index key) { return key > query; })}},
      {"mask_inverted_finite_fill", {filled(-1e9), keeping([](Index query, Index key) { return key > query; })}},
      {"mask_transposed", {{}, keeping([](Index query, Index key) { return key >= query; })}},
      {"mask_strictly_lower", {{}, keeping([](Index query, Index key) { return key < query; })}},
      {"mask_one_ahead", {{}, keeping([](Index query, Index key) { return key <= query + 1; })}},
      {"mask_multiplied_after_softmax", {{.hide = Hide::multiplyWeights}}},
      {"mask_multiplied_then_renormalised", {{.hide = Hide::multiplyWeightsAndRenormalise}}},
      {"mask_score_zero", {filled(0)}},
      {"mask_added_minus_1e-9", {{}, adding(0, -1e-9)}},
      {"mask_added_as_zero_one", {{}, adding(1, 0)}},
      {"mask_fill_plus_1e-9", {filled(1e-9)}},
      {"mask_fill_minus_1e9", {filled(-1e9)}},
  };
  return mistakes;
}

ForwardTrace traceOfMistake(const std::string& name, const Layer& right) {
  if (name == "attend_over_heads") return attendOverHeads(right);
  const auto found = knownMistakes().find(name);
  if (found == knownMistakes().end()) throw std::runtime_error("the mistake \"" + name + "\" is unknown");
  Layer layer = right;
  if (found->second.change) found->second.change(layer);
  return forward(layer, found->second.decisions);
}

}  // namespace headwise::test
