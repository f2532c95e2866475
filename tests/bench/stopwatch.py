"""Median timing, as in stopwatch.ts."""
import time


def median_ms(call, wait=lambda: None, seconds=1):
    """`wait` waits for a device that computes what it was given later."""
    for _ in range(2):
        call()
    wait()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - start)
    return 1000 * sorted(times)[len(times) // 2]
