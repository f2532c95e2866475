#!/bin/sh
# Walks through the corridor with nothing but curl, and saves walk.mp4 (or the file that is named).
# Start the server first: npm start
set -eu
server=${SVC_URL:-http://127.0.0.1:8791}
output=${1:-walk.mp4}

api() {
  curl -fsS ${SVC_API_KEY:+-H "authorization: Bearer $SVC_API_KEY"} "$@"
}

api -H 'content-type: image/png' --data-binary "@$(dirname "$0")/corridor.png" "$server/v1/world/session/source" >/dev/null

job=$(api -H 'content-type: application/json' "$server/v1/world/session/rollouts" -d '{
  "prompt": "a green corridor with orange doors and warm lamps, bright",
  "action_seq": ["w", "w", "l", "l", "s"],
  "action_speed_list": [9, 12, 12, 12, 12],
  "num_output_frames": 15
}' | sed 's/.*"job_id":"\([^"]*\)".*/\1/')

while :; do
  record=$(api "$server/v1/world/jobs/$job")
  case $record in
    *'"status":"completed"'*) break ;;
    *'"status":"failed"'* | *'"status":"cancelled"'*) echo "$record" >&2; exit 1 ;;
  esac
  sleep 0.1
done

api "$server/v1/world/jobs/$job/media/output" -o "$output"
echo "Saved $output"
