# SPDX-License-Identifier: Apache-2.0
"""The formats. Both services take what they are given for a latency, and alarm when it grows."""

import statistics


def quartiles(values):
    """Of few repetitions, the smallest and the largest."""
    if len(values) < 4:
        return min(values), max(values)
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def github_action_benchmark(run, cases):
    """An array for its tool customSmallerIsBetter: https://github.com/benchmark-action/github-action-benchmark."""
    entries = []
    for case in cases:
        low, high = quartiles(case.times)
        label = statistics.mode(case.labels)
        extra = [f"repetitions: {len(case.times)}"] + ([f"verdict: {label}"] if label else [])
        extra += [
            f"GPU: {run.fact('gpu_name') or 'unknown'}",
            f"driver: {run.fact('driver_version') or 'unknown'}",
        ]
        entries.append(
            {
                "name": case.name,
                "unit": "ns",
                "value": statistics.median(case.times),
                "range": f"± {(high - low) / 2:.0f}",
                "extra": "\n".join(extra),
            }
        )
    return entries


def bencher(run, cases):
    """Bencher Metric Format, for --adapter json: https://bencher.dev/docs/reference/bencher-metric-format."""
    entries = {}
    for case in cases:
        measures = {"latency": measure(case.times)}
        # Its own throughput is operations in a second, which this is not.
        if rates := case.figures("bytes_per_second"):
            measures["bytes-per-second"] = measure(rates)
        entries[case.name] = measures
    return entries


def measure(values):
    low, high = quartiles(values)
    return {"value": statistics.median(values), "lower_value": low, "upper_value": high}


FORMATS = {"github-action-benchmark": github_action_benchmark, "bencher": bencher}
