# A Modbus RTU slave on a pseudo terminal: answers reads of holding registers of unit 1, and says on stdout how many microseconds lay between
# each answer and the next question.
import os, pty, struct, sys, time, tty


def crc(data):
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0xA001 if value & 1 else 0)
    return struct.pack("<H", value)


master, slave = pty.openpty()
tty.setraw(slave)
os.write(2, (os.ttyname(slave) + "\n").encode())
answered, held, words = 0, b"", 0
while True:
    try:
        data = os.read(master, 4096)
    except OSError:
        # Nobody has the path open.
        time.sleep(0.002)
        continue
    now = time.monotonic_ns()
    if answered and not held:
        os.write(1, b"%d\n" % ((now - answered) // 1000))
    held += data
    if len(held) < 8:
        continue
    request, held = held[:8], b""
    if crc(request[:6]) != request[6:] or request[:2] != b"\x01\x03":
        answered = 0
        continue
    (count,) = struct.unpack(">H", request[4:6])
    words += 1
    reply = bytes([1, 3, count * 2]) + struct.pack(">H", words & 0xFFFF) * count
    os.write(master, reply + crc(reply))
    answered = time.monotonic_ns()
