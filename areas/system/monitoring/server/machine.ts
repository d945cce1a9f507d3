// Reads the system's usage counters. Each sample covers the time since the previous one.
import { readFile, statfs } from 'node:fs/promises'
import { cpus, freemem, loadavg, totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type Reading = {
  Cpu: number
  Cores: number
  Load: number | null
  MemoryUsed: number
  MemoryTotal: number
  DiskUsed: number
  DiskTotal: number
  Receive: number | null
  Send: number | null
  Rss: number
  ProcessCpu: number
  LoopMs: number
}
/** Resolution of the event loop delay, ms. */
const resolutionMs = 20
export type Machine = { read(): Promise<Reading>; close(): void }

const share = (used: number, all: number) => (all > 0 ? Math.min(100, Math.max(0, (100 * used) / all)) : 0)

/** Bytes received and sent by all interfaces except loopback since boot; Linux only, because other systems need a program per sample. */
const network = async (): Promise<{ received: number; sent: number } | undefined> => {
  const text = await readFile('/proc/net/dev', 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const sum = { received: 0, sent: 0 }
  for (const line of text.split('\n').slice(2)) {
    const [, name, rest] = /^\s*([^:\s]+):\s*(.*)$/.exec(line) ?? []
    if (!name || name === 'lo') continue
    // proc(5): received bytes come first, transmitted bytes ninth.
    const columns = rest!.split(/\s+/).map(Number)
    sum.received += columns[0] ?? 0
    sum.sent += columns[8] ?? 0
  }
  return sum
}

export const openMachine = (folder: string): Machine => {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  const times = () => {
    let [idle, all] = [0, 0]
    for (const { times } of cpus()) {
      idle += times.idle
      all += times.user + times.nice + times.sys + times.idle + times.irq
    }
    return { idle, all }
  }
  let before = { cpu: times(), own: process.cpuUsage(), at: performance.now(), net: undefined as Awaited<ReturnType<typeof network>> }
  return {
    async read() {
      const [net, disk] = await Promise.all([network(), statfs(folder)])
      const [cpu, own, at] = [times(), process.cpuUsage(), performance.now()]
      const was = before
      before = { cpu, own, at, net }
      const seconds = Math.max(0.001, (at - was.at) / 1000)
      const rate = (now?: number, then?: number) => (now === undefined || then === undefined || now < then ? null : (now - then) / seconds)
      // Each sample includes the sampling interval itself.
      const LoopMs = Math.max(0, delay.percentile(99) / 1e6 - resolutionMs)
      delay.reset()
      // A container has less memory than its machine.
      const limit = process.constrainedMemory()
      const MemoryTotal = limit > 0 && limit < totalmem() ? limit : totalmem()
      const MemoryUsed = MemoryTotal < totalmem() ? Math.max(0, MemoryTotal - process.availableMemory()) : totalmem() - freemem()
      return {
        Cpu: share(cpu.all - was.cpu.all - (cpu.idle - was.cpu.idle), cpu.all - was.cpu.all),
        Cores: cpus().length,
        Load: process.platform === 'win32' ? null : loadavg()[0]!,
        MemoryUsed,
        MemoryTotal,
        DiskUsed: (disk.blocks - disk.bfree) * disk.bsize,
        DiskTotal: disk.blocks * disk.bsize,
        Receive: rate(net?.received, was.net?.received),
        Send: rate(net?.sent, was.net?.sent),
        Rss: process.memoryUsage.rss(),
        ProcessCpu: (own.user + own.system - was.own.user - was.own.system) / 10_000 / seconds,
        LoopMs,
      }
    },
    close: () => delay.disable(),
  }
}
