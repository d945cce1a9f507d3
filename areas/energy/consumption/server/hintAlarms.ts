// Raises alarms from hints. Each project is evaluated hourly, peak demand every five minutes. A hint raises at most one alarm a day,
// which stays active for as long as the hint applies.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import { hour, minute } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import {
  type AlarmHub,
  announceEnergyAlarms,
  type EnergyAlarm,
  energyAlarmsOf,
  projectsWithEnergyAlarms,
  raiseEnergyAlarms,
  recoverEnergyAlarms,
} from '../../../alarms/alarms/server/service.ts'
import { energyHints, type HintRule, hintRules, mostHints } from '../hints.ts'
import { firingHints, powerUnit } from './hints.ts'
import { spanOf, today } from './ranges.ts'
import { openReading, type Reading } from './reading.ts'

/** Evaluation intervals, and the delay after startup. */
const [everyMs, demandMs, firstMs, pollMs] = [hour, 5 * minute, 10 * minute, 30_000]

type Project = { EnterpriseId: number; ProjectId: number | null }
export type HintAlarmNeeds = {
  database: Database
  telemetry: Pick<Telemetry, 'aside'>
  hub: AlarmHub
  isOwner: () => boolean
  /** Epoch ms. */
  clock: () => number
  log: Pick<Logger, 'warn'>
}

const alarmOf = (
  { enterprise, deriving }: Reading,
  ProjectId: number,
  { circuit, by, found, unit }: Awaited<ReturnType<typeof firingHints>>[number],
): EnergyAlarm => ({
  ...{ EnterpriseId: enterprise, ProjectId, Circuit: circuit.Id, Hint: by, Name: circuit.EnergyName },
  ...{ Value: found.value, LimitValue: found.limit, Time: deriving.now },
  OperateSymbol: by === 'standing' ? 4 : 3,
  Unit: by === 'water' ? powerUnit(unit) : unit,
})

/** Synchronizes a project's alarms with its current hints, for the given rules. */
const lookAt = async (needs: HintAlarmNeeds, { EnterpriseId, ProjectId }: Project, rules: readonly HintRule[]) => {
  const { database, telemetry, hub, clock } = needs
  const now = clock()
  const db = database.system
  const reading = await openReading(db, serverActor(EnterpriseId), { telemetry, now })
  const firing = ProjectId === null ? [] : await firingHints(reading, ProjectId, rules)
  const day = today(reading.zone, now)
  const changed = await db.tx(async (db) => {
    const known = await energyAlarmsOf(db, EnterpriseId, ProjectId, spanOf(reading.zone, { from: day, to: day }).start)
    const keyOf = ({ Circuit, Hint }: { Circuit: number; Hint: string }) => `${Circuit} ${Hint}`
    const holds = new Set(firing.map(({ circuit, by }) => keyOf({ Circuit: circuit.Id, Hint: by })))
    const isDone = new Set(known.map(keyOf))
    const room = Math.max(0, mostHints - known.filter(({ isRecent }) => isRecent).length)
    const fresh = firing.slice(0, mostHints).filter(({ circuit, by }) => !isDone.has(keyOf({ Circuit: circuit.Id, Hint: by })))
    const over = known.filter((alarm) => alarm.isActive && rules.includes(alarm.Hint) && !holds.has(keyOf(alarm)))
    return [
      ...(await recoverEnergyAlarms(db, over, now)),
      ...(await raiseEnergyAlarms(
        db,
        fresh.slice(0, room).map((hint) => alarmOf(reading, ProjectId!, hint)),
      )),
    ]
  }, `energyHints ${EnterpriseId}`)
  await announceEnergyAlarms(hub, changed)
}

/** Projects with circuits or active energy alarms. */
const projectsOf = async ({ database: { system } }: HintAlarmNeeds): Promise<Project[]> => {
  const rows = await system.rows<Project>(sql`select distinct "EnterpriseId", "ProjectId" from energy_info order by 1, 2`)
  const all = [...rows, ...(await projectsWithEnergyAlarms(system))]
  return [...new Map(all.map((one) => [`${one.EnterpriseId} ${one.ProjectId}`, one])).values()]
}

export const startHintAlarms = (needs: HintAlarmNeeds) => {
  const { database, clock, isOwner, log } = needs
  const begun = clock()
  let [dueAt, demandAt] = [begun + firstMs, begun + firstMs]
  const failed = (err: unknown) => log.warn({ err }, 'hints of energy raised no alarms; trying again')
  const run = async (isStopped: () => boolean) => {
    const now = clock()
    const isDue = now >= dueAt
    if (!isOwner() || (!isDue && now < demandAt)) return
    demandAt = now + demandMs
    if (isDue) dueAt = now + everyMs
    for (const project of await projectsOf(needs)) {
      if (isStopped()) return
      // A failing project must not block the others.
      await lookAt(needs, project, isDue ? hintRules : ['demand']).catch(failed)
    }
  }
  return startWorker({
    ...{ database, run, pollMs, failed },
    triggeredBy: ({ resource }) => {
      if (resource === energyHints.name) dueAt = Math.min(dueAt, Math.max(clock(), begun + firstMs))
      return resource === energyHints.name
    },
  })
}
