// InfluxDB clients: line protocol over HTTP, one batch per request, one request at a time per connection.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../figures.ts'
import { batchOf } from './batch.ts'
import { serveJobs } from './job.ts'

export type LinesJob = {
  origin: string
  tokens: string[]
  /** Lines of a batch, and fields of a line. */
  lines: number
  fields: number
  /** Requests in flight per token. */
  connections: number
  /** Requests per second of all tokens; by default each connection sends as soon as it is answered. */
  rate?: number
  seconds: number
  warmUp: number
}
export type Written = { perSecond: number; acked: number; p50: number; p99: number; refused: string[] }

serveJobs(async (job: LinesJob): Promise<Written> => {
  const agent = new Agent({ keepAlive: true, maxSockets: job.tokens.length * job.connections })
  const { hostname, port } = new URL(job.origin)
  const refused: string[] = []
  const times: number[] = []
  let [counting, acked, open, sent] = [false, 0, true, 0]
  // Readings from an hour ago; each batch is newer than the previous one.
  const firsts = job.tokens.map(() => Date.now() - 3_600_000)
  const send = (n: number, dueAt: number) => {
    const at = n % job.tokens.length
    const body = batchOf(job.lines, job.fields, firsts[at]!)
    firsts[at]! += job.lines
    return new Promise<void>((done) => {
      const headers = { authorization: `Token ${job.tokens[at]}`, 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body) }
      const call = request({ agent, hostname, port, method: 'POST', path: '/api/v2/write?precision=ms', headers }, (answer) => {
        answer.resume()
        answer.once('end', () => {
          if (answer.statusCode !== 204) refused.push(String(answer.statusCode))
          else if (counting) {
            acked++
            times.push(performance.now() - dueAt)
          }
          done()
        })
      })
      call.once('error', (error) => {
        refused.push(error.message)
        done()
      })
      call.end(body)
    })
  }
  const paced = async (rate: number) => {
    const start = performance.now()
    const waiting: Promise<void>[] = []
    while (open) {
      for (let dueAt = start + (sent / rate) * 1000; dueAt <= performance.now(); dueAt = start + (sent / rate) * 1000)
        waiting.push(send(sent++, dueAt))
      await sleep(2)
    }
    await Promise.all(waiting)
  }
  const flooding = async (connection: number) => {
    while (open) await send(connection, performance.now())
  }
  const all = Array.from({ length: job.tokens.length * job.connections }, (_, n) => n)
  const work = job.rate ? [paced(job.rate)] : all.map(flooding)
  await sleep(job.warmUp * 1000)
  const from = performance.now()
  counting = true
  await sleep(job.seconds * 1000)
  counting = false
  const seconds = (performance.now() - from) / 1000
  open = false
  await Promise.all(work)
  agent.destroy()
  return { perSecond: acked / seconds, acked, p50: quantile(times, 0.5), p99: quantile(times, 0.99), refused: refused.slice(0, 5) }
})
