// A hub connection without the client library, for hundreds of connections and for misbehaviour.
import WebSocket from 'ws'
import type { HubMessages, LiveValue } from '../../contract/hub.ts'
import { until } from '../front-door.ts'

const mark = '\x1e'
type Frame = { type?: number; target?: string; result?: { Values: LiveValue[] }; arguments?: unknown[] }
export type Visitor = Awaited<ReturnType<typeof visit>>

/** Greets, subscribes, and has heard its first values. */
export const visit = async (
  origin: string,
  token: string,
  points: readonly number[],
  told: { values?(values: readonly LiveValue[]): void; alarm?(alarm: HubMessages['Alarm'][0]): void } = {},
) => {
  const hub = `${origin}/api/hubs/sysmsghub`
  const answer = await fetch(`${hub}/negotiate?negotiateVersion=1`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  const { connectionToken } = (await answer.json()) as { connectionToken: string }
  const socket = new WebSocket(`${hub.replace('http', 'ws')}?id=${connectionToken}`)
  socket.on('error', () => undefined)
  await new Promise((done, failed) => socket.once('open', done).once('close', () => failed(new Error('The hub closed the connection.'))))
  const say = (frame: object) => socket.send(`${JSON.stringify(frame)}${mark}`)
  say({ protocol: 'json', version: 1 })
  say({ type: 1, invocationId: '1', target: 'Subscribe', arguments: [points] })
  // A client that says nothing for half a minute is taken for gone.
  const ping = setInterval(() => say({ type: 6 }), 10_000)
  const latest = new Map<number, number | null>()
  let answered = false
  const hear = (frame: Frame) => {
    if (frame.type === 3) answered = true
    if (frame.target === 'Alarm') told.alarm?.(frame.arguments![0] as HubMessages['Alarm'][0])
    const push = frame.target === 'Values' ? (frame.arguments![0] as HubMessages['Values'][0]) : undefined
    for (const [id, , value] of push?.Values ?? frame.result?.Values ?? []) latest.set(id, value)
    if (push) told.values?.(push.Values)
  }
  socket.on('close', () => clearInterval(ping))
  socket.on('message', (data) => {
    for (const text of String(data).split(mark).filter(Boolean)) hear(JSON.parse(text))
  })
  await until('the subscription', () => answered)
  return { socket, latest }
}
