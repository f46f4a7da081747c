"""Figures to text: medians and percentiles, tables in Markdown, and what they were measured on."""
import os
import platform
import statistics
import subprocess

median = statistics.median


def percentile(values, percent):
    """The smallest value that at least so many percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def ms(seconds):
    milliseconds = seconds * 1000
    return f"{milliseconds:.0f}" if milliseconds >= 100 else f"{milliseconds:.1f}" if milliseconds >= 10 else f"{milliseconds:.2f}"


def ratio(value, peer):
    return "-" if not peer else f"{value / peer:.2f}"


def table(title, remark, head, rows):
    lines = [f"## {title}", "", remark, "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def first_line(argv):
    try:
        out = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = out.stdout.decode("utf-8", "replace").strip().splitlines()
    return lines[0] if out.returncode == 0 and lines else None


def machine():
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.lower().startswith(("model name", "hardware")):
                model = line.split(":", 1)[1].strip()
                break
    with open("/proc/meminfo", encoding="ascii") as file:
        memory = int(file.readline().split()[1]) / (1 << 20)
    load = os.getloadavg()
    system = "Linux"
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            for line in file:
                if line.startswith("PRETTY_NAME="):
                    system = line.split("=", 1)[1].strip().strip('"')
    except OSError:
        pass
    return (f"Machine: {model}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB, {system}, kernel"
            f" {platform.release()}, load {load[0]:.1f} at the start.")
