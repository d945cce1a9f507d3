// A station of IEC 60870-5-104, written from the standard's tables without the driver's code, which misbehaves when a test says so.
import type { Socket } from 'node:net'
import { type Behaviour, startRaw } from './raw.ts'

const head = (first: number, second: number) => Buffer.of(first & 255, first >> 8, second & 255, second >> 8)
const framed = (control: Buffer, asdu: Buffer = Buffer.alloc(0)) => Buffer.concat([Buffer.of(0x68, 4 + asdu.length), control, asdu])
const ioa = (n: number) => Buffer.of(n & 255, (n >> 8) & 255, n >> 16)

/** An ASDU of one common address; `objects` have their addresses. */
export const asdu = (type: number, cause: number, common: number, objects: Buffer[]) =>
  Buffer.concat([Buffer.of(type, objects.length, cause, 0, common & 255, common >> 8), ...objects])
export const scaled = (address: number, value: number, quality = 0) => {
  const bytes = Buffer.alloc(3)
  bytes.writeInt16LE(value)
  bytes[2] = quality
  return Buffer.concat([ioa(address), bytes])
}
export const object = (address: number, hex: string) => Buffer.concat([ioa(address), Buffer.from(hex.replaceAll(' ', ''), 'hex')])
/** Seven bytes of a time, UTC. */
export const cp56 = (ms: number) => {
  const at = new Date(ms)
  const inMinute = at.getUTCSeconds() * 1000 + at.getUTCMilliseconds()
  const parts = [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCFullYear() - 2000]
  return Buffer.of(inMinute & 255, inMinute >> 8, ...parts).toString('hex')
}

type Options = {
  /** What it answers to an interrogation (100) or of counters (101): ASDUs between confirmation and termination, or its refusal. */
  answer(type: number, common: number): Buffer[] | { cause: number }
  lateMs?: number
}

export const startStation = async ({ answer, lateMs = 1500 }: Options) => {
  type Session = { sent: number; received: number }
  const sessions = new Map<Socket, Session>()
  const heard: Buffer[] = []
  let how: Behaviour = 'good'
  const say = (socket: Socket, bytes: Buffer) => {
    if (how === 'silent' || !socket.writable) return
    if (how === 'late') return void setTimeout(() => socket.writable && socket.write(bytes), lateMs)
    if (how === 'cut') {
      socket.write(bytes.subarray(0, -1))
      return void socket.end()
    }
    socket.write(bytes)
  }
  const data = (socket: Socket, bytes: Buffer) => {
    const session = sessions.get(socket)
    if (!session) return
    say(socket, framed(head(session.sent << 1, session.received << 1), bytes))
    session.sent++
  }
  const command = (socket: Socket, given: Buffer) => {
    const [type, common] = [given[0]!, given.readUInt16LE(4)]
    const echo = (cause: number) => {
      const copy = Buffer.from(given)
      copy[2] = cause
      return copy
    }
    const found = answer(type, common)
    if (!Array.isArray(found)) return data(socket, echo(found.cause))
    for (const one of [echo(7), ...found, echo(10)]) data(socket, one)
  }
  const take = (socket: Socket, frame: Buffer) => {
    heard.push(frame)
    const session = sessions.get(socket)!
    if (frame[2] === 0x07) say(socket, framed(Buffer.of(0x0b, 0, 0, 0)))
    if (frame[2] === 0x43) say(socket, framed(Buffer.of(0x83, 0, 0, 0)))
    if (frame[2]! & 1) return
    session.received++
    command(socket, frame.subarray(6))
  }
  const raw = await startRaw((bytes, socket) => {
    if (!sessions.has(socket)) {
      socket.setNoDelay(true)
      sessions.set(socket, { sent: 0, received: 0 })
      socket.on('close', () => sessions.delete(socket))
    }
    for (let at = 0; at + 1 < bytes.length; at += bytes[at + 1]! + 2) take(socket, bytes.subarray(at, at + bytes[at + 1]! + 2))
  })
  return {
    port: raw.port,
    /** Frames that came. */
    heard,
    /** Sends an ASDU by itself, over all connections. */
    tell: (bytes: Buffer) => {
      for (const socket of sessions.keys()) data(socket, bytes)
    },
    /** Sends bytes as they are. */
    blurt: (bytes: Buffer) => {
      for (const socket of sessions.keys()) socket.write(bytes)
    },
    /** One frame is lost on its way. */
    skip: () => {
      for (const session of sessions.values()) session.sent++
    },
    behave: (next: Behaviour) => {
      how = next
      if (how === 'cut' || how === 'late') for (const socket of sessions.keys()) socket.destroy()
    },
    cut: () => {
      for (const socket of sessions.keys()) socket.destroy()
    },
    connections: () => sessions.size,
    close: raw.close,
  }
}
