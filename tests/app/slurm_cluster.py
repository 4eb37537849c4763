# SPDX-License-Identifier: Apache-2.0
"""A Slurm of two nodes on this host, in a scratch folder: munged, slurmctld, two slurmd. Needs root and Debian's slurm-wlm and munge."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

CONFIGURATION = """\
ClusterName=scratch
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmctldPort={port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 Port={port_of_one} CPUs=2
NodeName=two NodeHostname={host} NodeAddr=127.0.0.1 Port={port_of_two} CPUs=2
PartitionName=main Nodes=one,two Default=YES MaxTime=10 State=UP
"""
NODES = ("one", "two")
DAEMONS = ("munged", "slurmctld", "slurmd")


def why_not():
    """Why there can be no cluster here; None when there can."""
    if os.geteuid() != 0:
        return "only root can start a cluster"
    missing = [name for name in (*DAEMONS, "sbatch", "scontrol") if program(name) is None]
    return f"not installed: {', '.join(missing)} (Debian's slurm-wlm and munge)" if missing else None


def program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        (self.folder / "state").mkdir()
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o600)
        port, one, two = free_ports(3)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], folder=self.folder, port=port, port_of_one=one, port_of_two=two))

    def start(self):
        self.run("munged", *(f"--{name}={self.folder}/munge.{end}" for name, end in (
            ("socket", "sock"), ("key-file", "key"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))))
        self.run("slurmctld", "-i")
        for node in NODES:
            self.run("slurmd", "-N", node)
        self.wait_until(lambda: self.run("sinfo", "--noheader", "--format=%T %D").strip() == "idle 2", "both nodes are idle")

    def run(self, name, *arguments):
        done = subprocess.run([program(name), *arguments], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{name} {arguments}: {done.stderr}{self.logs()}")
        return done.stdout

    def wait_until(self, condition, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise RuntimeError(f"not within {seconds} s: {what}\n{self.logs()}")
            time.sleep(0.05)

    def logs(self):
        return "".join(f"== {log.name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-20:]) + "\n"
                       for log in self.folder.glob("*.log"))

    def processes(self, name=None):
        """Of this cluster, all or of one program: those whose environment names its configuration."""
        mark = f"SLURM_CONF={self.folder}/slurm.conf".encode()
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes() and \
                        name in (None, (entry / "comm").read_text().strip()):
                    found.append(int(entry.name))
            except OSError:
                pass  # it has ended
        return found

    def restart_controller(self):
        """As an administrator does: it saves what it knows, is away for a moment, and goes on."""
        controller = int((self.folder / "slurmctld.pid").read_text())
        os.kill(controller, signal.SIGTERM)
        self.wait_until(lambda: has_ended(controller), "the controller has ended")
        time.sleep(1)
        self.run("slurmctld")

    def resume(self, node):
        """Until it serves. A node that is down may answer first and be back already, and scontrol then refuses."""
        def serves():
            state = self.run("sinfo", "--noheader", "--Node", "--nodes", node, "--format=%T").strip()
            if state not in ("idle", "mixed", "allocated"):
                subprocess.run([program("scontrol"), "update", f"nodename={node}", "state=resume"], env=self.environment,
                               stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
                return False
            return True
        self.wait_until(serves, f"node {node} serves")

    def stop(self):
        """Daemons, jobs, and what waits for them, whatever happened."""
        while left := self.processes():
            for process in left:
                end(process)


def end(process):
    """Kills it and waits until it is gone."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return
    while not has_ended(process):
        time.sleep(0.01)


def has_ended(process):
    """Also when nobody has waited for it yet."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (OSError, IndexError):
        return True
