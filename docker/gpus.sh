#!/usr/bin/env bash
# Spark's GPU discovery script: prints the devices that this node sees, as Spark wants them.
list=$(nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null | sed 's/.*/"&"/' | paste -sd, -)
echo "{\"name\": \"gpu\", \"addresses\": [${list}]}"
