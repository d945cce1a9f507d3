// The demo company's maintenance centre after thirteen months of work.
import { sql } from 'kysely'
import type { Database, Db } from '../../../../../server/database/db.ts'
import type { FileStore } from '../../../../../server/files/store.ts'
import { serverActor } from '../../../../../server/identity/actor.ts'
import type { Telemetry } from '../../../../../server/telemetry/telemetry.ts'
import { seedColdRooms } from '../coldRooms.ts'
import { unknownPassword } from '../company.ts'
import { seedDosing } from '../dosing.ts'
import { seedEnergy } from '../energy.ts'
import { seedEnergyReports } from '../energyReports.ts'
import { seedEnergyResults } from '../energyResults.ts'
import { seedArticles } from './articles.ts'
import { type Company, companyOf } from './company.ts'
import { seedEquipment } from './equipment.ts'
import { addParts, openStore } from './parts.ts'
import { seedPlans } from './plans.ts'
import { seedRepairs } from './repairs.ts'

const name = 'demoMaintenance'
type State = { done?: readonly string[] }
const readState = async (db: Db, enterprise: number): Promise<State> => {
  const [row] = await db.rows<{ Config: State }>(
    sql`select "Config" from tenant_config where "EnterpriseId" = ${enterprise} and "Name" = ${name}`,
  )
  return row?.Config ?? {}
}
/** A single statement, because parts run concurrently. */
const markDone = (db: Db, enterprise: number, part: string) =>
  db.rows(sql`
    insert into tenant_config as t ("EnterpriseId", "Name", "Config") values (${enterprise}, ${name}, jsonb_build_object('done', jsonb_build_array(${part}::text)))
    on conflict ("EnterpriseId", "Name") do update set "Config" = jsonb_build_object('done', coalesce(t."Config" -> 'done', '[]') || to_jsonb(${part}::text))`)

type Part = { name: string; seed(db: Db, c: Company, assertRunning: () => void, needs: Needs): Promise<unknown> }
/** Chains run concurrently; the parts of a chain run in order. */
const first: readonly (readonly Part[])[] = [
  [
    {
      name: 'equipment',
      seed: async (db, c) => {
        await seedEquipment(db, serverActor(c.EnterpriseId), c)
        await addParts(db, c)
        await seedArticles(db, c)
      },
    },
    { name: 'plans', seed: seedPlans },
  ],
]
/** Runs after the history: orders are about its alarms, circuits about its counters. */
const last: readonly (readonly Part[])[] = [
  [
    { name: 'energy', seed: seedEnergy },
    { name: 'energyResults', seed: (db, c, _, { telemetry }) => seedEnergyResults(db, c, telemetry) },
    { name: 'energyReports', seed: seedEnergyReports },
  ],
  [{ name: 'coldRooms', seed: (db, c, _, needs) => seedColdRooms(db, c, needs) }],
  [
    { name: 'dosing', seed: (db, c, _, { telemetry }) => seedDosing(db, c, telemetry) },
    {
      name: 'repairs',
      seed: async (db, c, assertRunning) => {
        const store = await openStore(db, c)
        store.fill()
        await seedRepairs(db, c, store, assertRunning)
      },
    },
  ],
]

type Needs = {
  database: Database
  telemetry: Pick<Telemetry, 'aside' | 'statistics' | 'withFormulas' | 'latest' | 'top'>
  clock: () => number
  store: FileStore
  font?: string | undefined
}
type Given = { gateway: number; enterprise: number; days: number }
const seedParts = async (
  chains: readonly (readonly Part[])[],
  needs: Needs,
  { gateway, enterprise, days }: Given,
  stopped: () => boolean,
) => {
  if (days <= 0) return
  const { database, clock } = needs
  const { done = [] } = await readState(database.system, enterprise)
  const wanted = chains.map((parts) => parts.filter((part) => !done.includes(part.name)))
  if (!wanted.flat().length) return
  const passwordHash = await unknownPassword()
  const assertRunning = () => {
    if (stopped()) throw new Error('stopped')
  }
  const now = clock()
  const seed = async (parts: readonly Part[]) => {
    for (const part of parts)
      await database.system.tx(async (db) => {
        const c = await companyOf(db, gateway, { passwordHash, days, now })
        if (c) await part.seed(db, c, assertRunning, needs)
        await markDone(db, enterprise, part.name)
      })
  }
  for (const ended of await Promise.allSettled(wanted.map(seed))) if (ended.status === 'rejected') throw ended.reason
}

/** Seeds maintenance of the demo company once. Each part commits together with its marker, so a restart after a kill resumes. */
export const seedUpkeep = (needs: Needs, given: Given, stopped: () => boolean) => seedParts(first, needs, given, stopped)
/** Seeds repairs of its alarms. */
export const seedRepairOrders = (needs: Needs, given: Given, stopped: () => boolean) => seedParts(last, needs, given, stopped)
