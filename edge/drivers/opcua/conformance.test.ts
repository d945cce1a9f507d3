import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataType, StatusCodes } from 'node-opcua'
import { afterAll, beforeAll } from 'vitest'
import { type OpcServer, startLine, startOpcServer } from '../../testing/opcua-server.ts'
import { pointRow } from '../../testing/rows.ts'
import { conformance, type Peer } from '../conformance.ts'
import { opcua } from './driver.ts'

const timeout = 200
const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
const folder = mkdtempSync(join(tmpdir(), 'opcua-'))
let server: OpcServer
beforeAll(async () => {
  server = await startOpcServer()
  for (const n of hundred) server.add(`p${n}`, DataType.Double, n)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const startPeer = async (): Promise<Peer> => {
  const all = (status = StatusCodes.Good) => {
    for (const n of hundred) server.set(`p${n}`, DataType.Double, n, status)
  }
  all()
  const line = await startLine(server.port, { lateMs: timeout * 1.5 })
  return {
    ...line,
    channel: { ProtocolType: 60, Settings: { Url: `opc.tcp://127.0.0.1:${line.port}`, SecurityMode: 'None' } },
    point: (n, change = {}) => pointRow(n, `nsu=urn:plant;s=p${n}`, { ReadWriteType: 1, CollectPeriod: 20, Timeout: timeout, ...change }),
    behave: (how) => {
      all(how === 'refused' ? StatusCodes.BadUserAccessDenied : StatusCodes.Good)
      line.behave(how)
    },
    value: (n) => server.variable(`p${n}`).readValue().value.value,
  }
}
conformance('OPC UA', (opening) => opcua({ ...opening, folder }), startPeer)
