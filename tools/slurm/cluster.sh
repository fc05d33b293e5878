#!/usr/bin/env bash
# A small real Slurm on this machine, for tests: one controller and two nodes of one processor each.
#
#   cluster.sh up DIR [LINE ...]            start it; DIR is made, or must be empty; LINEs are added to
#                                         slurm.conf, such as KillWait=30
#   cluster.sh down DIR                     end all its processes and jobs, and remove DIR
#   cluster.sh kill-node DIR N [daemon]     kill node N (1 or 2) with its tasks, as a power cut would;
#                                         with `daemon` only slurmd dies, and the tasks run on
#   cluster.sh start-node DIR N             start node N again
#   cluster.sh kill-controller DIR          kill slurmctld
#   cluster.sh start-controller DIR         start slurmctld again
#   cluster.sh status DIR                   nodes, and jobs in the queue
#
# After `up`, `. DIR/env` lets sbatch, squeue, scontrol and so on find this Slurm.
#
# Partitions: `low` (the default) and `high`, whose jobs preempt those of `low`.
# Needs Debian's packages slurmctld, slurmd, slurm-client and munge. `up` exits 77 if they are missing.
# Works as root and as another user; the jobs run as the user who called `up`.
# An existing Slurm or munge of the machine is neither used nor touched.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
fail() { printf 'cluster.sh: %s\n' "$*" >&2; exit 1; }

