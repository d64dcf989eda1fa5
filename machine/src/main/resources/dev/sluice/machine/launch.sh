# Prepares the environment of one process and becomes that process.
# launch.sh FAILURE CGROUP SCRATCH SHELL TERMINAL GUARD DIRECTORY [mirror FOLDER]... [mount SOURCE TARGET ro|rw]... -- COMMAND...
# An error before the command runs is written to the file FAILURE. The names of variables have a
# prefix because the variables of the command are in the environment already.
sluice_failure=$1 sluice_cgroup=$2 sluice_scratch=$3 sluice_shell=$4
sluice_terminal=$5 sluice_guard=$6 sluice_directory=$7
shift 7

fail() {
  printf '%s' "$1" >"$sluice_failure"
  exit 128
}

# A copy of a folder in which names can be added that no other process sees: every entry is the original one.
mirror() {
  mkdir -p "$2" && mount -t tmpfs -o mode=755 tmpfs "$2" || return 1
  for sluice_entry in "$1"/* "$1"/.[!.]*; do
    set -- "$1" "$2" "$2/${sluice_entry##*/}"
    if [ -L "$sluice_entry" ]; then
      cp -P "$sluice_entry" "$3" || return 1
    elif [ -d "$sluice_entry" ]; then
      mkdir "$3" && mount --rbind "$sluice_entry" "$3" || return 1
    elif [ -e "$sluice_entry" ]; then
      : >"$3" && mount --bind "$sluice_entry" "$3" || return 1
    fi
  done
}

# The first terminal that the leader of a session opens is the terminal of the session.
[ -z "$sluice_terminal" ] || exec 0<>"$sluice_terminal" 1>&0 2>&0
if [ -n "$sluice_cgroup" ]; then
  echo $$ >"$sluice_cgroup/cgroup.procs" || fail "cannot enter the cgroup $sluice_cgroup"
fi
sluice_root= sluice_count=0
[ "$1" = -- ] || mount --make-rprivate / || fail "cannot make private mounts"
while [ "$1" = mirror ]; do
  sluice_count=$((sluice_count + 1))
  mirror "${2%/}" "$sluice_scratch/mirror-$sluice_count" || fail "cannot make mount points in $2"
  if [ "$2" = / ]; then
    sluice_root=$sluice_scratch/mirror-$sluice_count
  else
    mount --rbind "$sluice_scratch/mirror-$sluice_count" "$2" || fail "cannot make mount points in $2"
  fi
  shift 2
done
while [ "$1" = mount ]; do
  sluice_target=$sluice_root$3
  if [ -d "$2" ]; then
    mkdir -p "$sluice_target" || fail "cannot make the mount point $3"
  elif [ ! -e "$sluice_target" ]; then
    mkdir -p "${sluice_target%/*}" && : >"$sluice_target" || fail "cannot make the mount point $3"
  fi
  mount --rbind "$2" "$sluice_target" || fail "cannot mount $2 at $3"
  [ "$4" = rw ] || mount -o remount,bind,ro "$sluice_target" || fail "cannot mount $2 read-only at $3"
  shift 4
done
shift

# Whether the command exists can only be checked inside the mount namespace.
exec 3>"$sluice_failure"
set -- "$sluice_shell" -c '
  fail() { printf "%s" "$1" >&3; exit 128; }
  cd "$1" 2>/dev/null || fail "workingDir $1 does not exist on this machine: create it, or leave it out"
  sluice_guard=$2
  shift 2
  sluice_found=
  case $1 in
    */*) [ -x "$1" ] && [ ! -d "$1" ] && sluice_found=yes ;;
    *) IFS=:; for sluice_folder in $PATH; do
         [ -x "$sluice_folder/$1" ] && [ ! -d "$sluice_folder/$1" ] && sluice_found=yes
       done; unset IFS ;;
  esac
  [ -n "$sluice_found" ] || fail "exec: \"$1\": executable file not found on this machine; images are not pulled: install it here, or give its whole path"
  exec 3>&- $sluice_guard "$@"' launch "$sluice_directory" "$sluice_guard" "$@"
[ -z "$sluice_root" ] || exec chroot "$sluice_root" "$@"
exec "$@"
