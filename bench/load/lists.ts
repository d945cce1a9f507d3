// People who leaf through lists: HTTP/1.1 over kept connections; and the same pages asked of PostgreSQL itself.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { quantile } from '../figures.ts'
import { serveJobs } from './job.ts'

export type ListJob =
  | { kind: 'http'; origin: string; tokens: string[]; connections: number; seconds: number; rate?: number }
  | { kind: 'bare'; url: string; tenants: number[]; connections: number; seconds: number }
export type Listed = { perSecond: number; p50: number; p99: number }

const body = (n: number) =>
  JSON.stringify({
    PageIndex: 1 + (n % 3),
    PageSize: 20,
    QueryInfo: { QueryConditions: [{ Field: 'GatewayName', Value: `${n % 10}`, LogicOP: 1 }] },
  })

/** One connection: sends one request at a time on demand, and checks each response. */
const openCaller = (origin: string, token: string) => {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.setNoDelay(true)
  let answered: (() => void) | undefined
  let failed: ((error: Error) => void) | undefined
  let held = ''
  let missing = 0
  socket.on('data', (chunk) => {
    held += chunk.toString('latin1')
    if (!missing) {
      const end = held.indexOf('\r\n\r\n')
      if (end < 0) return
      missing = end + 4 + Number(/content-length: (\d+)/i.exec(held)?.[1] ?? Number.NaN)
    }
    if (held.length < missing) return
    const text = held
    held = ''
    missing = 0
    if (text.startsWith('HTTP/1.1 200') && text.includes('"Succeeded":true') && text.includes('"TotalCount":')) answered?.()
    else failed?.(new Error(text.slice(0, 500)))
  })
  socket.on('error', (error) => failed?.(error))
  return {
    ask: (n: number) =>
      new Promise<void>((done, fail) => {
        answered = done
        failed = fail
        const text = body(n)
        socket.write(
          `POST /api/Project/Gateway/List HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\nX-Time-Zone: UTC\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
        )
      }),
    close: async () => void socket.destroy(),
  }
}

const openBare = async (url: string, tenants: readonly number[], index: number) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    ask: async (n: number) => {
      const values = [tenants[(n + index) % tenants.length], `%${n % 10}%`]
      const where = `"EnterpriseId" = $1 and "GatewayName" like $2`
      await Promise.all([
        client.query({ name: 'page', text: `select * from gateway where ${where} order by "GatewayName", "Id" limit 20 offset 0`, values }),
        client.query({ name: 'count', text: `select count(*) from gateway where ${where}`, values }),
      ])
    },
    close: () => client.end(),
  }
}

serveJobs(async (job: ListJob): Promise<Listed> => {
  const callers = await Promise.all(
    Array.from({ length: job.connections }, async (_, i) =>
      job.kind === 'http' ? openCaller(job.origin, job.tokens[i % job.tokens.length]!) : openBare(job.url, job.tenants, i),
    ),
  )
  const rate = job.kind === 'http' ? job.rate : undefined
  const latencies: number[] = []
  const start = performance.now()
  const end = start + job.seconds * 1000
  let n = 0
  await Promise.all(
    callers.map(async (caller, i) => {
      for (let round = 0; performance.now() < end; round++) {
        let dueAt = performance.now()
        if (rate) {
          dueAt = start + ((round * callers.length + i) / rate) * 1000
          if (dueAt > end) break
          const wait = dueAt - performance.now()
          if (wait > 0) await sleep(wait)
        }
        await caller.ask(n++)
        latencies.push(performance.now() - dueAt)
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  // A connection that is still open when the bench stops PostgreSQL would end this process.
  await Promise.all(callers.map((caller) => caller.close()))
  return { perSecond: latencies.length / seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
})