[ $# -ge 2 ] || usage
action=$1 dir=$2
shift 2
nodes=2

# Waits until a command succeeds: `wait_for SECONDS COMMAND...`.
wait_for() {
  local ends=$((SECONDS + $1))
  shift
  until "$@" > /dev/null 2>&1; do
    [ $SECONDS -lt $ends ] || return 1
    sleep 0.2
  done
}

# Process ids of one program of this Slurm. Each of our daemons has DIR in its command line or
# environment, so nobody else's process is found.
processes_of() { # NAME [NODE]
  local proc name
  for proc in /proc/[0-9]*; do
    { read -r name < "$proc/comm"; } 2> /dev/null || continue
    [ "$name" = "$1" ] || continue
    grep -qzxF "SLURM_CONF=$dir/slurm.conf" "$proc/environ" 2> /dev/null || continue
    [ $# -eq 1 ] || grep -qzxF "GRIDPACT_TEST_NODE=node$2" "$proc/environ" 2> /dev/null || continue
    printf '%s\n' "${proc#/proc/}"
  done
}

# Process ids of all that runs on a node: slurmd, slurmstepd and tasks. A task's environment is the
# one slurmd makes, so tasks are found by SLURMD_NODENAME.
on_node() { # NODE
  local proc
  for proc in /proc/[0-9]*; do
    grep -qzxF "SLURM_CONF=$dir/slurm.conf" "$proc/environ" 2> /dev/null || continue
    grep -qzxF -e "GRIDPACT_TEST_NODE=node$1" -e "SLURMD_NODENAME=node$1" "$proc/environ" 2> /dev/null || continue
    printf '%s\n' "${proc#/proc/}"
  done
}

kill_and_wait() { # SIGNAL PROCESS...
  local signal=$1 process
  shift
  [ $# -gt 0 ] || return 0
  kill "-$signal" "$@" 2> /dev/null || true
  for process in "$@"; do
    wait_for 10 gone "$process" || fail "process $process did not end"
  done
}
gone() { # A zombie has ended too.
  ! grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$1/status" 2> /dev/null
}

start_munge() {
  # --force: munged wants its folder to be open to all users, ours is private.
  munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
    --pid-file="$dir/munged.pid" --log-file="$dir/log/munged.log" --seed-file="$dir/munge.seed" \
    2>> "$dir/log/munged.log" || fail "munged does not start; see $dir/log/munged.log"
}

start_controller() {
  [ -z "$(processes_of slurmctld)" ] || return 0
  slurmctld -f "$SLURM_CONF" -L "$dir/log/slurmctld.log" 2>> "$dir/log/slurmctld.err" < /dev/null \
    || fail "slurmctld does not start; see $dir/log"
  wait_for 20 scontrol ping_up || fail "slurmctld does not answer; see $dir/log/slurmctld.log"
}

start_node() { # NODE
  [ -z "$(processes_of slurmd "$1")" ] || return 0
  # SLURMD_NODENAME would come from a task that starts a node; it is not one of ours.
  env -u SLURMD_NODENAME GRIDPACT_TEST_NODE="node$1" \
    slurmd -N "node$1" -f "$SLURM_CONF" -L "$dir/log/node$1.log" 2>> "$dir/log/node$1.err" < /dev/null \
    || fail "slurmd of node$1 does not start; see $dir/log"
}

node_ready() { sinfo --noheader --nodes="node$1" --format=%T | grep -qxE 'idle|allocated|mixed|completing'; }

scontrol() { # `scontrol ping_up` succeeds if the controller answers.
  if [ "${1-}" = ping_up ]; then command scontrol ping | grep -q 'is UP'; else command scontrol "$@"; fi
}

up() {
  local program missing= user host first port
  for program in slurmctld slurmd sbatch scontrol sinfo munged; do
    type -P "$program" > /dev/null || missing="$missing $program"
  done
  if [ -n "$missing" ]; then
    printf 'cluster.sh: SKIPPED: no Slurm here (missing:%s).\n' "$missing" >&2
    printf 'On Debian: apt-get install --no-install-recommends slurmctld slurmd slurm-client munge\n' >&2
    exit 77
  fi
  mkdir -p "$dir"
  dir=$(cd "$dir" && pwd -P)
  [ -z "$(ls -A "$dir")" ] || fail "$dir is not empty"
  # The path of a socket has at most 107 bytes.
  [ ${#dir} -le 80 ] || fail "the path of DIR is too long for sockets: $dir"
  chmod 755 "$dir"
  mkdir "$dir/state" "$dir/log" "$dir/node1" "$dir/node2"
  touch "$dir/.slurm-sh"
  user=$(id -un)
  host=$(hostname -s)
  # Three free ports in a row. Another program might take one before we do; then `up` fails.
  first=0
  for port in $(shuf -i 20000-32000 -n 50); do
    if ! (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null \
      && ! (exec 3<> "/dev/tcp/127.0.0.1/$((port + 1))") 2> /dev/null \
      && ! (exec 3<> "/dev/tcp/127.0.0.1/$((port + 2))") 2> /dev/null; then
      first=$port
      break
    fi
  done
  [ "$first" -gt 0 ] || fail "found no free ports"

  (umask 077; head -c 1024 /dev/urandom > "$dir/munge.key")
  cat > "$dir/slurm.conf" << CONF
ClusterName=gridpact-test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$first
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/%n.pid
SlurmctldDebug=verbose
SlurmdDebug=verbose

# cred_expire is also how long a requeued task waits: 120 s unless set, at least 5.
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket,cred_expire=5
CredType=cred/munge

# Processes are tracked by process group: works without cgroups and without root.
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none

# Fast reactions, for tests. Sites have far longer times (KillWait=30, SlurmdTimeout=300).
KillWait=5
SlurmdTimeout=8
SlurmctldTimeout=8
MessageTimeout=5
MinJobAge=10
ReturnToService=2
JobRequeue=1
MaxArraySize=1001
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2,sched_min_interval=500000,batch_sched_delay=0,requeue_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE

NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((first + 1)) CPUs=1 RealMemory=500 State=UNKNOWN
NodeName=node2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((first + 2)) CPUs=1 RealMemory=500 State=UNKNOWN
PartitionName=low Nodes=node1,node2 Default=YES MaxTime=INFINITE DefaultTime=60 State=UP PriorityTier=1 PreemptMode=REQUEUE GraceTime=10
PartitionName=high Nodes=node1,node2 MaxTime=INFINITE DefaultTime=60 State=UP PriorityTier=10 PreemptMode=OFF
CONF
  [ $# -eq 0 ] || printf '%s\n' "$@" >> "$dir/slurm.conf"
  # Without this, 22.05 looks for a cgroup.conf in /etc/slurm.
  printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' > "$dir/cgroup.conf"
  printf 'export SLURM_CONF=%q\n' "$dir/slurm.conf" > "$dir/env"
  export SLURM_CONF=$dir/slurm.conf
  trap 'code=$?; [ $code -eq 0 ] || stop_all; exit $code' EXIT
  start_munge
  start_controller
  local node
  for ((node = 1; node <= nodes; node++)); do start_node $node; done
  for ((node = 1; node <= nodes; node++)); do
    wait_for 30 node_ready $node || fail "node$node is not idle after 30 s; see $dir/log"
  done
  trap - EXIT
  printf 'Slurm is up: . %q/env\n' "$dir"
}

# Ends every process whose environment names this Slurm: daemons, steps and tasks.
# The shell that calls `down` may have sourced DIR/env, so it and its parents are spared.
stop_all() {
  local proc name round left spared=" $$ " parent=$$
  while [ "$parent" -gt 1 ]; do
    parent=$(awk '/^PPid:/ {print $2}' "/proc/$parent/status" 2> /dev/null || echo 1)
    spared="$spared$parent "
  done
  # The controller first, so that it starts nothing new.
  for name in slurmctld slurmd slurmstepd; do
    # shellcheck disable=SC2046
    kill_and_wait KILL $(processes_of $name)
  done
  for round in 1 2 3; do
    left=
    for proc in /proc/[0-9]*; do
      [[ $spared != *" ${proc#/proc/} "* ]] || continue
      # Only tasks have this variable; what else was started after `. DIR/env` goes on.
      grep -qzF SLURM_JOB_ID= "$proc/environ" 2> /dev/null || continue
      grep -qzxF "SLURM_CONF=$dir/slurm.conf" "$proc/environ" 2> /dev/null || continue
      left="$left ${proc#/proc/}"
    done
    [ -n "$left" ] || break
    # shellcheck disable=SC2086
    kill_and_wait KILL $left
  done
  if [ -s "$dir/munged.pid" ]; then kill_and_wait TERM "$(cat "$dir/munged.pid")"; fi
}

if [ "$action" = up ]; then
  up "$@"
  exit
fi
[ -d "$dir" ] || { [ "$action" = down ] && exit 0; fail "no folder $dir"; }
dir=$(cd "$dir" && pwd -P)
[ -e "$dir/.slurm-sh" ] || fail "$dir was not made by 'cluster.sh up'"
export SLURM_CONF=$dir/slurm.conf
node=${1-}
case $action in
  *-node) [[ $node =~ ^[1-9]$ && $node -le $nodes ]] || usage ;;
esac
case $action in
  down) stop_all; rm -rf "$dir" ;;
  kill-node)
    # shellcheck disable=SC2046
    if [ "${2-}" = daemon ]; then
      kill_and_wait KILL $(processes_of slurmd "$node")
    else
      # Twice: a step might have started while we looked.
      kill_and_wait KILL $(on_node "$node")
      kill_and_wait KILL $(on_node "$node")
    fi
    ;;
  start-node)
    start_node "$node"
    wait_for 30 node_ready "$node" || fail "node$node is not ready after 30 s; see $dir/log"
    ;;
  kill-controller)
    # shellcheck disable=SC2046
    kill_and_wait KILL $(processes_of slurmctld)
    ;;
  start-controller) start_controller ;;
  status) sinfo --Node --partition=low --format='%N %T'; squeue --format='%.10i %.9P %.10j %.10T %.10M %R' ;;
  *) usage ;;
esac
