#!/bin/bash
# Runs the sweep @FILE@ as an array of @SHARDS@ tasks.
# Made by `gridpact sweep submit`; edit it as you like, and submit it again by hand:
#
#     sbatch @SCRIPT@                                  # all shares
#     sbatch --array="$(@PROGRAM_QUOTED@ sweep missing @FILE_QUOTED@ --out @OUT_QUOTED@)" @SCRIPT@
#
# The second line submits only the shares that have not ended. Submitting a share twice does no harm:
# one that has ended exits at once, and only one task at a time can run a share.

#SBATCH --job-name=@NAME@
#SBATCH --array=1-@SHARDS@
# To run at most 20 tasks at a time: --array=1-@SHARDS@%20

# One log for each share. A task that starts again adds to it.
#SBATCH --output="@LOG@/%a.log"
#SBATCH --open-mode=append

#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@CPUS@
#SBATCH --time=@TIME@
# What your site may ask for (remove the first #):
##SBATCH --partition=NAME
##SBATCH --account=NAME
##SBATCH --mem=1G

# Slurm sends SIGTERM to this script 60 to 120 s before the time limit. The task then saves its state
# and goes back to the queue. --requeue does the same after a preemption or the failure of a node.
#SBATCH --signal=B:TERM@60
#SBATCH --requeue

program=@PROGRAM_QUOTED@
# The file of the sweep, and changes to it.
file=(@FILE_QUOTED@)
out=@OUT_QUOTED@
# The number of shares of the whole sweep. It stays the same if --array names only some of them.
shards=@SHARDS@
# A task goes back to the queue at most this often.
most_restarts=100

shard=${SLURM_ARRAY_TASK_ID:?"submit this script with sbatch --array"}
# The name of this one task. Not SLURM_JOB_ID: in one task of the array that is the id of the whole
# array, and `scontrol requeue` would stop and requeue every task.
task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID

say() { printf '%(%F %T)T task %s on %s: %s\n' -1 "$task" "${SLURMD_NODENAME:-?}" "$*"; }

# Bash runs a trap only between commands, so gridpact runs in the background and we wait for it.
child=
told=
stopped=
trap 'told=yes; stopped=yes; [ -z "$child" ] || kill -TERM "$child" 2> /dev/null' TERM INT

say "share $shard of $shards, start $((${SLURM_RESTART_COUNT:-0} + 1))"
"$program" sweep run "${file[@]}" --shard "$shard/$shards" --out "$out" \
  --threads "${SLURM_CPUS_PER_TASK:-1}" &
child=$!
[ -z "$told" ] || kill -TERM "$child" 2> /dev/null
# A signal ends `wait` early; then wait again.
while told=; wait "$child"; code=$?; [ -n "$told" ]; do :; done
child=

# Stopped before gridpact could take the signal: nothing new is there to be saved.
if [ -n "$stopped" ] && [ "$code" -eq 143 ]; then code=75; fi

if [ "$code" -ne 75 ]; then
  say "exit code $code"
  exit "$code"
fi

# Exit code 75: the state is saved, the share has not ended. Requeue this task, unless someone has
# decided already: after scancel or a preemption its state is no longer RUNNING.
if [ "${SLURM_RESTART_COUNT:-0}" -ge "$most_restarts" ]; then
  say "saved; not requeued, after $most_restarts restarts"
  exit 75
fi
# The controller may be away for a while, so try for some minutes.
for wait in 0 1 2 5 10 10 10 20 30 60 60 60; do
  sleep "$wait"
  state=$(squeue --noheader --jobs="$task" --format=%T 2> /dev/null) || continue
  if [ "$state" != RUNNING ]; then
    say "saved; not requeued by this script, state ${state:-unknown}"
    exit 75
  fi
  if scontrol requeue "$task"; then
    say "to be continued: requeued"
    exit 75
  fi
done
say "saved; could not be requeued"
exit 75
