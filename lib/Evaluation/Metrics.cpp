//===- Metrics.cpp - What many samples say together -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts per task, then means over tasks.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/Metrics.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <set>

using namespace llvm;
using namespace ptxbench;

std::optional<double> ptxbench::passAtK(uint64_t samples, uint64_t passed,
                                        uint64_t k) {
  if (k == 0 || samples < k)
    return std::nullopt;
  if (samples - passed < k)
    return 1.0;
  // The product of (1 - k/i) over i from n-c+1 to n.
  double none = 1;
  for (uint64_t i = samples - passed + 1; i <= samples; ++i)
    none *= 1.0 - double(k) / double(i);
  return 1 - none;
}

static void addTurns(ArrayRef<const Record *> records, TaskMetrics &out) {
  // The best of each trajectory after each of its turns.
  std::map<std::string, std::map<int64_t, double>> best;
  for (const Record *record : records) {
    if (!record->trajectory || !record->turn || !record->reached)
      continue;
    double &value = best[*record->trajectory][*record->turn];
    if (record->status == Status::Passed)
      value = std::max(value, record->speedup.value_or(0));
  }
  if (best.empty())
    return;
  std::set<int64_t> turns;
  for (const auto &[name, values] : best)
    for (const auto &[turn, value] : values)
      turns.insert(turn);
  for (int64_t limit : turns) {
    double sum = 0;
    for (const auto &[name, values] : best) {
      double most = 0;
      for (const auto &[turn, value] : values)
        if (turn <= limit)
          most = std::max(most, value);
      sum += most;
    }
    out.bestSpeedup[limit] = sum / double(best.size());
  }
}

static constexpr uint64_t passK[] = {1, 5, 10, 100};

/// `timedAny`: whether a sample of any task was timed.
static TaskMetrics computeTask(ArrayRef<const Record *> records,
                               bool timedAny) {
  TaskMetrics out;
  std::array<uint64_t, fastThresholds.size()> fast{};
  bool timed = false;
  for (const Record *record : records) {
    ++out.statuses[stringifyStatus(record->status)];
    for (const auto &[stage, verdict] : record->stages)
      ++out.stages[stage][verdict];
    if (!record->reached) {
      ++out.notJudged;
      continue;
    }
    ++out.judged;
    for (unsigned i = 0; i <= unsigned(*record->reached); ++i)
      ++out.funnel[i];
    out.correct += *record->reached >= Milestone::Correct;
    bool passed = record->status == Status::Passed;
    out.passed += passed;
    timed |= record->speedup.has_value();
    if (passed && record->speedup)
      for (auto [count, threshold] : zip(fast, fastThresholds))
        count += *record->speedup >= threshold;
  }
  // Where nothing is timed a speedup of 0 would say what is not known, unless
  // there is none that could have been.
  timed |= timedAny && out.judged && !out.passed;
  if (timed)
    addTurns(records, out);
  for (uint64_t k : passK)
    if (std::optional<double> value = passAtK(out.judged, out.passed, k))
      out.passAt[k] = *value;
  if (!out.judged)
    return out;
  double judged = double(out.judged);
  out.correctRate = double(out.correct) / judged;
  out.targetRate = double(out.passed) / judged;
  if (timed) {
    out.fast.emplace();
    for (auto [share, count] : zip(*out.fast, fast))
      share = double(count) / judged;
  }
  return out;
}

/// The mean of what every task has; absent if one lacks it.
template <class Get>
static std::optional<double>
meanOver(const std::map<std::string, TaskMetrics> &tasks, Get get) {
  double sum = 0;
  size_t count = 0;
  for (const auto &[name, task] : tasks) {
    // Nothing is known of a task none of whose samples could be judged.
    if (!task.judged)
      continue;
    std::optional<double> value = get(task);
    if (!value)
      return std::nullopt;
    sum += *value;
    ++count;
  }
  if (!count)
    return std::nullopt;
  return sum / double(count);
}

