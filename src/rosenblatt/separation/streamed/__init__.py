"""Rows that are not in memory: few of them are asked at a time, and scans of all judge the answers."""
