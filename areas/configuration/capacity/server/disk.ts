// Raises a server alarm and notifies platform administrators when the disk is full, until space is available again.
import type { Logger } from 'pino'
import type { HubMessages } from '../../../../contract/hub.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import type { Disk } from '../../../../server/telemetry/disk.ts'
import { turnSystem } from '../../../alarms/alarms/server/service.ts'
import { notify } from '../../../system/notices/server/service.ts'

export type DiskNeeds = {
  database: Database
  telemetry: { disk(): Disk; onDisk(listener: (disk: Disk) => void): () => void }
  hub: { send(audience: { EnterpriseId: number; permission: string }, message: 'Alarm', ...args: HubMessages['Alarm']): void }
  log: Pick<Logger, 'warn'>
  /** Epoch ms. */
  clock: () => number
  /** Retry interval, ms: PostgreSQL may have no space to write the alarm either. */
  retryMs?: number
}

/** Percentage of the available space. */
const limit = 100
const RuleName = `Disk >= ${limit} %`
const EnterpriseId = platformEnterprise
/** A notice for platform administrators: its menu belongs to no tenant role. */
const Permission = 'm10404'
/** Maximum queued changes; beyond it, the oldest pairs of start and end are dropped. */
const most = 20

type Turn = { disk: Disk; time: number }

const gb = (bytes: number) => Math.round((bytes / 1024 ** 3) * 10) / 10
const percent = ({ used, budget }: Disk) => (budget > 0 ? Math.min(1000, Math.round((100 * used) / budget)) : 1000)

const tell = (db: Db, Wording: string, { disk, time }: Turn, source: string) =>
  notify(db, {
    ...{ EnterpriseId, BizType: 11, Wording, Permission },
    WordValues: { Used: gb(disk.used), Budget: gb(disk.budget) },
    Source: `disk/${source}/${time}`,
  })

/** Starts watching. Starts and ends are written in order as soon as PostgreSQL accepts them. */
export const watchDisk = ({ database, telemetry, hub, log, clock, retryMs = 2000 }: DiskNeeds) => {
  const turns: Turn[] = []
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> | undefined

  const write = (turn: Turn) =>
    database.system.tx(async (db) => {
      const { disk, time } = turn
      const Value = percent(disk)
      const Id = await turnSystem(db, disk.full, { EnterpriseId, RuleName, LimitValue: limit, Value, Time: time })
      if (Id) await tell(db, disk.full ? 'diskFull' : 'diskRoom', turn, disk.full ? 'full' : 'room')
      else if (disk.warning && !disk.full) await tell(db, 'diskNearlyFull', { disk, time: Math.floor(time / 86_400_000) }, 'warning')
      return Id && { Id, Event: disk.full ? ('raised' as const) : ('recovered' as const), Value, Time: time }
    })
  const run = async () => {
    while (turns.length && !stopped) {
      try {
        const said = await write(turns[0]!)
        turns.shift()
        if (said)
          hub.send({ EnterpriseId, permission: 'm10201' }, 'Alarm', { ...said, AlarmLevel: 3, DeviceId: null, ParaId: null, RuleName })
      } catch (err) {
        log.warn({ err }, 'the alarm of the disk could not be written; trying again')
        timer = setTimeout(() => {
          timer = undefined
          begin()
        }, retryMs)
        return
      }
    }
  }
  const begin = () => {
    if (work || timer || stopped) return
    work = run().finally(() => {
      work = undefined
      if (turns.length) begin()
    })
  }
  const look = (disk: Disk) => {
    turns.push({ disk, time: clock() })
    if (turns.length > most) turns.splice(0, 2)
    begin()
  }
  const unlisten = telemetry.onDisk(look)
  // An alarm that was active when the server stopped may have cleared.
  look(telemetry.disk())

  return {
    async stop() {
      stopped = true
      unlisten()
      clearTimeout(timer)
      await work
    },
  }
}
