// What the server's memory consists of, looked at again and again: its own figures beside what the system says of the process.
import { residentBytes } from '../faults/own-server.ts'

const megabyte = 1024 ** 2
const parts = {
  /** In use by JavaScript, and what V8 holds for it. */
  used: 'penstock_nodejs_heap_size_used_bytes',
  heap: 'penstock_nodejs_heap_size_total_bytes',
  /** Buffers outside of the heap. */
  buffers: 'penstock_nodejs_external_memory_bytes',
  /** DuckDB, all kinds together. */
  store: 'penstock_telemetry_memory_bytes',
} as const
type Part = keyof typeof parts
export type Memory = Record<Part | 'all' | 'rest', number>

const look = async (origin: string, pid: number): Promise<Memory> => {
  const text = await (await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(20_000) })).text()
  const of = (name: string) => {
    const lines = text.split('\n').filter((l) => l.startsWith(`${name} `) || l.startsWith(`${name}{`))
    return Math.round(lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0) / megabyte)
  }
  const found = Object.fromEntries(Object.entries(parts).map(([part, name]) => [part, of(name)])) as Record<Part, number>
  const all = Math.round(residentBytes(pid) / megabyte)
  return { ...found, all, rest: all - found.heap - found.buffers - found.store }
}

/** Samples the server's memory (MB) every `everyMs` until stopped. */
export const watchMemory = (server: { origin: string; pid: () => number }, everyMs: number) => {
  const seen: (Memory & { second: number })[] = []
  const from = performance.now()
  const timer = setInterval(async () => {
    // Nothing while it is down.
    const memory = await look(server.origin, server.pid()).catch(() => undefined)
    if (memory) seen.push({ second: Math.round((performance.now() - from) / 1000), ...memory })
  }, everyMs)
  return {
    /** Megabytes that are resident. */
    now: () => Math.round(residentBytes(server.pid()) / megabyte),
    stop: () => clearInterval(timer),
    /** Some twenty moments. */
    table: () => {
      const every = Math.ceil(seen.length / 20)
      const row = ({ second, all, heap, used, buffers, store, rest }: (typeof seen)[number]) =>
        [second, all, heap, used, buffers, store, rest].map((n) => String(n).padStart(8)).join('')
      return ['second', 'all MB', 'heap', 'in use', 'buffers', 'store', 'rest']
        .map((title) => title.padStart(8))
        .join('')
        .concat(
          '\n',
          seen
            .filter((_, i) => i % every === 0 || i === seen.length - 1)
            .map(row)
            .join('\n'),
        )
    },
  }
}
