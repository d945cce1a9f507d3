// Consoles: hub connections that speak SignalR's JSON protocol, each watching some points.
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { LiveValue } from '../../contract/hub.ts'
import { quantile } from '../figures.ts'
import { serveJobs } from './job.ts'

export type WatchJob =
  | { kind: 'open'; origin: string; tokens: string[]; clients: number; points: number[]; each: number }
  /** Collects for so long what a value's age is when it arrives. */
  | { kind: 'measure'; seconds: number }
export type Watched = { values: number; pushes: number; p50: number; p99: number; open: number }

const separator = '\x1e'
const sockets: WebSocket[] = []
let [values, pushes, measuring] = [0, 0, false]
let ages: number[] = []

const open = async (origin: string, token: string, points: readonly number[]) => {
  const negotiated = await fetch(`${origin}/api/hubs/sysmsghub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  const { connectionToken } = (await negotiated.json()) as { connectionToken: string }
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/hubs/sysmsghub?id=${connectionToken}`, { perMessageDeflate: false })
  const subscribed = Promise.withResolvers<void>()
  socket.once('error', subscribed.reject)
  socket.on('open', () => {
    socket.send(`{"protocol":"json","version":1}${separator}`)
    socket.send(`${JSON.stringify({ type: 1, target: 'Subscribe', arguments: [points], invocationId: '1' })}${separator}`)
  })
  socket.on('message', (data) => {
    for (const text of String(data).split(separator)) {
      if (text.startsWith('{"type":1,"target":"Values"')) {
        if (!measuring) continue
        const push = JSON.parse(text) as { arguments: [{ Values: LiveValue[] }] }
        const now = Date.now()
        pushes++
        for (const [, time] of push.arguments[0].Values) {
          values++
          ages.push(now - time)
        }
      } else if (text.startsWith('{"type":3')) {
        const { error, result } = JSON.parse(text) as { error?: string; result?: { Seq: number } }
        if (error || !result) subscribed.reject(new Error(`Subscribe: ${error}`))
        else subscribed.resolve()
      }
    }
  })
  sockets.push(socket)
  await subscribed.promise
}

serveJobs(async (job: WatchJob): Promise<Watched> => {
  if (job.kind === 'open')
    for (let i = 0; i < job.clients; i++) {
      const from = (i * job.each) % Math.max(1, job.points.length - job.each + 1)
      await open(job.origin, job.tokens[i % job.tokens.length]!, job.points.slice(from, from + job.each))
    }
  else {
    ;[values, pushes, measuring, ages] = [0, 0, true, []]
    await sleep(job.seconds * 1000)
    measuring = false
  }
  const open_ = sockets.filter((s) => s.readyState === s.OPEN).length
  return { values, pushes, p50: quantile(ages, 0.5), p99: quantile(ages, 0.99), open: open_ }
})
// Without it the hub would consider the consoles gone.
setInterval(() => {
  for (const socket of sockets) if (socket.readyState === socket.OPEN) socket.send(`{"type":6}${separator}`)
}, 10_000).unref()
