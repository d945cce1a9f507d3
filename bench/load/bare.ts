// The bare limit of ingest: Aedes, JSON.parse and DuckDB's appender with nothing around them; acknowledged after the commit.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BIGINT, DOUBLE, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'
import { Aedes } from 'aedes'
import { serveJobs } from './job.ts'

const types = [BIGINT, BIGINT, DOUBLE]
const chunkRows = 2048

serveJobs(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-bare-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.once('SIGTERM', () => process.exit(0))
  const db = await (await DuckDBInstance.create(join(folder, 'bare.duckdb'), { threads: '2' })).connect()
  await db.run('create table samples (point bigint, time bigint, value double)')

  let [points, times, values]: [bigint[], bigint[], number[]] = [[], [], []]
  let waiting: (() => void)[] = []
  let running = false
  const pump = async () => {
    running = true
    while (waiting.length) {
      await new Promise(setImmediate)
      const [p, t, v, acknowledge] = [points, times, values, waiting]
      ;[points, times, values, waiting] = [[], [], [], []]
      await db.run('begin')
      const appender = await db.createAppender('samples')
      for (let at = 0; at < p.length; at += chunkRows) {
        const chunk = DuckDBDataChunk.create(types)
        const to = at + chunkRows
        chunk.setColumns([p.slice(at, to), t.slice(at, to), v.slice(at, to)])
        appender.appendDataChunk(chunk)
      }
      appender.closeSync()
      await db.run('commit')
      for (const done of acknowledge) done()
    }
    running = false
  }
  const broker = await Aedes.createBroker({
    authorizePublish: (_client, { payload }, done) => {
      const message = JSON.parse(payload.toString()) as { Data: { Items: { T: number; V: Record<string, number> }[] } }
      for (const { T, V } of message.Data.Items) {
        const time = BigInt(T)
        for (const id in V) {
          points.push(BigInt(id))
          times.push(time)
          values.push(V[id]!)
        }
      }
      waiting.push(() => done(null))
      if (!running) void pump()
    },
  })
  const server = createServer((socket) => void broker.handle(socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { port: (server.address() as { port: number }).port }
})
