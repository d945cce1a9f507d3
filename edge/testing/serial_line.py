# A serial line between a path and this process: what is written there comes out here, and the other way round.
import os, pty, sys, threading, time, tty

master, slave = pty.openpty()
tty.setraw(slave)
path = sys.argv[1]
if os.path.lexists(path):
    os.remove(path)
os.symlink(os.ttyname(slave), path)
os.close(slave)
os.write(2, b"ready\n")


def inward():
    while True:
        data = os.read(0, 4096)
        if not data:
            os._exit(0)
        os.write(master, data)


threading.Thread(target=inward, daemon=True).start()
while True:
    try:
        data = os.read(master, 4096)
        if data:
            os.write(1, data)
    except OSError:
        # Nobody has the path open.
        time.sleep(0.002)