Metrics ptxbench::computeMetrics(ArrayRef<Record> records) {
  std::map<std::string, std::vector<const Record *>> byTask;
  for (const Record &record : records)
    byTask[record.task].push_back(&record);
  bool timedAny = any_of(
      records, [](const Record &record) { return record.speedup.has_value(); });
  Metrics metrics;
  TaskMetrics &all = metrics.all;
  for (const auto &[name, ofTask] : byTask) {
    TaskMetrics task = computeTask(ofTask, timedAny);
    all.judged += task.judged;
    all.notJudged += task.notJudged;
    all.passed += task.passed;
    all.correct += task.correct;
    for (unsigned i = 0; i < milestoneCount; ++i)
      all.funnel[i] += task.funnel[i];
    for (const auto &[status, count] : task.statuses)
      all.statuses[status] += count;
    for (const auto &[stage, verdicts] : task.stages)
      for (const auto &[verdict, count] : verdicts)
        all.stages[stage][verdict] += count;
    metrics.tasks[name] = std::move(task);
  }
  for (uint64_t k : passK)
    if (std::optional<double> mean =
            meanOver(metrics.tasks, [&](const TaskMetrics &task) {
              auto found = task.passAt.find(k);
              return found == task.passAt.end()
                         ? std::nullopt
                         : std::optional<double>(found->second);
            }))
      all.passAt[k] = *mean;
  all.correctRate = meanOver(
      metrics.tasks, [](const TaskMetrics &task) { return task.correctRate; });
  all.targetRate = meanOver(
      metrics.tasks, [](const TaskMetrics &task) { return task.targetRate; });
  std::array<double, fastThresholds.size()> fast{};
  bool everyOne = true;
  for (size_t i = 0; i < fast.size(); ++i) {
    std::optional<double> mean =
        meanOver(metrics.tasks, [&](const TaskMetrics &task) {
          return task.fast ? std::optional<double>((*task.fast)[i])
                           : std::nullopt;
        });
    everyOne &= mean.has_value();
    fast[i] = mean.value_or(0);
  }
  if (everyOne)
    all.fast = fast;
  std::set<int64_t> turns;
  for (const auto &[name, task] : metrics.tasks)
    for (const auto &[turn, value] : task.bestSpeedup)
      turns.insert(turn);
  for (int64_t limit : turns)
    if (std::optional<double> mean =
            meanOver(metrics.tasks,
                     [&](const TaskMetrics &task) -> std::optional<double> {
                       if (task.bestSpeedup.empty())
                         return std::nullopt;
                       auto behind = task.bestSpeedup.upper_bound(limit);
                       if (behind == task.bestSpeedup.begin())
                         return 0;
                       return std::prev(behind)->second;
                     }))
      all.bestSpeedup[limit] = *mean;
  return metrics;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

ArrayRef<StringLiteral> ptxbench::stageOrder() {
  static constexpr StringLiteral names[] = {
      "extract",          "inspect",    "compile",     "inspect-library",
      "static-targets",   "sanitize",   "correctness", "other-workload",
      "executed-targets", "performance"};
  return names;
}

static void writeTask(StringRef name, const TaskMetrics &task,
                      raw_ostream &os) {
  os << name << ": " << task.judged << " judged, " << task.passed << " passed";
  if (task.notJudged)
    os << ", " << task.notJudged << " not judged";
  os << "\n  came so far:";
  for (unsigned i = unsigned(Milestone::Extracted); i < milestoneCount; ++i)
    os << ' ' << stringifyMilestone(Milestone(i)) << ' ' << task.funnel[i];
  os << "\n  statuses:";
  for (const auto &[status, count] : task.statuses)
    os << ' ' << status << ' ' << count;
  os << '\n';
  for (StringRef name : stageOrder()) {
    auto found = task.stages.find(name.str());
    if (found == task.stages.end())
      continue;
    os << "  stage " << name << ':';
    for (const char *verdict : {"passed", "failed", "skipped", "unsupported"})
      if (auto count = found->second.find(verdict);
          count != found->second.end())
        os << ' ' << verdict << ' ' << count->second;
    os << '\n';
  }
  if (task.correctRate)
    os << "  right numbers "
       << format("%.1f %%, and targets executed %.1f %%\n",
                 100 * *task.correctRate, 100 * *task.targetRate);
  for (const auto &[k, value] : task.passAt)
    os << "  pass@" << k << format(" %.1f %%\n", 100 * value);
  if (task.fast)
    for (auto [threshold, share] : zip(fastThresholds, *task.fast))
      os << format("  fast_%g", threshold) << format(" %.1f %%\n", 100 * share);
  for (const auto &[turn, value] : task.bestSpeedup)
    os << "  best speedup within " << turn << " turns"
       << format(" %.3f\n", value);
}

void ptxbench::writeMetrics(const Metrics &metrics, raw_ostream &os) {
  for (const auto &[name, task] : metrics.tasks)
    writeTask(name, task, os);
  if (metrics.tasks.size() > 1)
    writeTask("all tasks (rates: means over tasks)", metrics.all, os);
}

static json::Object toJSON(const TaskMetrics &task) {
  json::Object funnel, statuses, passAt, fast, best;
  for (unsigned i = unsigned(Milestone::Extracted); i < milestoneCount; ++i)
    funnel[stringifyMilestone(Milestone(i))] = task.funnel[i];
  for (const auto &[status, count] : task.statuses)
    statuses[status] = count;
  json::Object out{
      {"judged", task.judged},        {"not_judged", task.notJudged},
      {"passed", task.passed},        {"correct", task.correct},
      {"reached", std::move(funnel)}, {"statuses", std::move(statuses)}};
  for (const auto &[k, value] : task.passAt)
    passAt[std::to_string(k)] = value;
  if (!passAt.empty())
    out["pass_at"] = std::move(passAt);
  json::Object stages;
  for (const auto &[stage, verdicts] : task.stages) {
    json::Object counts;
    for (const auto &[verdict, count] : verdicts)
      counts[verdict] = count;
    stages[stage] = std::move(counts);
  }
  if (!stages.empty())
    out["stages"] = std::move(stages);
  if (task.correctRate)
    out["correct_rate"] = *task.correctRate;
  if (task.targetRate)
    out["correct_and_target_rate"] = *task.targetRate;
  if (task.fast) {
    for (auto [threshold, share] : zip(fastThresholds, *task.fast)) {
      std::string key;
      raw_string_ostream(key) << format("%g", threshold);
      fast[key] = share;
    }
    out["fast"] = std::move(fast);
  }
  for (const auto &[turn, value] : task.bestSpeedup)
    best[std::to_string(turn)] = value;
  if (!best.empty())
    out["best_speedup_within_turns"] = std::move(best);
  return out;
}

json::Value ptxbench::toJSON(const Metrics &metrics) {
  json::Object tasks;
  for (const auto &[name, task] : metrics.tasks)
    tasks[name] = ::toJSON(task);
  return json::Object{{"schema", "ptxbench.metrics.v1"},
                      {"tasks", std::move(tasks)},
                      {"all", ::toJSON(metrics.all)}};
}
