// One caller at full speed: the same request on many connections, each sent as soon as the one before is answered. And his neighbour,
// who asks for a small list ten times a second.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../figures.ts'
import { serveJobs } from './job.ts'

/** `body` in base64. In path and body, `<n>` becomes the number of the call. */
export type Asked = { method: string; path: string; headers: Record<string, string>; body?: string }
export type AbuseJob = { origin: string; seconds: number; asked: Asked; connections: number } & ({ kind: 'abuse' } | { kind: 'neighbour' })
export type Abused = { calls: number; refused: number; failed: number; p95: number }

const send = (origin: string, agent: Agent, { method, path, headers, body }: Asked, n: number) =>
  new Promise<number>((done, failed) => {
    const { hostname, port } = new URL(origin)
    const numbered = (text: string) => text.replaceAll('<n>', String(n))
    const content = body === undefined ? undefined : Buffer.from(body, 'base64')
    const isText = headers['content-type'] === 'application/json'
    const sent = content && isText ? Buffer.from(numbered(content.toString())) : content
    const length: Record<string, number> = sent ? { 'content-length': sent.length } : {}
    const call = request({ hostname, port, agent, method, path: numbered(path), headers: { ...headers, ...length } }, (answer) => {
      answer.on('data', () => {})
      answer.once('end', () => done(answer.statusCode ?? 0))
      answer.once('error', failed)
    })
    call.once('error', failed)
    call.end(sent)
  })

const abuse = async ({ origin, seconds, asked, connections }: AbuseJob): Promise<Abused> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const end = performance.now() + seconds * 1000
  let [calls, refused, failed] = [0, 0, 0]
  const one = async () => {
    while (performance.now() < end) {
      // A refused connection is closed; attackers simply open the next.
      const status = await send(origin, agent, asked, ++calls).catch(() => 0)
      if (status === 0) failed++
      else if (status >= 400) refused++
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  agent.destroy()
  return { calls, refused, failed, p95: Number.NaN }
}

const neighbour = async ({ origin, seconds, asked }: AbuseJob): Promise<Abused> => {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  let failed = 0
  const asking: Promise<void>[] = []
  for (let n = 0; n < seconds * 10; n++) {
    const start = performance.now()
    const one = send(origin, agent, asked, n).then((status) => {
      times.push(performance.now() - start)
      if (status !== 200) failed++
    })
    asking.push(one)
    await sleep(100)
  }
  await Promise.all(asking)
  agent.destroy()
  return { calls: times.length, refused: 0, failed, p95: quantile(times, 0.95) }
}

serveJobs((job: AbuseJob) => (job.kind === 'abuse' ? abuse(job) : neighbour(job)))
