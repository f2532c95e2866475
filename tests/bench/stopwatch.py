"""Median timing, as in stopwatch.ts."""
import time


def median_ms(call):
    for _ in range(2):
        call()
    times, end = [], time.perf_counter() + 1
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * sorted(times)[len(times) // 2]
