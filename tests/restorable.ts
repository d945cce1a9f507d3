// A server that can restore itself, with a gateway, a point and what a test asks of it.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import mqtt from 'mqtt'
import pino from 'pino'
import type { BackupFile, BackupJob } from '../areas/system/backup/contract.ts'
import { topic } from '../contract/gateway-protocol.ts'
import { runServer } from '../main/run.ts'
import { readSettings } from '../main/settings.ts'
import { freshDatabase } from '../main/testing/database.ts'
import { type FrontDoor, openFrontDoor, password, until } from './front-door.ts'
import { temporary } from './house.ts'

const silent = pino({ level: 'silent' })
/** An unused folder and database. */
export const newPlace = async () => {
  const [fresh, folder] = [await freshDatabase(), temporary()]
  const env = {
    PENSTOCK_DATA: folder,
    PENSTOCK_PORT: '0',
    PENSTOCK_MQTT_PORT: '0',
    PENSTOCK_ADMIN_PASSWORD: password,
    PENSTOCK_DEMO: 'off',
    DATABASE_URL: fresh.adminUrl,
  }
  return { fresh, folder, env }
}
export const startIn = async (env: Record<string, string>) => {
  const server = runServer(readSettings(env), silent, Date.now, {
    onLost: (error) => {
      throw error
    },
  })
  await server.start()
  return server
}

type Series = { Time: number[]; Avg: (number | null)[]; Count: number[] }
type Manifest = { Tables: { Table: string; Rows: number; Content: string }[] }
export type Restorable = Awaited<ReturnType<typeof startRestorable>>

export const startRestorable = async () => {
  const place = await newPlace()
  const server = await startIn(place.env)
  const door = await openFrontDoor(`http://127.0.0.1:${server.started()!.port}`)
  const gateway = await door.newGateway('BACKUP000001', 15_999)
  const point = (
    await door.data('POST', '/Project/DevPara', { DeviceId: gateway.device, ParaName: 'Level', Address: '1', ReadWriteType: 1 })
  ).Id
  const hour = 3_600_000
  /** An hour long ago, so that its day is closed. */
  const planted = Math.floor((Date.now() - 40 * 24 * hour) / hour) * hour
  const send = async (readings: [time: number, value: number][]) => {
    await until('the point to be known to ingest', () => server.started()!.registry.get(point))
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${server.started()!.mqttPort}`, {
      clientId: gateway.SN,
      username: gateway.SN,
      password: gateway.Key,
    })
    const Items = readings.map(([T, v]) => ({ D: gateway.device, T, V: { [point]: v } }))
    await client.publishAsync(
      topic(gateway.SN, 'up', 'history'),
      JSON.stringify({ MsgId: crypto.randomUUID(), Ts: Date.now(), Data: { Items, Backfill: 1 } }),
      { qos: 1 },
    )
    await client.endAsync()
  }
  /** Second by second, from the planted one on. */
  const readings = async (of: FrontDoor = door) => {
    const { Series } = await of.data<{ Series: Series[] }>('POST', '/DataCenter/ReportData/Data', {
      ParaIds: [point],
      Start: planted,
      End: planted + 10_000,
      Buckets: 10,
    })
    const [line] = Series
    return line ? line.Time.map((t, i) => [t, line.Avg[i]]).filter(([, v]) => v !== null) : []
  }
  const settled = async (kind: 'Backup' | 'Restore', what: 'DB' | 'Resource', of: FrontDoor = door) =>
    until(
      `the ${kind} of ${what} to end`,
      async () => {
        const job = await of.data<BackupJob>('GET', `/System/${kind}/${what}Status`).catch(() => undefined)
        if (job?.Status === 3) throw new Error(JSON.stringify(job))
        return job?.Status === 2 ? job : undefined
      },
      60_000,
    )
  const files = (what: 'DB' | 'Resource', of: FrontDoor = door) => of.data<BackupFile[]>('GET', `/System/Backup/${what}Files`)
  const backUp = async (what: 'DB' | 'Resource') => {
    await door.data('POST', `/System/Backup/${what}`, {})
    const { FileName } = await settled('Backup', what)
    return (await files(what)).find((f) => f.FileName === FileName)!
  }
  const manifestOf = (name: string): Manifest => JSON.parse(readFileSync(join(place.folder, 'backups', name, 'manifest.json'), 'utf8'))
  /** Tables that a restore itself writes to, and what the clock writes. */
  const moving = new Set([
    'change',
    'change_head',
    'change_checkpoint',
    'secret',
    'timer',
    'timer_log',
    'gateway',
    'gateway_event',
    'machine_use',
  ])
  const contents = (name: string) =>
    manifestOf(name)
      .Tables.filter((t) => !moving.has(t.Table))
      .map((t) => [t.Table, t.Rows, t.Content])
  const restoreDb = async (name: string) => {
    await door.data('POST', '/System/Restore/DB', { FileName: name, Confirm: name })
    return settled('Restore', 'DB')
  }
  const projects = async () =>
    (await door.data<{ Items: { ProjectName: string }[] }>('GET', '/Project/Project/List?PageSize=100')).Items.map((p) => p.ProjectName)
  return {
    place,
    server,
    door,
    gateway,
    point,
    planted,
    send,
    readings,
    settled,
    files,
    backUp,
    contents,
    restoreDb,
    projects,
    close: async () => {
      await server.close()
      await place.fresh.drop()
      rmSync(place.folder, { recursive: true, force: true })
    },
  }
}
