// An external broker that counts the readings of a third-party access and goes away on demand.
import { createServer, type Server, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { serveJobs } from './job.ts'

export type BrokerJob = { do: 'open' } | { do: 'cut' } | { do: 'back' } | { do: 'count' }
/** `readings` received, `distinct` by point and time; `backward`: older than an earlier one of the same point. */
export type Counted = { port: number; readings: number; distinct: number; backward: number }

type Reading = { ParaId: number; Time: number }
const seen = new Map<number, { times: Set<number>; last: number }>()
let [readings, distinct, backward, port] = [0, 0, 0, 0]
const count = ({ ParaId, Time }: Reading) => {
  const of = seen.get(ParaId) ?? { times: new Set<number>(), last: 0 }
  seen.set(ParaId, of)
  readings++
  if (of.times.has(Time)) return
  of.times.add(Time)
  distinct++
  if (Time < of.last) backward++
  of.last = Time
}

let server: Server | undefined
const sockets = new Set<Socket>()
const listen = async (broker: Aedes) => {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    void broker.handle(socket)
  })
  await new Promise<void>((done) => server!.listen(port, '127.0.0.1', done))
  port = (server.address() as { port: number }).port
}

const broker = await Aedes.createBroker({
  authorizePublish: (_client, { payload }, done) => {
    for (const reading of (JSON.parse(payload.toString()) as { Readings: Reading[] }).Readings) count(reading)
    done(null)
  },
})
serveJobs(async (job: BrokerJob): Promise<Counted> => {
  if (job.do === 'open' || job.do === 'back') await listen(broker)
  if (job.do === 'cut') {
    server?.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port, readings, distinct, backward }
})
